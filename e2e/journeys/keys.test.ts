import { operations } from '@cairn/contracts/api/operations'
import { describe, expect, it } from 'vitest'
import { freshName, listed, useTarget } from '../story.ts'

const story = useTarget()

const state = (keyId: string, wanted: string) => ({ params: { key_id: keyId }, body: { state: wanted } })

/** Returns the key with its last character but one, which belongs to the checksum, changed. */
const mistyped = (apiKey: string) => apiKey.slice(0, -2) + (apiKey.at(-2) === '0' ? '1' : '0') + apiKey.at(-1)

describe('keys', () => {
  it('are shown once, listed without their secret, and work at once', async () => {
    const member = await story.member()
    expect(member.apiKey).toMatch(/^cairn_[0-9a-z]{12}_[0-9a-z]{38}$/)
    expect(await listed(member.api)).toEqual([])
    const all = await story.admin.call(operations.listKeys, { params: { account_id: member.accountId } }, 200)
    expect(all.body.keys).toMatchObject([
      { key_id: member.keyId, state: 'active', scopes: ['read', 'write', 'admin'], expires_at: null },
    ])
    expect(JSON.stringify(all.body)).not.toContain(member.apiKey.split('_')[2])
  })

  it('that are missing, unknown, mistyped or of another form are 401, each in its words', async () => {
    const { apiKey } = await story.member()
    const refusals: readonly (readonly [string | null, RegExp | string])[] = [
      [null, 'Unauthorized: API key is missing'],
      ['', 'Unauthorized: API key is missing'],
      [mistyped(apiKey), 'Unauthorized: Invalid API key'],
      ['sk_live_1234567890', 'Unauthorized: Invalid API key'],
      ['x'.repeat(10_000), 'Unauthorized: Invalid API key'],
      [`${apiKey}, ${apiKey}`, 'Unauthorized: Invalid API key'],
      [`${apiKey}x`, 'Unauthorized: Invalid API key'],
      [apiKey.toUpperCase(), 'Unauthorized: Invalid API key'],
    ]
    for (const [key, message] of refusals) {
      const refused = await story.visitor.with({ 'x-api-key': key }).call(operations.listNamespaces, {}, 401)
      expect(refused.body, String(key).slice(0, 80)).toMatchObject({ message, error: 'Unauthorized' })
    }
  })

  it('are found under any case of the header name, and nowhere else', async () => {
    const { apiKey } = await story.member()
    await story.visitor.with({ 'X-API-Key': apiKey }).call(operations.listNamespaces, {}, 200)
    await story.visitor.with({ authorization: `Bearer ${apiKey}` }).call(operations.listNamespaces, {}, 401)
    await story.visitor.call(operations.listNamespaces, { query: { 'x-api-key': apiKey, api_key: apiKey } }, 401)
    const body = { 'x-api-key': apiKey, api_key: apiKey, query: 'stones', namespaces: ['any'] }
    await story.visitor.call(operations.search, { body }, 401)
  })

  it('are refused by their state: inactive 403, disabled and revoked 401', async () => {
    const { accountId } = await story.member()
    const refusals = [
      ['inactive', 403, 'Forbidden'],
      ['disabled', 401, 'Unauthorized: API key is disabled'],
      ['revoked', 401, 'Unauthorized: Invalid API key'],
    ] as const
    for (const [wanted, status, message] of refusals) {
      const key = await story.key(accountId)
      const changed = await story.admin.call(operations.updateKey, state(key.keyId, wanted), 200)
      expect(changed.body.state).toBe(wanted)
      const refused = await key.api.any(operations.listNamespaces)
      expect(refused).toMatchObject({ status, body: { message } })
    }
    const expired = await story.key(accountId, { expires_at: new Date(Date.now() - 1_000).toISOString() })
    const refused = await expired.api.call(operations.listNamespaces, {}, 401)
    expect(refused.body.message).toBe('Unauthorized: Invalid API key')
    const later = await story.key(accountId, { expires_at: new Date(Date.now() + 3_600_000).toISOString() })
    expect(await listed(later.api)).toEqual([])
  })

  it('that are revoked stay so', async () => {
    const { keyId } = await story.member()
    await story.admin.call(operations.updateKey, state(keyId, 'revoked'), 200)
    const refused = await story.admin.call(operations.updateKey, state(keyId, 'active'), 409)
    expect(refused.body.message).toMatch(/revoked/i)
  })

  it('do what their scopes allow and no more', async () => {
    const { accountId, api, name, params } = await story.room()
    const documents = [{ id: 'a', text: 'A document that is long enough.' }]
    const calls = {
      read: [
        (key: typeof api) => key.any(operations.listNamespaces),
        (key: typeof api) => key.any(operations.getDocuments, { params, body: { ids: ['a'] } }),
        (key: typeof api) => key.any(operations.fetchTextData, { params }),
        (key: typeof api) => key.any(operations.search, { body: { query: 'document', namespaces: [name] } }),
      ],
      write: [
        (key: typeof api) =>
          key.any(operations.createNamespace, { body: { namespace_name: freshName(), type: 'text' } }),
        (key: typeof api) => key.any(operations.uploadDocuments, { params, body: { documents } }),
        (key: typeof api) => key.any(operations.deleteDocuments, { params, body: { ids: ['a'] } }),
      ],
      admin: [
        (key: typeof api) => key.any(operations.deleteNamespace, { params: { namespace_name: 'not-there' } }),
        (key: typeof api) => key.any(operations.startReindex, { params, body: { dry_run: true } }),
        (key: typeof api) => key.any(operations.endReindex, { params }),
      ],
    }
    const scopes = ['read', 'write', 'admin'] as const
    for (const scope of scopes) {
      const key = await story.key(accountId, { scopes: [scope] })
      for (const wanted of scopes) {
        for (const call of calls[wanted]) {
          const { status, body } = await call(key.api)
          if (scope === wanted) expect(status).not.toBe(403)
          else
            expect({ status, body }).toMatchObject({
              status: 403,
              body: { message: 'Forbidden: Insufficient permissions', error: 'Forbidden' },
            })
        }
      }
    }
  })

  it('of accounts open no door of the operator, nor the operator one of theirs', async () => {
    const { api, apiKey } = await story.member()
    await api.call(operations.listAccounts, {}, 401)
    await story.visitor.with({ 'x-admin-key': apiKey }).call(operations.listAccounts, {}, 401)
    await story.visitor.call(operations.listAccounts, {}, 401)
    await story.admin.call(operations.listNamespaces, {}, 401)
    await story.visitor.with({ 'x-api-key': story.target.adminKey }).call(operations.listNamespaces, {}, 401)
  })

  it('can be probed with a document nobody has: 404 says the key is good, 401 that it is not', async () => {
    const { api } = await story.member()
    const sent = { params: { namespace_name: 'not-there' }, body: { ids: ['1'] } }
    await api.call(operations.getDocuments, sent, 404)
    await story.visitor.with({ 'x-api-key': 'nonsense' }).call(operations.getDocuments, sent, 401)
    // The status is 401 even if the body is invalid, too.
    await story.visitor.with({ 'x-api-key': 'nonsense' }).call(operations.getDocuments, { ...sent, raw: '{' }, 401)
  })
})
