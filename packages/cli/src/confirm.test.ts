import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { describe, expect, it } from 'vitest'
import { cairn, cairnAsking } from './run.fixture.ts'
import { serve } from './serve.fixture.ts'

const exported = join(import.meta.dirname, '../package.json')

/** Everything that destroys, with the answer that confirms it. */
const destructions: readonly { readonly args: readonly string[]; readonly answer: string }[] = [
  { args: ['ns', 'delete', 'notes'], answer: 'notes' },
  { args: ['rm', 'a', 'b', '--from', 'notes'], answer: 'notes' },
  { args: ['rm', 'a.md', '--from', 'notes', '--files'], answer: 'notes' },
  { args: ['rm', '--from', 'notes', '--filter', '{"key":"year","eq":1}'], answer: 'notes' },
  { args: ['keys', 'revoke', 'abcdefghjkmn'], answer: 'abcdefghjkmn' },
  { args: ['accounts', 'update', 'acc-1', '--subscription-ends', '2020-01-01T00:00:00Z'], answer: 'acc-1' },
  { args: ['orphans', 'approve', 'a/b'], answer: 'a/b' },
  { args: ['orphans', 'approve-all'], answer: 'all' },
  { args: ['reindex', 'notes', '--end'], answer: 'notes' },
  { args: ['edge', 'pull', 'notes', '--replace'], answer: '127.0.0.1' },
  { args: ['edge', 'import', exported, '--replace'], answer: '127.0.0.1' },
]

/** A server on which everything exists, and every change is refused with 403. */
const scene = async () => {
  const namespace = { namespace_name: 'notes', type: 'text', item_count: 7 }
  const server = await serve(({ method, body }) => {
    const isDry = typeof body === 'object' && body !== null && 'dry_run' in body && body.dry_run === true
    if (method !== 'GET' && !isDry) return { status: 403, body: { status: 'failure', message: 'Refused' } }
    return {
      status: 200,
      body: isDry ? { matched_items: 3, unprocessed_ids: [] } : { namespaces: [namespace], ...namespace },
    }
  })
  const { url, seen } = server
  const env = { CAIRN_URL: url, CAIRN_EDGE_URL: 'http://127.0.0.1', CAIRN_API_KEY: 'k', CAIRN_ADMIN_KEY: 'k' }
  return { env: { ...env, CAIRN_DATA_DIR: temporaryDirectory() }, seen }
}

describe.each(destructions)('cairn $args', ({ args, answer }) => {
  it('sends nothing without a terminal and without --yes', async () => {
    const { env, seen } = await scene()
    expect(await cairn(env, ...args)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/^(.+ → .+\n)?cairn: Confirming needs a terminal: use --yes to .+\n$/),
    })
    expect(seen).toEqual([])
  })

  it.each(['', 'n', 'no', 'Notes', 'other'])('changes nothing after the answer "%s"', async (other) => {
    const { env, seen } = await scene()
    const { code, err, asked } = await cairnAsking([other], env, ...args)
    expect({ code, questions: asked.length }).toEqual({ code: 1, questions: 1 })
    expect(err).toContain('cairn: Not confirmed: nothing was changed\n')
    const changes = seen.filter(
      ({ method, body }) => method !== 'GET' && !JSON.stringify(body).includes('"dry_run":true'),
    )
    expect(changes).toEqual([])
  })

  it('goes on after the right answer, and with --yes without a question', async () => {
    const { env } = await scene()
    const goesOn = async (answers: readonly string[], ...more: string[]) => {
      const { err, asked } = await cairnAsking(answers, env, ...args, ...more)
      expect(/^This will .+ on http:.+\.$/m.test(err)).toBe(more.length > 0)
      expect(err).not.toContain('Not confirmed')
      return asked.length
    }
    expect(await goesOn([answer])).toBe(1)
    expect(await goesOn([], '--yes')).toBe(0)
  })
})

describe('a question', () => {
  it('names what is destroyed, and where', async () => {
    const { env } = await scene()
    const asked = async (...args: string[]) => (await cairnAsking([], env, ...args)).asked[0]
    expect(await asked('rm', '--from', 'notes', '--filter', '{"key":"year","eq":1}')).toBe(
      `This will delete all documents that pass the filter from "notes" (now 3) on ${env.CAIRN_URL} (CAIRN_URL). Type notes to confirm: `,
    )
    expect(await asked('rm', 'a', 'b\u001b[2J', '--from', 'notes')).toBe(
      `This will delete the documents a, b\\u001b[2J from "notes" on ${env.CAIRN_URL} (CAIRN_URL). Type notes to confirm: `,
    )
    expect(await asked('rm', 'a', 'b', 'c', 'd', '--from', 'notes', '--files')).toContain('delete 4 files from "notes"')
  })

  it('is not asked for a dry run', async () => {
    const { env } = await scene()
    const args = ['rm', '--from', 'notes', '--filter', '{"key":"year","eq":1}', '--dry-run']
    expect(await cairn(env, ...args)).toMatchObject({ code: 0, out: '3 documents match; none was deleted\n' })
  })
})
