import { expect, it } from 'vitest'
import { stalledConsumer } from './stalled-consumer.ts'

const setUp = () => {
  const state = { now: 0, free: 1, messages: 1, born: 0, store: true, held: 0 }
  const check = stalledConsumer({
    clock: { monotonic: () => state.now },
    free: () => state.free,
    held: () => state.held,
    storeAnswers: async () => state.store,
    backlog: async () => ({ messages: state.messages, oldestAgeMs: state.messages === 0 ? 0 : state.now - state.born }),
  })
  /** Looks every 5 s for so long; resolves to the last answer. */
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

it('finds a consumer stalled that has room while the oldest message gets older for a minute', async () => {
  const { check, lookFor } = setUp()
  expect(await lookFor(55_000)).toBe(true)
  expect(await lookFor(5_000)).toBe(false)
  expect(await check()).toMatchObject({ detail: 'free places, but the oldest of 1 messages has been waiting for 60 s' })
})

it('counts anew whenever the oldest message is another one', async () => {
  const { state, lookFor } = setUp()
  await lookFor(55_000)
  state.born = 50_000
  expect(await lookFor(55_000)).toBe(true)
  expect(await lookFor(10_000)).toBe(false)
})

it.each([
  ['the pool is full', { free: 0 }],
  ['nothing waits', { messages: 0 }],
  ['all messages have been delivered and wait for the pool', { held: 1 }],
  ['the store is away', { store: false }],
])('is patient while %s, and counts anew after it', async (_, change) => {
  const { state, lookFor } = setUp()
  await lookFor(55_000)
  const before = { free: state.free, messages: state.messages, store: state.store, held: state.held }
  Object.assign(state, change)
  expect(await lookFor(120_000)).toBe(true)
  Object.assign(state, before)
  expect(await lookFor(50_000)).toBe(true)
  expect(await lookFor(15_000)).toBe(false)
})

it('says nothing against a process while the bus does not answer', async () => {
  const check = stalledConsumer({ clock: { monotonic: () => 0 }, free: () => 1, backlog: () => Promise.reject(new Error('down')) })
  expect(await check()).toEqual({ ok: true })
})
