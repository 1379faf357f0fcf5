import { operations } from '@cairn/contracts/api/operations'
import { defaultTiers, tierOf } from '@cairn/domain/accounts/tiers'
import { createScene } from '@cairn/domain/protocol/scene.fixture'
import { createLogger } from '@cairn/runtime/process/logger'
import { guardedRequest } from '@cairn/testing/guarded-request'
import { createManualClock } from '@cairn/testing/manual-clock'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it } from 'vitest'
import type { Caller } from '../call.ts'
import { callerOf } from '../gate.fixture.ts'
import { UsageMeter } from '../usage-meter.ts'
import { countUsage } from './count-usage.ts'

const at = Date.UTC(2026, 1, 28, 23, 0, 0)

const setUp = async (requests: number | null) => {
  const { clock } = createManualClock(at)
  const store = stepwiseStore({ now: clock.monotonic })
  const { account, accountId } = await createScene(store)
  const meter = new UsageMeter({ store, clock, log: createLogger({ level: 'silent', name: 'test' }) })
  const tiers = { community: { ...tierOf(defaultTiers, 'enterprise'), requests } }
  const guard = countUsage({ meter, tiers, clock })
  const caller: Caller = callerOf(await account())
  const call = async (by: Caller | undefined = caller) => {
    const request = guardedRequest<Caller>(operations.search, {}, by)
    await guard(request)
    return request.sent
  }
  const refused = async () => {
    const request = guardedRequest<Caller>(operations.search, {}, caller)
    const error = await Promise.resolve(guard(request)).catch((reason: unknown) => reason)
    return { error, sent: request.sent }
  }
  return { store, accountId, call, refused, meter }
}

it('tells the limit of the month and what is left of it, on every answer', async () => {
  const { call } = await setUp(3)
  expect(await call()).toEqual({ 'RateLimit-Policy': '"requests";q=3;w=2419200', RateLimit: '"requests";r=2;t=3600' })
  expect((await call())['RateLimit']).toBe('"requests";r=1;t=3600')
})

it('refuses at the limit with what was used, when it goes on, and a pause that a client can sleep through', async () => {
  const { call, refused } = await setUp(2)
  await call()
  await call()
  const { error, sent } = await refused()
  expect(error).toMatchObject({ code: 'limited', retryAfterSeconds: 5, body: { current_usage: 2, limit: 2 } })
  expect(sent['RateLimit']).toBe('"requests";r=0;t=3600')
})

it('counts, and says nothing, where there is no limit', async () => {
  const { call, meter, store, accountId } = await setUp(null)
  expect(await call()).toEqual({})
  await meter.flush()
  expect(await store.usage.get(accountId, '2026-02')).toMatchObject({ requests: 1, credits: 1 })
})

it('does not count the operator', async () => {
  const { call, meter, store, accountId } = await setUp(1)
  expect(await call('admin')).toEqual({})
  await meter.flush()
  expect(await store.usage.get(accountId, '2026-02')).toBeUndefined()
})

it('refuses an account whose tier the operator has left out, and says so', async () => {
  const { clock } = createManualClock(at)
  const store = stepwiseStore({ now: clock.monotonic })
  const { account } = await createScene(store)
  const meter = new UsageMeter({ store, clock, log: createLogger({ level: 'silent', name: 'test' }) })
  const guard = countUsage({ meter, tiers: {}, clock })
  const request = guardedRequest<Caller>(operations.search, {}, callerOf(await account()))
  await expect(guard(request)).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringMatching(/"community".*not defined/),
  })
})
