import { AppError } from '@cairn/contracts/errors'
import { createManualClock } from '@cairn/testing/manual-clock'
import { letRun } from '@cairn/testing/pass-time'
import { expect, it } from 'vitest'
import { backoffMs, retryUnavailable } from './retry.ts'

const away = () => new AppError('unavailable', 'the engine is away')

/** Returns a call that fails `times` times before it succeeds. */
const failing = (times: number, error: () => Error = away) => {
  const state = { calls: 0 }
  const call = async () => {
    state.calls += 1
    if (state.calls <= times) throw error()
    return 'answer'
  }
  return { state, call }
}

it('tries three times within a second', async () => {
  const { clock, pass } = createManualClock()
  const { state, call } = failing(2)
  const answer = retryUnavailable(clock, call)
  await letRun()
  expect(state.calls).toBe(1)
  pass(200)
  await letRun()
  expect(state.calls).toBe(2)
  pass(599)
  await letRun()
  expect(state.calls).toBe(2)
  pass(1)
  expect(await answer).toBe('answer')
})

it('gives up with the last error after the third try', async () => {
  const { clock, pass } = createManualClock()
  const { state, call } = failing(9)
  const answer = expect(retryUnavailable(clock, call)).rejects.toMatchObject({ code: 'unavailable' })
  for (const ms of [200, 600]) {
    await letRun()
    pass(ms)
  }
  await answer
  expect(state.calls).toBe(3)
})

it.each([new AppError('conflict', 'taken'), new AppError('invalid', 'bad'), new TypeError('a bug')])(
  'does not repeat a call that failed with %s',
  async (error) => {
    const { state, call } = failing(1, () => error)
    await expect(retryUnavailable(createManualClock().clock, call)).rejects.toBe(error)
    expect(state.calls).toBe(1)
  },
)

it('stops when it is told to, with the error it had', async () => {
  const { clock } = createManualClock()
  const { state, call } = failing(9)
  const stop = new AbortController()
  const answer = retryUnavailable(clock, call, stop.signal)
  await letRun()
  stop.abort()
  await expect(answer).rejects.toMatchObject({ code: 'unavailable' })
  expect(state.calls).toBe(2)
})

it.each([
  [0, 500, 1_000],
  [1, 1_000, 2_000],
  [2, 2_000, 4_000],
  [3, 4_000, 8_000],
  [4, 7_500, 15_000],
  [5, 7_500, 15_000],
  [5_000, 7_500, 15_000],
])('waits, after %i retries, between %i and %i ms', (retries, min, max) => {
  expect(backoffMs(retries, 0)).toBe(min)
  expect(backoffMs(retries, 1)).toBe(max)
})
