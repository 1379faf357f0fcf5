import { createScene, mint, wallAt } from '@cairn/domain/protocol/scene.fixture'
import { createLogger } from '@cairn/runtime/process/logger'
import { failOnce, withFaults } from '@cairn/testing/faults'
import { createManualClock } from '@cairn/testing/manual-clock'
import { letRun, passTime } from '@cairn/testing/pass-time'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it } from 'vitest'
import { periodOf, UsageMeter } from './usage-meter.ts'

const log = createLogger({ level: 'silent', name: 'test' })
const period = periodOf(wallAt)
const by = (accountId: string, keyId = 'key') => ({ accountId, keyId })

const setUp = async (at = wallAt) => {
  const manual = createManualClock(at)
  const store = stepwiseStore({ now: manual.clock.monotonic })
  const { accountId } = await createScene(store)
  const meter = (over = store) => new UsageMeter({ store: over, clock: manual.clock, log })
  const stored = async (of = period) => (await store.usage.get(accountId, of))?.requests ?? 0
  return { manual, store, accountId, meter, stored }
}

const times = async (count: number, call: () => Promise<unknown>) => {
  for (let index = 0; index < count; index += 1) await call()
}

it('tallies calls in memory and writes them each second', async () => {
  const { manual, meter, stored, accountId, store } = await setUp()
  const one = meter()
  one.begin()
  await times(5, () => one.count(by(accountId), null))
  await one.count(by(accountId), null)
  await one.charge(by(accountId), 6)
  await letRun()
  expect(await stored()).toBe(0)
  await passTime(manual, 1_000)
  expect(await store.usage.get(accountId, period)).toMatchObject({ requests: 6, credits: 12 })
  await one.stop()
})

it('tells how many calls the period has seen, also those of before its own time', async () => {
  const { meter, accountId } = await setUp()
  const former = meter()
  await times(3, () => former.count(by(accountId), 100_000))
  await former.stop()
  expect(await meter().count(by(accountId), 100_000)).toEqual({ allowed: true, current: 4 })
})

it('counts on while tallies are being written', async () => {
  const { meter, accountId, store } = await setUp()
  const written = Promise.withResolvers<void>()
  const add: typeof store.usage.add = async (tallies) => {
    await written.promise
    return store.usage.add(tallies)
  }
  const one = meter({ ...store, usage: { ...store.usage, add } })
  await times(2, () => one.count(by(accountId), 100_000))
  const flushing = one.flush()
  await letRun()
  expect(await one.count(by(accountId), 100_000)).toEqual({ allowed: true, current: 3 })
  written.resolve()
  await flushing
  expect(await one.count(by(accountId), 100_000)).toEqual({ allowed: true, current: 4 })
})

it('writes what is left when it stops', async () => {
  const { meter, stored, accountId } = await setUp()
  const one = meter()
  one.begin()
  await one.count(by(accountId), null)
  await one.stop()
  expect(await stored()).toBe(1)
})

it('refuses exactly the calls beyond the limit, whoever asks at the same time', async () => {
  const { meter, stored, accountId, store } = await setUp()
  await store.usage.add([{ accountId, period, requests: 990, credits: 990 }])
  const meters = [meter(), meter(), meter()]
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, index) => meters[index % 3]?.count(by(accountId), 1_000)),
  )
  expect(answers.filter((answer) => answer?.allowed)).toHaveLength(10)
  expect(
    answers
      .filter((answer) => answer?.allowed)
      .map((answer) => answer?.current)
      .sort((a = 0, b = 0) => a - b),
  ).toEqual(Array.from({ length: 10 }, (_, index) => 991 + index))
  expect(answers.find((answer) => answer?.allowed === false)).toEqual({ allowed: false, current: 1_000 })
  await Promise.all(meters.map((one) => one.flush()))
  expect(await stored()).toBe(1_000)
})

it('stays exact when a tally of before comes close to the limit', async () => {
  const { meter, stored, accountId } = await setUp()
  const one = meter()
  let allowed = 0
  await times(1_700, async () => {
    if ((await one.count(by(accountId), 1_500)).allowed) allowed += 1
  })
  expect(allowed).toBe(1_500)
  await one.stop()
  expect(await stored()).toBe(1_500)
})

it('writes the tallies of 500 active accounts with one call, and the next second nothing', async () => {
  const { meter, store } = await setUp()
  const calls: number[] = []
  const add: typeof store.usage.add = (tallies) => {
    calls.push(tallies.length)
    return store.usage.add(tallies)
  }
  const one = meter({ ...store, usage: { ...store.usage, add } })
  const accounts = Array.from({ length: 500 }, () => mint('acc'))
  for (const [index, id] of accounts.entries()) await times(1 + (index % 3), () => one.count(by(id), null))
  await one.flush()
  await one.flush()
  expect(calls).toEqual([500])
  const requests = await Promise.all(accounts.map(async (id) => (await store.usage.get(id, period))?.requests))
  expect(requests).toEqual(accounts.map((_, index) => 1 + (index % 3)))
})

it('charges nothing for a refusal', async () => {
  const { meter, stored, accountId } = await setUp()
  const one = meter()
  await times(5, () => one.count(by(accountId), 2))
  await one.flush()
  expect(await stored()).toBe(2)
})

it('counts each call in the month it came in', async () => {
  const { manual, meter, stored, accountId } = await setUp(Date.UTC(2026, 0, 31, 23, 59, 59))
  const one = meter()
  await times(2, () => one.count(by(accountId), null))
  manual.pass(2_000)
  expect(await one.count(by(accountId), 100_000)).toEqual({ allowed: true, current: 1 })
  await one.flush()
  expect([await stored('2026-01'), await stored('2026-02')]).toEqual([2, 1])
})

it('does not count twice what may have been written', async () => {
  const { meter, stored, accountId, store } = await setUp()
  const one = meter(withFaults(store, { usage: { add: failOnce() } }))
  await one.count(by(accountId), null)
  await one.flush()
  await one.count(by(accountId), null)
  await one.flush()
  expect(await stored()).toBe(1)
})

it('reads again after a look that failed', async () => {
  const { meter, accountId, store } = await setUp()
  const one = meter(withFaults(store, { usage: { get: failOnce() } }))
  await expect(one.count(by(accountId), 100_000)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await one.count(by(accountId), 100_000)).toEqual({ allowed: true, current: 1 })
})

it('keeps accounts apart', async () => {
  const { meter, accountId, store } = await setUp()
  const one = meter()
  const other = mint('acc')
  await times(3, () => one.count(by(accountId), 2))
  expect(await one.count(by(other), 2)).toEqual({ allowed: true, current: 1 })
  await one.stop()
  expect((await store.usage.get(other, period))?.requests).toBe(1)
})

it('does not keep a process that ends while the store does not answer', async () => {
  const { meter, accountId, store, manual } = await setUp()
  const one = meter({ ...store, usage: { ...store.usage, add: () => new Promise(() => undefined) } })
  await one.count(by(accountId), null)
  const stopping = one.stop()
  await passTime(manual, 3_000)
  await stopping
})

/** Returns the rows of the stored days as `<day> <name> <requests> <credits>`. */
const daysOf = async (
  store: Awaited<ReturnType<typeof setUp>>['store'],
  accountId: string,
  kind: 'key' | 'namespace' = 'key',
) => {
  const range = { from: '2026-01-01', to: '2026-12-31', limit: 1_000 }
  const rows = await store.dailyUsage.page(accountId, kind, range)
  return rows.map(({ day, name, requests, credits }) => `${day} ${name} ${requests} ${credits}`)
}

it('counts by key, each request on the day it came in, UTC', async () => {
  const { manual, meter, accountId, store } = await setUp(Date.UTC(2026, 0, 31, 23, 59, 59))
  const one = meter()
  await times(2, () => one.count(by(accountId, 'a'), null))
  await one.count(by(accountId, 'b'), null)
  manual.pass(999)
  await one.count(by(accountId, 'a'), null)
  manual.pass(1)
  await one.count(by(accountId, 'a'), null)
  await one.charge(by(accountId, 'b'), 3, 'notes', 'guides')
  await one.flush()
  expect(await daysOf(store, accountId)).toEqual([
    '2026-01-31 a 3 3',
    '2026-01-31 b 1 1',
    '2026-02-01 a 1 1',
    '2026-02-01 b 0 3',
  ])
  expect(await daysOf(store, accountId, 'namespace')).toEqual(['2026-02-01 guides 0 3', '2026-02-01 notes 0 3'])
})

it('counts a request once in each namespace that it names, and once for its key', async () => {
  const { meter, accountId, store } = await setUp(Date.UTC(2026, 0, 31))
  const one = meter()
  await one.count(by(accountId), null)
  one.countIn(accountId, ['notes', 'guides', 'notes'])
  await one.count(by(accountId), null)
  one.countIn(accountId, ['notes'])
  one.countIn(accountId, [])
  await one.flush()
  expect(await daysOf(store, accountId)).toEqual(['2026-01-31 key 2 2'])
  expect(await daysOf(store, accountId, 'namespace')).toEqual(['2026-01-31 guides 1 1', '2026-01-31 notes 2 2'])
})

it('counts by day what it counts by one update each, and nothing that is refused', async () => {
  const { meter, accountId, store } = await setUp(Date.UTC(2026, 0, 31))
  const one = meter()
  await times(5, () => one.count(by(accountId), 3))
  await one.flush()
  expect(await daysOf(store, accountId)).toEqual(['2026-01-31 key 3 3'])
})

it('does not count days twice that may have been written', async () => {
  const { meter, accountId, store, stored } = await setUp(Date.UTC(2026, 0, 31))
  const add: typeof store.dailyUsage.add = async (tallies) => {
    await store.dailyUsage.add(tallies)
    throw new Error('the connection was lost after the write')
  }
  const broken = meter({ ...store, dailyUsage: { ...store.dailyUsage, add } })
  await broken.count(by(accountId), null)
  await broken.flush()
  await broken.flush()
  expect(await daysOf(store, accountId)).toEqual(['2026-01-31 key 1 1'])
  // The period is written even if writing the days fails.
  expect(await stored('2026-01')).toBe(1)
})

it('writes days while a former write of periods does not end', async () => {
  const { meter, accountId, store } = await setUp(Date.UTC(2026, 0, 31))
  const one = meter({ ...store, usage: { ...store.usage, add: () => new Promise(() => undefined) } })
  await one.count(by(accountId), null)
  void one.flush()
  await letRun()
  expect(await daysOf(store, accountId)).toEqual(['2026-01-31 key 1 1'])
})

it('writes a thousand rows at once', async () => {
  const { meter, store } = await setUp()
  const calls: number[] = []
  const add: typeof store.dailyUsage.add = async (tallies) => void calls.push(tallies.length)
  const one = meter({ ...store, dailyUsage: { ...store.dailyUsage, add } })
  for (let index = 0; index < 1_001; index += 1) one.countIn(`acc_${index}`, ['notes'])
  await one.flush()
  await one.flush()
  expect(calls).toEqual([1_000, 1])
})
