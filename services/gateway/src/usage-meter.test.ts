import { createScene, mint, wallAt } from '@cairn/ports/metadata/contract/scene'
import { createLogger } from '@cairn/runtime/logger'
import { failOnce, withFaults } from '@cairn/testing/faults'
import { createManualClock } from '@cairn/testing/manual-clock'
import { letRun, passTime } from '@cairn/testing/pass-time'
import { stepwiseMetadata } from '@cairn/testing/stepwise-metadata'
import { expect, it } from 'vitest'
import { createUsageMeter, periodOf } from './usage-meter.ts'

const log = createLogger({ level: 'silent', name: 'test' })
const period = periodOf(wallAt)

const setUp = async (at = wallAt) => {
  const manual = createManualClock(at)
  const metadata = stepwiseMetadata({ now: manual.clock.monotonic })
  const { accountId } = await createScene(metadata)
  const meter = (over = metadata) => createUsageMeter({ metadata: over, clock: manual.clock, log })
  const stored = async (of = period) => (await metadata.usage.get(accountId, of))?.requests ?? 0
  return { manual, metadata, accountId, meter, stored }
}

const times = async (count: number, call: () => Promise<unknown>) => {
  for (let index = 0; index < count; index += 1) await call()
}

it('tallies calls in memory and writes them each second', async () => {
  const { manual, meter, stored, accountId, metadata } = await setUp()
  const one = meter()
  one.begin()
  await times(5, () => one.count(accountId, null))
  await one.count(accountId, null)
  await one.charge(accountId, 6)
  await letRun()
  expect(await stored()).toBe(0)
  await passTime(manual, 1_000)
  expect(await metadata.usage.get(accountId, period)).toMatchObject({ requests: 6, credits: 12 })
  await one.stop()
})

it('tells how many calls the period has seen, also those of before its own time', async () => {
  const { meter, accountId } = await setUp()
  const former = meter()
  await times(3, () => former.count(accountId, 100_000))
  await former.stop()
  expect(await meter().count(accountId, 100_000)).toEqual({ allowed: true, current: 4 })
})

it('counts on while tallies are being written', async () => {
  const { meter, accountId, metadata } = await setUp()
  const written = Promise.withResolvers<void>()
  const add: typeof metadata.usage.add = async (tallies) => {
    await written.promise
    return metadata.usage.add(tallies)
  }
  const one = meter({ ...metadata, usage: { ...metadata.usage, add } })
  await times(2, () => one.count(accountId, 100_000))
  const flushing = one.flush()
  await letRun()
  expect(await one.count(accountId, 100_000)).toEqual({ allowed: true, current: 3 })
  written.resolve()
  await flushing
  expect(await one.count(accountId, 100_000)).toEqual({ allowed: true, current: 4 })
})

it('writes what is left when it stops', async () => {
  const { meter, stored, accountId } = await setUp()
  const one = meter()
  one.begin()
  await one.count(accountId, null)
  await one.stop()
  expect(await stored()).toBe(1)
})

it('refuses exactly the calls beyond the limit, whoever asks at the same time', async () => {
  const { meter, stored, accountId, metadata } = await setUp()
  await metadata.usage.add([{ accountId, period, requests: 990, credits: 990 }])
  const meters = [meter(), meter(), meter()]
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, index) => meters[index % 3]?.count(accountId, 1_000)),
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
    if ((await one.count(accountId, 1_500)).allowed) allowed += 1
  })
  expect(allowed).toBe(1_500)
  await one.stop()
  expect(await stored()).toBe(1_500)
})

it('writes the tallies of 500 active accounts with one call, and the next second nothing', async () => {
  const { meter, metadata } = await setUp()
  const calls: number[] = []
  const add: typeof metadata.usage.add = (tallies) => {
    calls.push(tallies.length)
    return metadata.usage.add(tallies)
  }
  const one = meter({ ...metadata, usage: { ...metadata.usage, add } })
  const accounts = Array.from({ length: 500 }, () => mint('acc'))
  for (const [index, id] of accounts.entries()) await times(1 + (index % 3), () => one.count(id, null))
  await one.flush()
  await one.flush()
  expect(calls).toEqual([500])
  const requests = await Promise.all(accounts.map(async (id) => (await metadata.usage.get(id, period))?.requests))
  expect(requests).toEqual(accounts.map((_, index) => 1 + (index % 3)))
})

it('charges nothing for a refusal', async () => {
  const { meter, stored, accountId } = await setUp()
  const one = meter()
  await times(5, () => one.count(accountId, 2))
  await one.flush()
  expect(await stored()).toBe(2)
})

it('counts each call in the month it came in', async () => {
  const { manual, meter, stored, accountId } = await setUp(Date.UTC(2026, 0, 31, 23, 59, 59))
  const one = meter()
  await times(2, () => one.count(accountId, null))
  manual.pass(2_000)
  expect(await one.count(accountId, 100_000)).toEqual({ allowed: true, current: 1 })
  await one.flush()
  expect([await stored('2026-01'), await stored('2026-02')]).toEqual([2, 1])
})

it('does not count twice what may have been written', async () => {
  const { meter, stored, accountId, metadata } = await setUp()
  const one = meter(withFaults(metadata, { usage: { add: failOnce() } }))
  await one.count(accountId, null)
  await one.flush()
  await one.count(accountId, null)
  await one.flush()
  expect(await stored()).toBe(1)
})

it('reads again after a look that failed', async () => {
  const { meter, accountId, metadata } = await setUp()
  const one = meter(withFaults(metadata, { usage: { get: failOnce() } }))
  await expect(one.count(accountId, 100_000)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await one.count(accountId, 100_000)).toEqual({ allowed: true, current: 1 })
})

it('keeps accounts apart', async () => {
  const { meter, accountId, metadata } = await setUp()
  const one = meter()
  const other = mint('acc')
  await times(3, () => one.count(accountId, 2))
  expect(await one.count(other, 2)).toEqual({ allowed: true, current: 1 })
  await one.stop()
  expect((await metadata.usage.get(other, period))?.requests).toBe(1)
})

it('does not keep a process that ends while the store does not answer', async () => {
  const { meter, accountId, metadata, manual } = await setUp()
  const one = meter({ ...metadata, usage: { ...metadata.usage, add: () => new Promise(() => undefined) } })
  await one.count(accountId, null)
  const stopping = one.stop()
  await passTime(manual, 3_000)
  await stopping
})
