import { describe, expect, it } from 'vitest'
import { Cairn } from './index.ts'
import { failure, rejection, serve } from './serve.fixture.ts'

describe('the keys', () => {
  it('go where they are needed, and nowhere else', async () => {
    const { connect, seen } = await serve({ status: 200, body: { accounts: [], namespaces: [], dependencies: {} } })
    const cairn = connect({ apiKey: 'mine', adminKey: 'secret' })
    await cairn.admin.accounts.list()
    await cairn.namespaces.list()
    await cairn.readiness()
    await connect({ apiKey: undefined, adminKey: 'secret' }).admin.accounts.list()
    await connect({ apiKey: undefined }).readiness()
    expect(seen.map(({ line, headers }) => [line, headers['x-admin-key'], headers['x-api-key']])).toEqual([
      ['GET /admin/v1/accounts', 'secret', 'mine'],
      ['GET /v1/namespaces', undefined, 'mine'],
      ['GET /readyz', undefined, 'mine'],
      ['GET /admin/v1/accounts', 'secret', undefined],
      ['GET /readyz', undefined, undefined],
    ])
  })

  it.each(['line\n', 'ключ'])('are refused if no header can carry them: %j', (key) => {
    for (const options of [{ apiKey: key }, { adminKey: key }])
      expect(() => new Cairn(options)).toThrow(expect.objectContaining({ code: 'invalid' }))
  })
})

describe('readiness', () => {
  const body = { status: 'not_ready', dependencies: { embedder: { ok: false, detail: 'loading' } } }

  it('is what the server says, ready or not', async () => {
    const ready = { status: 'ready', dependencies: {} }
    const { connect, seen } = await serve({ status: 503, body }, { status: 200, body: ready })
    const cairn = connect()
    expect(await cairn.readiness()).toEqual(body)
    expect(await cairn.readiness()).toEqual(ready)
    expect(seen).toHaveLength(2)
  })

  it('fails when what answers 503 is not the server', async () => {
    const { connect } = await serve({ status: 503, body: failure('A proxy') }, { status: 503, body: 'down' })
    const cairn = connect()
    expect(await rejection(cairn.readiness())).toMatchObject({ code: 'unavailable', message: 'A proxy' })
    expect(await rejection(cairn.readiness())).toMatchObject({ code: 'unavailable' })
  })
})

describe('what the operator does', () => {
  it('is sent by the names of the API', async () => {
    const { connect, seen } = await serve({ status: 200, body: { accounts: [], keys: [], approved: 0 } })
    const { accounts, keys, orphans } = connect({ adminKey: 'secret' }).admin
    await accounts.create('Acme', 'starter')
    await accounts.update('acc/1', { subscription_ends_at: null })
    await accounts.usage('acc-1', { by: 'key', from: '2026-03-01' })
    await keys.create('acc-1', { name: 'ingest', scopes: ['read'] })
    await keys.list('acc-1')
    await keys.setState('k-1', 'revoked')
    await orphans.list({ limit: 50, after: 'a 1' })
    await orphans.approve(['a', 'b'])
    expect(seen.map(({ line, body }) => `${line} ${body}`.trimEnd())).toEqual([
      'POST /admin/v1/accounts {"name":"Acme","tier":"starter"}',
      'PATCH /admin/v1/accounts/acc%2F1 {"subscription_ends_at":null}',
      'GET /admin/v1/accounts/acc-1/usage?by=key&from=2026-03-01',
      'POST /admin/v1/accounts/acc-1/keys {"name":"ingest","scopes":["read"]}',
      'GET /admin/v1/accounts/acc-1/keys',
      'PATCH /admin/v1/keys/k-1 {"state":"revoked"}',
      'GET /admin/v1/orphans?limit=50&after=a%201',
      'POST /admin/v1/orphans/approve {"keys":["a","b"]}',
    ])
  })
})
