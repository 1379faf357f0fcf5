import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exitCodes } from './exit-codes.ts'
import { cairn, startCairn } from './run.fixture.ts'
import { serve } from './serve.fixture.ts'

const failureBody = (message: string) => ({ status: 'failure', message, error: 'x', request_id: 'r' })

describe('exit codes', () => {
  it('are those of the table in docs/cli.md', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/cli.md'), 'utf8')
    const rows = [...page.matchAll(/^\| `(\d+)` \| (.+) \|$/gm)].map(([, code, meaning]) => [code, meaning])
    expect(rows).toEqual(Object.entries(exitCodes))
  })

  it.each([
    { status: 400, code: 2 },
    { status: 401, code: 3 },
    { status: 403, code: 3 },
    { status: 404, code: 4 },
    { status: 409, code: 4 },
    { status: 429, code: 3 },
    { status: 500, code: 1 },
    { status: 503, code: 5 },
  ])('say $code when the server answers $status', async ({ status, code }) => {
    const { url } = await serve({ status, body: failureBody('This is why') })
    expect(await cairn({ CAIRN_ADMIN_KEY: 'k' }, 'accounts', 'list', '--url', url)).toEqual({
      code,
      out: '',
      err: 'cairn: This is why\n',
    })
  })

  it.each([
    { code: 0, args: ['keys', 'generate'] },
    { code: 1, args: ['status'], reply: { status: 200, body: { status: 'starting', dependencies: {} } } },
    { code: 2, args: ['accounts', 'list', '--url', 'localhost:3000'] },
    { code: 3, args: ['accounts', 'list'] },
    { code: 4, args: ['get', 'x', '--from', 'n'], reply: { status: 200, body: { items: [], not_found_ids: ['x'] } } },
    { code: 5, args: ['status', '--url', 'http://127.0.0.1:1'] },
  ])('say $code for cairn $args', async ({ code, args, reply }) => {
    const env = reply ? { CAIRN_URL: (await serve(reply)).url, CAIRN_API_KEY: 'k' } : { CAIRN_DATA_DIR: '/nonexistent' }
    expect(await cairn(env, ...args)).toMatchObject({ code })
  })

  it('say 130 when the command is stopped', async () => {
    const { url } = await serve({ status: 429, headers: { 'retry-after': '20' }, body: failureBody('Later') })
    const { ended, stop } = startCairn({ CAIRN_URL: url, CAIRN_ADMIN_KEY: 'k' }, 'accounts', 'list')
    stop()
    expect(await ended).toEqual({ code: 130, out: '', err: '' })
  })

  it('come with the remedy for an address without a scheme', async () => {
    for (const address of ['localhost:3000', 'cairn.example.org', '127.0.0.1:3000/'])
      expect(await cairn({}, 'status', '--url', address)).toEqual({
        code: 2,
        out: '',
        err: `cairn: The address ${address} has no scheme: add http:// or https://\n`,
      })
    expect(await cairn({}, 'status', '--url', 'ftp://localhost')).toMatchObject({ code: 2 })
  })
})
