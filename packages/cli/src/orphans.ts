import { notFound } from '@cairn/contracts/failures'
import { adminOperations } from '@cairn/contracts/http/admin'
import type { Answer } from './client.ts'
import type { Command } from './command.ts'
import { table } from './table.ts'

type Orphan = Answer<typeof adminOperations.listOrphans>['body']['orphans'][number]

const list: Command = {
  name: 'orphans list',
  summary: 'List objects of the store that the database knows nothing of',
  options: {
    limit: { type: 'string', value: 'number', description: 'How many at most, 1 to 100. Default: 100.' },
    after: { type: 'string', value: 'key', description: 'Go on after this one.' },
  },
  run: async ({ admin, print }, input) => {
    const { body } = await admin().call(adminOperations.listOrphans, {
      query: { limit: input.text('limit'), after: input.text('after') },
    })
    print(
      table<Orphan>(
        [
          { title: 'KEY', value: (orphan) => orphan.key },
          { title: 'BYTES', value: (orphan) => String(orphan.size) },
          { title: 'FIRST SEEN', value: (orphan) => orphan.first_seen_at },
          { title: 'REMOVAL', value: (orphan) => (orphan.approved ? 'approved' : 'waits') },
        ],
        body.orphans,
      ),
    )
    if (body.next !== null) print(`More: cairn orphans list --after ${body.next}\n`)
    return { data: body }
  },
}

const approve: Command = {
  name: 'orphans approve',
  summary: 'Have the next sweep remove an orphaned object',
  arguments: [{ name: 'key', description: 'The key, as `cairn orphans list` shows it.' }],
  run: async ({ admin, print }, input) => {
    const { body } = await admin().call(adminOperations.approveOrphans, { body: { keys: [input.argument('key')] } })
    if (body.approved === 0) throw notFound('orphan')
    print('approved; the next sweep removes it\n')
    return { data: body }
  },
}

const approveAll: Command = {
  name: 'orphans approve-all',
  summary: 'Have the next sweep remove every orphaned object that is listed now',
  run: async ({ admin, print }) => {
    let approved = 0
    for (let after: string | undefined; ; ) {
      const { body } = await admin().call(adminOperations.listOrphans, { query: { after } })
      const keys = body.orphans.map(({ key }) => key)
      if (keys.length > 0)
        approved += (await admin().call(adminOperations.approveOrphans, { body: { keys } })).body.approved
      if (body.next === null) break
      after = body.next
    }
    print(`${approved} approved; the next sweep removes them\n`)
    return { data: { approved } }
  },
}

export const orphanCommands: readonly Command[] = [list, approve, approveAll]
