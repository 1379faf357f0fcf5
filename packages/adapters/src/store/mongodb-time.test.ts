import { expect, it } from 'vitest'
import { storeTime } from './mongodb-time.ts'

const setUp = () => {
  const clocks = { server: 1_000_000, monotonic: 0, wall: 5_000, samples: 0, latency: 0, down: false }
  const pass = (ms: number) => {
    clocks.server += ms
    clocks.monotonic += ms
    clocks.wall += ms
  }
  const now = storeTime({
    sample: async () => {
      clocks.samples += 1
      if (clocks.down) throw new Error('down')
      pass(clocks.latency / 2)
      const at = clocks.server
      pass(clocks.latency / 2)
      return at
    },
    monotonic: () => clocks.monotonic,
    wall: () => clocks.wall,
  })
  return { clocks, pass, now }
}

it('is the server’s time, extrapolated between two samples, in whole milliseconds', async () => {
  const { clocks, pass, now } = setUp()
  expect(await now()).toBe(1_000_000)
  pass(1_234.9)
  expect(await now()).toBe(1_001_234)
  expect(clocks.samples).toBe(1)
})

it('samples again after a minute, once for all callers', async () => {
  const { clocks, pass, now } = setUp()
  await Promise.all([now(), now(), now()])
  pass(59_999)
  await now()
  expect(clocks.samples).toBe(1)
  pass(1)
  clocks.server += 7
  expect(await Promise.all([now(), now()])).toEqual([1_060_007, 1_060_007])
  expect(clocks.samples).toBe(2)
})

it('adds half of the round trip', async () => {
  const { clocks, now } = setUp()
  clocks.latency = 40
  expect(await now()).toBe(clocks.server)
})

it('does not go back when another server’s clock is behind', async () => {
  const { clocks, pass, now } = setUp()
  await now()
  pass(59_999)
  expect(await now()).toBe(1_059_999)
  pass(1)
  clocks.server -= 500
  expect(await now()).toBe(1_059_999)
  pass(1_000)
  expect(await now()).toBe(1_060_500)
})

it('samples again after the machine has slept', async () => {
  const { clocks, now } = setUp()
  await now()
  clocks.server += 600_000
  clocks.wall += 600_000
  expect(await now()).toBe(1_600_000)
})

it('keeps extrapolating when a sample fails, and tries again the next time', async () => {
  const { clocks, pass, now } = setUp()
  await now()
  pass(60_000)
  clocks.down = true
  await expect(now()).rejects.toThrow('down')
  clocks.down = false
  expect(await now()).toBe(1_060_000)
})
