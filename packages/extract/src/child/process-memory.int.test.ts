import { expect, it } from 'vitest'
import { memoryCeiling } from './process-memory.ts'

/** Feeds measurements in MiB, 10 ms apart; returns the index of the measurement at which the process is killed. */
const seenAt = (limit: number, weights: readonly number[]): number => {
  const isTooMuch = memoryCeiling(limit * 1024 ** 2)
  return weights.findIndex((weight, index) => isTooMuch(weight * 1024 ** 2, index * 10))
}

it('ends a process before it exceeds the limit, however fast it grows', () => {
  for (const step of [1, 5, 10, 20, 24]) {
    const weights = Array.from({ length: 300 }, (_, index) => 60 + index * step)
    const at = seenAt(256, weights)
    expect(weights[at]).toBeGreaterThan(220)
    expect(weights[at]).toBeLessThanOrEqual(256)
  }
})

it('does not end a process that stays below the limit, even after a sudden growth', () => {
  expect(seenAt(256, [60, 150, 221, 222, 221, 220, 225])).toBe(-1)
  expect(
    seenAt(
      256,
      Array.from({ length: 100 }, () => 247),
    ),
  ).toBe(-1)
})

it('ends a process at the first measurement above the limit', () => {
  expect(seenAt(256, [60, 300, 100])).toBe(1)
  expect(seenAt(256, [300])).toBe(0)
})

it.each([0.2, 0.35, 0.5, 0.8])(
  'ends a process that grows by %f MiB/ms in time, although a measurement is 20 ms late',
  (perMs) => {
    for (let lateAtMs = 0; lateAtMs < 800; lateAtMs += 10) {
      const isTooMuch = memoryCeiling(256 * 1024 ** 2)
      let weight = 0
      let ended = false
      for (let atMs = 0; !ended; atMs += atMs === lateAtMs ? 30 : 10) {
        weight = 100 + atMs * perMs
        ended = isTooMuch(weight * 1024 ** 2, atMs)
      }
      expect(weight, `late after ${lateAtMs} ms`).toBeGreaterThan(220)
      expect(weight, `late after ${lateAtMs} ms`).toBeLessThanOrEqual(256)
    }
  },
)
