import { expect, it } from 'vitest'
import { createTimings } from './timings.ts'

it('adds up the time of each stage, also of one that fails', async () => {
  let now = 1_000
  const timings = createTimings({ monotonic: () => now })
  const take = (ms: number) => () => {
    now += ms
    return ms
  }
  expect(await timings.time('read', take(2))).toBe(2)
  await timings.time('read', take(3))
  const failing = timings.time('write', () => {
    now += 4
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  now += 1
  expect(timings.seconds()).toEqual({ read: 0.005, write: 0.004, total: 0.01 })
  expect(timings.elapsedMs()).toBe(10)
})
