import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { stalledJobs } from './stalled-jobs.ts'

const setUp = () => {
  const state = { now: 0, free: 1, dueSince: 0, store: true, startedAt: 0 }
  const last = stalledJobs({
    clock: { monotonic: () => state.now },
    jobs: {
      free: () => state.free,
      startedAt: () => state.startedAt,
      due: async () => {
        if (!state.store) throw new Error('away')
        return { jobs: 1, oldestMs: Math.max(0, state.now - state.dueSince) }
      },
    },
  })
  /** Returns the result of the condition after the store has answered. */
  const check = async () => {
    last()
    await setImmediate()
    const result = last()
    await setImmediate()
    return result
  }
  /** Checks every 5 s for `ms`; resolves to `ok` of the last result. */
  const lookFor = async (ms: number) => {
    const until = state.now + ms
    while (state.now < until) {
      await check()
      state.now += 5_000
    }
    return (await check()).ok
  }
  return { state, check, lookFor }
}

it('finds a process stalled that has a free slot and starts nothing, for a minute, while a job is due for a minute', async () => {
  const { check, lookFor } = setUp()
  expect(await lookFor(115_000)).toBe(true)
  expect(await lookFor(5_000)).toBe(false)
  expect(await check()).toMatchObject({ detail: 'free slots, but the oldest due job has waited 120 s' })
})

it('counts anew whenever this process starts a job', async () => {
  const { state, lookFor } = setUp()
  await lookFor(115_000)
  state.startedAt = state.now
  expect(await lookFor(55_000)).toBe(true)
  expect(await lookFor(5_000)).toBe(false)
})

it.each([
  ['the pool is full', { free: 0 }],
  ['nothing is due for long', { dueSince: 1_000_000 }],
  ['the store is away', { store: false }],
])('is patient while %s, and counts anew after it', async (_, change) => {
  const { state, lookFor } = setUp()
  await lookFor(115_000)
  const before = { free: state.free, dueSince: state.dueSince, store: state.store }
  Object.assign(state, change)
  expect(await lookFor(120_000)).toBe(true)
  Object.assign(state, before)
  expect(await lookFor(55_000)).toBe(true)
  expect(await lookFor(10_000)).toBe(false)
})

it('answers at once while the store does not, and asks it once', () => {
  let asked = 0
  const check = stalledJobs({
    clock: { monotonic: () => 0 },
    jobs: {
      free: () => 1,
      startedAt: () => 0,
      due: () => {
        asked += 1
        return new Promise(() => {})
      },
    },
  })
  expect([check(), check()]).toEqual([{ ok: true }, { ok: true }])
  expect(asked).toBe(1)
})
