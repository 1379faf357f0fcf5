import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { generateApiKey, parseApiKey } from '@cairn/runtime/http/api-key'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { describe, expect, it } from 'vitest'
import { cairn } from './run.fixture.ts'
import { type Reply, serve } from './serve.fixture.ts'

const account = {
  account_id: 'acc-1',
  name: 'Acme',
  tier: 'professional',
  status: 'active',
  subscription_ends_at: null,
  namespaces: 2,
  documents: 30,
  vectors: 0,
  created_at: '2026-03-01T12:00:00.000Z',
}
const key = {
  key_id: 'abcdefghjkmn',
  account_id: 'acc-1',
  name: 'ingest',
  scopes: ['read', 'write'],
  state: 'active',
  expires_at: null,
  last_used_at: null,
  created_at: '2026-03-01T12:00:00.000Z',
}
const usage = {
  account_id: 'acc-1',
  tier: 'community',
  period: '2026-03',
  requests: { used: 1234, limit: 100_000 },
  credits: { used: 1234 },
  namespaces: { used: 1, limit: 10 },
  documents: { used: 7, limit: null },
  vectors: { used: 0, limit: null },
  bytes: { used: 0, reserved: 0, limit: null },
  open_uploads: { used: 0, limit: null },
  from: '2026-02-14',
  to: '2026-03-15',
  by: 'day',
  rows: [
    { day: '2026-02-14', requests: 0, credits: 0 },
    { day: '2026-03-15', requests: 5678, credits: 5679 },
  ],
  other: { requests: 0, credits: 0 },
  total: { requests: 5678, credits: 5679 },
}

/** Commands, each with the request that it sends, the response, and a part of its output. */
const calls: readonly {
  readonly args: readonly string[]
  readonly asks: { readonly method: string; readonly url: string; readonly body?: unknown }
  readonly reply: Reply
  readonly prints: string
}[] = [
  {
    args: ['accounts', 'create', 'Acme', '--tier', 'professional'],
    asks: { method: 'POST', url: '/admin/v1/accounts', body: { name: 'Acme', tier: 'professional' } },
    reply: { status: 201, body: account },
    prints: 'acc-1',
  },
  {
    args: ['accounts', 'list'],
    asks: { method: 'GET', url: '/admin/v1/accounts' },
    reply: { status: 200, body: { accounts: [account] } },
    prints: 'ACCOUNT ID',
  },
  {
    args: ['accounts', 'update', 'acc-1', '--subscription-ends', 'never'],
    asks: { method: 'PATCH', url: '/admin/v1/accounts/acc-1', body: { subscription_ends_at: null } },
    reply: { status: 200, body: account },
    prints: 'never',
  },
  {
    args: [
      'keys',
      'create',
      'acc-1',
      '--name',
      'ingest',
      '--scopes',
      'read, write',
      '--expires',
      '2027-01-31T00:00:00Z',
    ],
    asks: {
      method: 'POST',
      url: '/admin/v1/accounts/acc-1/keys',
      body: { name: 'ingest', scopes: ['read', 'write'], expires_at: '2027-01-31T00:00:00Z' },
    },
    reply: { status: 201, body: { ...key, api_key: 'cairn_made_here' } },
    prints: 'cairn_made_here',
  },
  {
    args: ['keys', 'list', 'acc-1'],
    asks: { method: 'GET', url: '/admin/v1/accounts/acc-1/keys' },
    reply: { status: 200, body: { keys: [key] } },
    prints: 'read,write',
  },
  ...(
    [
      ['activate', 'active'],
      ['deactivate', 'inactive'],
      ['disable', 'disabled'],
      ['enable', 'active'],
      ['revoke', 'revoked'],
    ] as const
  ).map(([verb, state]) => ({
    args: ['keys', verb, 'abcdefghjkmn', ...(verb === 'revoke' ? ['--yes'] : [])],
    asks: { method: 'PATCH', url: '/admin/v1/keys/abcdefghjkmn', body: { state } },
    reply: { status: 200, body: { ...key, state } },
    prints: state,
  })),
  {
    args: ['usage', 'acc-1'],
    asks: { method: 'GET', url: '/admin/v1/accounts/acc-1/usage' },
    reply: { status: 200, body: usage },
    prints: '100,000',
  },
  {
    args: ['usage', 'acc-1', '--by', 'key', '--from', '2026-02-14', '--to', '2026-03-15'],
    asks: { method: 'GET', url: '/admin/v1/accounts/acc-1/usage?by=key&from=2026-02-14&to=2026-03-15' },
    reply: {
      status: 200,
      body: {
        ...usage,
        by: 'key',
        rows: [{ key_id: 'abcdefghjkmn', key_name: 'ingest', requests: 4000, credits: 1 }],
        other: { requests: 1678, credits: 0 },
      },
    },
    prints: 'others: 1,678 requests\n2026-02-14 to 2026-03-15: 5,678 requests, 5,679 credits\n',
  },
]

describe('the command', () => {
  it.each(calls)('asks the admin API and prints the answer: cairn $args', async ({ args, asks, reply, prints }) => {
    const { url, seen } = await serve(reply)
    const env = { CAIRN_URL: url, CAIRN_ADMIN_KEY: 'the admin key' }
    const readable = await cairn(env, ...args)
    const json = await cairn(env, ...args, '--json')
    const [line = '', ...more] = readable.err.split('\n')
    expect({ code: readable.code, more }).toEqual({ code: 0, more: line === '' ? [] : [''] })
    // What writes says to where, before it does.
    const writes = asks.method !== 'GET'
    expect(/^(This will .+ on|.+ →) http.+ \(CAIRN_URL\)\.?$/.test(line)).toBe(writes)
    expect(readable.out).toContain(prints)
    expect(JSON.parse(json.out)).toEqual(reply.body)
    expect(seen).toEqual([
      { body: undefined, apiKey: undefined, ...asks, adminKey: 'the admin key' },
      { body: undefined, apiKey: undefined, ...asks, adminKey: 'the admin key' },
    ])
  })

  it.each([
    ['there is no command', ['nonsense']],
    ['a word is missing after the first', ['keys']],
    ['an argument is missing', ['keys', 'list']],
    ['there is an argument too many', ['accounts', 'list', 'all']],
    ['an option is missing', ['keys', 'create', 'acc-1']],
    ['an option is unknown', ['accounts', 'list', '--colour']],
    ['an option lacks its value', ['accounts', 'create', 'Acme', '--tier']],
    ['nothing is to be changed', ['accounts', 'update', 'acc-1']],
    ['the address is none', ['accounts', 'list', '--url', 'localhost:3000']],
    ['the address has a password', ['accounts', 'list', '--url', 'http://a:b@localhost']],
    ['an id could make another path', ['usage', '..']],
    ['a number is none', ['orphans', 'list', '--limit', 'many']],
    ['a key is given that is none', ['keys', 'revoke', 'cairn_abc_def']],
    ['the evaluation is given other texts', ['demo', '.', '--evaluate']],
    ['the folder is not there', ['demo', 'no-such-folder']],
  ])('ends with 2 and one sentence when %s', async (_, args) => {
    const { code, out, err } = await cairn({ CAIRN_ADMIN_KEY: 'k', CAIRN_API_KEY: 'k' }, ...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^cairn: [^\n]+\n$/)
  })

  it('says where nothing listens, and ends with 5', async () => {
    const { url } = await serve({ status: 200 })
    const closed = createServer()
    await once(closed.listen(0, '127.0.0.1'), 'listening')
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const env = { CAIRN_ADMIN_KEY: 'k', CAIRN_URL: url }
    const { code, err } = await cairn(env, 'accounts', 'list', '--url', `http://127.0.0.1:${port}`)
    expect(code).toBe(5)
    const nobody = `cairn: No server answers at http://127.0.0.1:${port} (ECONNREFUSED)`
    const remedy = ': start the server, or set its address by CAIRN_URL or --url\n'
    expect(err).toBe(nobody + remedy)
    const dataDir = temporaryDirectory()
    writeFileSync(join(dataDir, 'address'), `http://127.0.0.1:${port}\n`)
    writeFileSync(join(dataDir, 'admin-key'), 'k')
    const written = await cairn({ CAIRN_DATA_DIR: dataDir }, 'accounts', 'list')
    expect(written.err).toBe(`${nobody} (the address in ${join(dataDir, 'address')})${remedy}`)
  })

  it('finds the server by the address in its data directory, where none is given', async () => {
    const dataDir = temporaryDirectory()
    const [written, given] = [
      await serve({ status: 200, body: { accounts: [] } }),
      await serve({ status: 200, body: { accounts: [] } }),
    ]
    writeFileSync(join(dataDir, 'address'), `${written.url}\n`)
    writeFileSync(join(dataDir, 'admin-key'), 'k')
    const env = { CAIRN_ADMIN_KEY: 'k', CAIRN_DATA_DIR: dataDir }
    expect(await cairn(env, 'accounts', 'list')).toMatchObject({ code: 0 })
    expect(await cairn({ ...env, CAIRN_URL: given.url }, 'accounts', 'list')).toMatchObject({ code: 0 })
    expect(await cairn(env, 'accounts', 'list', '--url', given.url)).toMatchObject({ code: 0 })
    expect([written.seen.length, given.seen.length]).toEqual([1, 2])
  })

  it('says when what answers is not Cairn, or sends it elsewhere with the key', async () => {
    const page = await serve({ status: 200 })
    expect(await cairn({ CAIRN_ADMIN_KEY: 'k' }, 'accounts', 'list', '--url', page.url)).toMatchObject({
      code: 1,
      err: `cairn: The server at ${page.url} did not answer with JSON\n`,
    })
    const other = await serve({ status: 200, body: { accounts: [] } })
    const moved = await serve({ status: 307, headers: { location: `${other.url}/admin/v1/accounts` } })
    expect(await cairn({ CAIRN_ADMIN_KEY: 'k' }, 'accounts', 'list', '--url', moved.url)).toMatchObject({ code: 1 })
    expect(other.seen).toEqual([])
  })

  it.each([
    { args: ['accounts', 'list'], body: {} },
    { args: ['keys', 'list', 'acc-1'], body: null },
    { args: ['usage', 'acc-1'], body: [] },
    { args: ['usage'], body: { requests: 1 } },
    { args: ['orphans', 'list'], body: 'text' },
    { args: ['ns', 'list'], body: { namespaces: 1 } },
    { args: ['search', 'cairns', '--in', 'notes'], body: { results: [{}] } },
    { args: ['status'], body: {} },
  ])('says in one sentence that it does not understand $body as the answer to $args', async ({ args, body }) => {
    const { url } = await serve({ status: 200, body })
    expect(await cairn({ CAIRN_ADMIN_KEY: 'k', CAIRN_API_KEY: 'k' }, ...args, '--url', url)).toEqual({
      code: 1,
      out: expect.any(String),
      err: `cairn: The server at ${url} sent a response that this command does not understand: is it Cairn, of the same version?\n`,
    })
  })

  it('takes the admin key from its variable, the file that one names, or the data directory', async () => {
    const { url, seen } = await serve({ status: 200, body: { accounts: [] } })
    const dataDir = temporaryDirectory()
    const file = join(dataDir, 'elsewhere')
    writeFileSync(file, 'from a file\n')
    writeFileSync(join(dataDir, 'admin-key'), 'from the data directory\n')
    writeFileSync(join(dataDir, 'address'), `${url}\n`)
    const base = { CAIRN_URL: url, CAIRN_DATA_DIR: dataDir }
    await cairn(base, 'accounts', 'list')
    await cairn({ ...base, CAIRN_ADMIN_KEY_FILE: file }, 'accounts', 'list')
    await cairn({ ...base, CAIRN_ADMIN_KEY: 'from the variable' }, 'accounts', 'list')
    expect(seen.map(({ adminKey }) => adminKey)).toEqual([
      'from the data directory',
      'from a file',
      'from the variable',
    ])
    expect(
      await cairn({ ...base, CAIRN_ADMIN_KEY: 'a', CAIRN_ADMIN_KEY_FILE: file }, 'accounts', 'list'),
    ).toMatchObject({ code: 2 })
    expect(await cairn({ CAIRN_URL: url, CAIRN_DATA_DIR: join(dataDir, 'none') }, 'accounts', 'list')).toMatchObject({
      code: 3,
    })
    expect(seen).toHaveLength(3)
  })

  it('generates a well-formed key without a server', async () => {
    const { code, out } = await cairn({ CAIRN_URL: 'http://127.0.0.1:1' }, 'keys', 'generate')
    expect(code).toBe(0)
    expect(parseApiKey(out.trim())).toBeDefined()
    const json: unknown = JSON.parse((await cairn({}, 'keys', 'generate', '--json')).out)
    expect(json).toEqual({ key_id: expect.stringMatching(/^\w{12}$/), api_key: expect.stringMatching(/^cairn_/) })
  })

  it('sends the id of a key, never the key it was given', async () => {
    const { url, seen } = await serve({ status: 200, body: { ...key, state: 'revoked' } })
    const { apiKey, keyId } = generateApiKey()
    expect(await cairn({ CAIRN_ADMIN_KEY: 'k', CAIRN_URL: url }, 'keys', 'revoke', apiKey, '--yes')).toMatchObject({
      code: 0,
    })
    expect(seen.map((request) => request.url)).toEqual([`/admin/v1/keys/${keyId}`])
  })

  it('passes no orders of others on to the terminal', async () => {
    const { url } = await serve({ status: 200, body: { accounts: [{ ...account, name: 'a\u001b[2Jb\nc' }] } })
    const { out } = await cairn({ CAIRN_ADMIN_KEY: 'k', CAIRN_URL: url }, 'accounts', 'list')
    expect(out).toContain('a\\u001b[2Jb c')
    expect(out).not.toContain('\u001b')
  })

  it('says that nothing listens before the demo begins, and how to go on', async () => {
    const folder = temporaryDirectory()
    mkdirSync(join(folder, 'inner'))
    writeFileSync(join(folder, 'inner', 'a.txt'), 'a text of more than ten characters')
    const { code, out, err } = await cairn({ CAIRN_API_KEY: 'k', CAIRN_URL: 'http://127.0.0.1:1' }, 'demo', folder)
    expect({ code, out }).toEqual({ code: 5, out: '' })
    expect(err).toContain('--start')
  })
})

describe('texts of a server', () => {
  it('are shown with escapes for control characters and changes of direction, also as JSON', async () => {
    const hostile = '\u001b]0;title\u0007\u009b2J\u007fdone \u202a\u202e.exe\u202c \u2066a\u2069'
    const { url } = await serve({ status: 201, body: { message: hostile, namespace_name: hostile } })
    const env = { CAIRN_URL: url, CAIRN_API_KEY: 'key' }
    const plain = await cairn(env, 'ns', 'create', 'notes')
    const shown = '\\u001b]0;title\\u0007\\u009b2J\\u007fdone \\u202a\\u202e.exe\\u202c \\u2066a\\u2069\n'
    expect(plain).toEqual({ code: 0, out: shown, err: '' })
    const json = await cairn(env, 'ns', 'create', 'notes', '--json')
    expect(json.out).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u)
    expect(JSON.parse(json.out)).toMatchObject({ message: hostile })
  })
})
