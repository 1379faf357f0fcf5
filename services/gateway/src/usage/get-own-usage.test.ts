import { operations } from '@cairn/contracts/api/operations'
import { usageView } from '@cairn/contracts/http/admin'
import { ownUsageView } from '@cairn/contracts/http/usage'
import { limits } from '@cairn/contracts/limits'
import type { DailyTally } from '@cairn/domain/accounts/daily-usage'
import { defaultTiers } from '@cairn/domain/accounts/tiers'
import { createScene, mint } from '@cairn/domain/protocol/scene.fixture'
import type { ApiRequest } from '@cairn/runtime/http/api-request'
import { guardedRequest } from '@cairn/testing/guarded-request'
import { createManualClock } from '@cairn/testing/manual-clock'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it } from 'vitest'
import { getUsage } from '../admin/accounts.ts'
import type { Caller } from '../call.ts'
import { otherName } from '../daily-tallies.ts'
import type { GatewayPorts } from '../deps.ts'
import { getOwnUsage } from './get-own-usage.ts'

const at = Date.UTC(2026, 2, 15, 12)

const setUp = async () => {
  const { clock } = createManualClock(at)
  const store = stepwiseStore({ now: clock.monotonic })
  const { account, accountId } = await createScene(store)
  const deps = { store, clock, tiers: defaultTiers } as unknown as GatewayPorts
  const ask = async (query: Readonly<Record<string, unknown>> = {}) => {
    const request = { caller: { account: await account(), key: {} }, sentQuery: query } as unknown as ApiRequest<Caller>
    const { body } = await getOwnUsage(deps).handle(request)
    return ownUsageView.parse(body)
  }
  const add = (...tallies: readonly Partial<DailyTally>[]) =>
    store.dailyUsage.add(
      tallies.map((tally) => ({
        accountId,
        kind: 'key' as const,
        day: '2026-03-15',
        name: 'a',
        requests: 1,
        credits: 1,
        ...tally,
      })),
    )
  return { deps, store, accountId, ask, add }
}

it('has a row for each of the last 30 days, with the use and the limit of the period', async () => {
  const { ask, add, store, accountId } = await setUp()
  await store.usage.add([{ accountId, period: '2026-03', requests: 7, credits: 9 }])
  await add(
    { day: '2026-02-13', requests: 100 },
    { day: '2026-02-14', requests: 2, credits: 3 },
    { requests: 4 },
    { name: 'b', requests: 5, credits: 8 },
    { kind: 'namespace', name: 'notes', requests: 9 },
  )
  const usage = await ask()
  expect(usage).toMatchObject({
    period: '2026-03',
    requests: { used: 7, limit: 100_000 },
    credits: { used: 9 },
    from: '2026-02-14',
    to: '2026-03-15',
    by: 'day',
    other: { requests: 0, credits: 0 },
    total: { requests: 11, credits: 12 },
  })
  expect(usage.rows).toHaveLength(30)
  expect(usage.rows.filter(({ requests }) => requests > 0)).toEqual([
    { day: '2026-02-14', requests: 2, credits: 3 },
    { day: '2026-03-15', requests: 9, credits: 9 },
  ])
  expect(usage.rows[15]).toEqual({ day: '2026-03-01', requests: 0, credits: 0 })
})

it('has a row for each namespace, most requests first; the total counts each request once', async () => {
  const { ask, add } = await setUp()
  await add(
    { requests: 6 },
    { kind: 'namespace', name: 'notes', requests: 3 },
    { kind: 'namespace', name: 'guides', day: '2026-03-14', requests: 5 },
    { kind: 'namespace', name: 'area', requests: 3 },
    { kind: 'namespace', name: otherName, requests: 50, credits: 60 },
  )
  await add({ kind: 'namespace', name: 'guides', requests: 1, credits: 0 })
  expect(await ask({ by: 'namespace', from: '2026-03-14' })).toMatchObject({
    rows: [
      { namespace_name: 'guides', requests: 6, credits: 1 },
      { namespace_name: 'area', requests: 3, credits: 1 },
      { namespace_name: 'notes', requests: 3, credits: 1 },
    ],
    other: { requests: 50, credits: 60 },
    total: { requests: 6, credits: 1 },
  })
})

it('has a row for each key with its name', async () => {
  const { ask, add, store, accountId } = await setUp()
  const id = mint('key')
  await store.keys.insert({
    id,
    accountId,
    name: 'ingest',
    hmac: '',
    scopes: ['read'],
    state: 'revoked',
    expiresAt: null,
    lastUsedAt: null,
    createdAt: at,
  })
  await add({ name: id, requests: 2 }, { name: 'unknown' })
  expect((await ask({ by: 'key' })).rows).toEqual([
    { key_id: id, key_name: 'ingest', requests: 2, credits: 1 },
    { key_id: 'unknown', key_name: '', requests: 1, credits: 1 },
  ])
})

it('returns a thousand rows at most, and the sum of the rest', async () => {
  const { ask, add } = await setUp()
  const rows = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => ({ name: `k${String(from + index).padStart(4, '0')}`, requests: 2 }))
  await add(...rows(limits.usageRows))
  expect(await ask({ by: 'key' })).toMatchObject({ other: { requests: 0 }, total: { requests: 2_000 } })
  await add({ name: 'z', requests: 1, credits: 7 })
  const usage = await ask({ by: 'key' })
  expect(usage.rows).toHaveLength(limits.usageRows)
  expect(usage).toMatchObject({ other: { requests: 1, credits: 7 }, total: { requests: 2_001 } })
})

it('reads from the first day to the last, up to 400 of them', async () => {
  const { ask, add } = await setUp()
  await add({ day: '2025-02-09' }, { day: '2025-02-08' })
  expect(limits.usageDays).toBe(400)
  const full = await ask({ from: '2025-02-09' })
  expect(full.rows).toHaveLength(400)
  expect(full).toMatchObject({ rows: expect.arrayContaining([{ day: '2025-02-09', requests: 1, credits: 1 }]) })
  expect((await ask({ from: '2025-02-10' })).rows).toHaveLength(399)
  await expect(ask({ from: '2025-02-08' })).rejects.toMatchObject({
    code: 'invalid',
    message: 'from must be at most 399 days before to (from 2025-02-08, to 2026-03-15)',
  })
  expect((await ask({ from: '2026-03-15', to: '2026-03-15' })).rows).toMatchObject([{ day: '2026-03-15' }])
  expect((await ask({ to: '2024-02-29' })).from).toBe('2024-01-31')
  expect((await ask({ to: '1000-01-01' })).from).toBe('0999-12-03')
  expect((await ask({ from: '2026-03-16', to: '2026-03-17' })).rows).toHaveLength(2)
})

it.each([
  [{ from: '2026-03-16' }, 'from must not be after to (from 2026-03-16, to 2026-03-15)'],
  [{ from: '2026-02-29' }, 'from must be a day such as 2026-01-31 (given: "2026-02-29")'],
  [{ to: '2026-3-1' }, 'to must be a day such as 2026-01-31 (given: "2026-3-1")'],
  [{ to: '2026-03-15T00:00:00Z' }, 'to must be a day such as 2026-01-31 (given: "2026-03-15T00:00:00Z")'],
  [{ to: '' }, 'to must be a day such as 2026-01-31 (given: "")'],
  [{ from: ['2026-03-01', '2026-03-02'] }, 'from must be a day such as 2026-01-31 (given: an array of 2)'],
  [{ by: 'month' }, 'by must be day, namespace or key (given: "month")'],
])('refuses %j', async (query, message) => {
  const { ask } = await setUp()
  await expect(ask(query)).rejects.toMatchObject({ code: 'invalid', message })
})

it("reads nothing of another account's, and the operator reads any account in the same form", async () => {
  const { deps, ask, add, store } = await setUp()
  const other = await createScene(store)
  await add({ accountId: other.accountId, kind: 'namespace', name: 'secret' }, { accountId: other.accountId })
  for (const by of ['day', 'namespace', 'key'])
    expect(await ask({ by })).toMatchObject({ total: { requests: 0, credits: 0 }, other: { requests: 0 } })
  expect((await ask({ by: 'namespace' })).rows).toEqual([])
  const byOperator = async (accountId: string, query: Readonly<Record<string, string>>) => {
    const request = guardedRequest<Caller>(operations.getUsage, {}, 'admin')
    return getUsage(deps).handle({
      ...request,
      params: { account_id: accountId },
      sentQuery: query,
    } as unknown as ApiRequest<Caller>)
  }
  const { body } = await byOperator(other.accountId, { by: 'namespace' })
  expect(usageView.parse(body)).toMatchObject({
    account_id: other.accountId,
    by: 'namespace',
    rows: [{ namespace_name: 'secret', requests: 1 }],
    total: { requests: 1 },
  })
  await expect(byOperator('acc_nobody', {})).rejects.toMatchObject({ code: 'notFound' })
  await expect(byOperator(other.accountId, { by: 'month' })).rejects.toMatchObject({ code: 'invalid' })
})

it('lets other requests run between its pages', async () => {
  const { ask, add } = await setUp()
  const names = Array.from({ length: 2_000 }, (_, index) => `ns-${index}`)
  await add(...names.map((name) => ({ kind: 'namespace' as const, name })))
  let turns = 0
  const turn = () => {
    turns += 1
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  const usage = await ask({ by: 'namespace' })
  clearImmediate(next)
  expect(usage.other.requests).toBe(1_000)
  expect(turns).toBeGreaterThanOrEqual(2)
})
