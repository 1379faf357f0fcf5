import type { Orphan } from '@cairn/client'
import { notFound } from '@cairn/contracts/api/failures'
import type { Command } from './command.ts'
import { confirm, yesOption } from './confirm.ts'
import { numberOf } from './number-of.ts'
import { table } from './table.ts'

const list: Command = {
  name: 'orphans list',
  summary: 'List orphaned objects, which the database does not know',
  options: {
    limit: { type: 'string', value: 'number', description: 'Maximum number of entries, 1 to 100. Default: 100.' },
    after: { type: 'string', value: 'key', description: 'Continue after this entry.' },
  },
  run: async ({ admin, print, signal }, input) => {
    const page = { limit: numberOf(input, 'limit'), after: input.text('after') }
    const data = await admin().orphans.list({ ...page, signal })
    print(
      table<Orphan>(
        [
          { title: 'KEY', value: (orphan) => orphan.key },
          { title: 'BYTES', value: (orphan) => String(orphan.size) },
          { title: 'FIRST SEEN', value: (orphan) => orphan.first_seen_at },
          { title: 'REMOVAL', value: (orphan) => (orphan.approved ? 'approved' : 'waits') },
        ],
        data.orphans,
      ),
    )
    if (data.next !== null) print(`More: cairn orphans list --after ${data.next}\n`)
    return { data }
  },
}

const approve: Command = {
  name: 'orphans approve',
  summary: 'Let the next sweep remove an orphaned object',
  arguments: [{ name: 'key', description: 'The key, as `cairn orphans list` shows it.' }],
  options: { yes: yesOption },
  run: async (context, input) => {
    const { admin, print, signal } = context
    await confirm(context, input, {
      what: `let the object ${input.argument('key')} be removed`,
      name: input.argument('key'),
    })
    const data = await admin().orphans.approve([input.argument('key')], { signal })
    if (data.approved === 0) throw notFound('orphan')
    print('approved; the next sweep removes it\n')
    return { data }
  },
}

const approveAll: Command = {
  name: 'orphans approve-all',
  summary: 'Let the next sweep remove all orphaned objects listed now',
  options: { yes: yesOption },
  run: async (context, input) => {
    const { admin, print, signal } = context
    const { orphans } = admin()
    await confirm(context, input, { what: 'let all orphaned objects listed now be removed', name: 'all' })
    let approved = 0
    for (let after: string | undefined; ; ) {
      const page = await orphans.list({ after, signal })
      const keys = page.orphans.map(({ key }) => key)
      if (keys.length > 0) approved += (await orphans.approve(keys, { signal })).approved
      if (page.next === null) break
      after = page.next
    }
    print(`${approved} approved; the next sweep removes them\n`)
    return { data: { approved } }
  },
}

export const orphanCommands: readonly Command[] = [list, approve, approveAll]
