import type { UsageRange } from '@cairn/client'
import { operations } from '@cairn/contracts/api/operations'
import { eventually } from '@cairn/testing/eventually'
import { describe, expect, it } from 'vitest'
import { createNamespace, freshName, removeNamespace, search, settled, upload, useTarget } from '../story.ts'

const story = useTarget()

type By = NonNullable<UsageRange['by']>
/** Reads counts as the operator, which does not count as a request of the account. */
const readAs = (accountId: string, by: By) => story.admin.sdk.admin.accounts.usage(accountId, { by })

/** Polls the usage of an account for up to 10 s until at least this number of requests is counted. */
const counted = (accountId: string, by: By, requests: number) =>
  eventually(
    () => readAs(accountId, by),
    ({ total }) => total.requests >= requests,
    { withinMs: 10_000, everyMs: 50 },
  )

/**
 * Polls the usage by namespace for up to 10 s until at least this number of requests is counted; a request is counted
 * after it has ended.
 */
const countedIn = (accountId: string, requests: number) =>
  eventually(
    () => readAs(accountId, 'namespace'),
    ({ rows }) => rows.reduce((sum, row) => sum + row.requests, 0) >= requests,
    { withinMs: 10_000, everyMs: 50 },
  )

const text = 'A document that is long enough.'

describe('usage', () => {
  it('is exact by day, by key and by namespace for requests of two keys in two namespaces', async () => {
    const { accountId, keyId, api } = await story.member({ tier: 'community' })
    const reader = await story.key(accountId, { scopes: ['read'] })
    const startedOn = new Date().toISOString().slice(0, 10)
    let sent = 0
    /** Counts a request of the first key, whatever its outcome. */
    const first = async <T>(request: Promise<T>): Promise<T> => {
      sent += 1
      return request
    }
    const [one, two] = [await first(createNamespace(api)), await first(createNamespace(api))]
    await first(upload(api, one, [{ id: 'a', text }]))
    await first(upload(api, two, [{ id: 'b', text }]))
    await first(upload(api, two, [{ id: 'c', text }]))
    // Each search succeeds in every named namespace and counts as one request.
    await search(reader.api, [one, two], 'document')
    await search(reader.api, [two, one, two], 'document')
    await search(reader.api, [one], 'document')
    // Requests that are rejected or fail do not count for a namespace.
    const params = { namespace_name: one }
    await reader.api.call(operations.uploadDocuments, { params, body: {} }, 403)
    await first(api.call(operations.uploadDocuments, { params, body: { documents: [] } }, 400))
    const missing = freshName()
    await first(api.call(operations.getNamespace, { params: { namespace_name: missing } }, 404))
    await first(api.call(operations.search, { body: { query: 'x', namespaces: [one, missing] } }, 404))
    await first(api.call(operations.listNamespaces, {}, 200))

    // The upload that the key does not permit is rejected before it is counted.
    const read = 3
    const all = sent + read
    const days = await counted(accountId, 'day', all)
    expect(days.total).toEqual({ requests: all, credits: all })
    expect(days.requests).toEqual({ used: all, limit: 100_000 })
    expect(days.rows).toHaveLength(30)
    // The test may run across midnight.
    const used = days.rows.filter(({ requests }) => requests > 0)
    expect(used.reduce((sum, { requests }) => sum + requests, 0)).toBe(all)
    expect(used[0]?.day).toBe(startedOn)

    expect((await readAs(accountId, 'key')).rows).toEqual([
      { key_id: keyId, key_name: 'e2e', requests: sent, credits: sent },
      { key_id: reader.keyId, key_name: 'e2e', requests: read, credits: read },
    ])
    const namespaces = await countedIn(accountId, 10)
    expect(Object.fromEntries(namespaces.rows.map((row) => [row.namespace_name, row.requests]))).toEqual({
      [one]: 1 + 1 + 3,
      [two]: 1 + 2 + 2,
    })
    expect(namespaces.total).toEqual(days.total)
    expect(namespaces.other).toEqual({ requests: 0, credits: 0 })
  })

  it('is read by any key of the account that may read, and counts its own reads', async () => {
    const { accountId, name } = await story.room()
    const reader = await story.key(accountId, { scopes: ['read'] })
    const writer = await story.key(accountId, { scopes: ['write'] })
    await countedIn(accountId, 1)
    expect(await reader.api.sdk.usage({ by: 'namespace' })).toMatchObject({
      requests: { limit: null },
      rows: [{ namespace_name: name, requests: 1 }],
    })
    expect((await counted(accountId, 'day', 2)).total.requests).toBe(2)
    await writer.api.call(operations.getOwnUsage, {}, 403)
  })

  it('keeps the counts of a namespace that was deleted, under its name', async () => {
    const { accountId, api, name } = await story.room()
    const { upload_id: id } = await upload(api, name, [{ id: 'a', text }])
    await settled(api, name, id)
    await removeNamespace(api, name)
    const { rows } = await countedIn(accountId, 4)
    expect(rows).toMatchObject([{ namespace_name: name }])
  })

  it('says what is wrong with a query', async () => {
    const { api, accountId } = await story.member()
    const says = async (query: Readonly<Record<string, string>>) =>
      (await api.call(operations.getOwnUsage, { query }, 400)).body.message
    expect(await says({ from: 'yesterday' })).toBe('from must be a day such as 2026-01-31 (given: "yesterday")')
    expect(await says({ to: '2026-02-29' })).toMatch(/^to must be a day/)
    expect(await says({ by: 'hour' })).toMatch(/^by must be day, namespace or key/)
    expect(await says({ from: '2026-01-02', to: '2026-01-01' })).toMatch(/^from must not be after to/)
    expect(await says({ from: '2025-01-01', to: '2026-02-05' })).toMatch(/^from must be at most 399 days before to/)
    expect((await api.sdk.usage({ from: '2025-01-01', to: '2026-02-04' })).rows).toHaveLength(400)
    const params = { account_id: accountId }
    await story.admin.call(operations.getUsage, { params, query: { by: 'hour' } }, 400)
  })
})
