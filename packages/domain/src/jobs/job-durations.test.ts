import { describe, expect, it } from 'vitest'
import { fitDurations, type Measured } from './job-durations.ts'

const sample = (bytes: number, ms: number, more: Partial<Measured> = {}): Measured => ({
  group: 'a',
  bytes,
  ms,
  endedAt: 0,
  concurrency: 1,
  ...more,
})
const expected = (measured: readonly Measured[], bytes: number, group = 'a'): number =>
  fitDurations(measured)?.alone({ group, bytes }) ?? Number.NaN

describe('expected durations', () => {
  it('are unknown before anything was measured', () => {
    expect(fitDurations([])).toBeUndefined()
  })

  it('consist of a fixed part and a part by size', () => {
    const measured = [0, 1_000, 5_000, 20_000].map((bytes) => sample(bytes, 200 + bytes / 10))
    expect(expected(measured, 10_000)).toBeCloseTo(1_200)
    expect(expected(measured, 0)).toBeCloseTo(200)
  })

  it('are in proportion to the size when only one size was measured', () => {
    expect(expected([sample(1_000, 100), sample(1_000, 100)], 3_000)).toBeCloseTo(300)
  })

  it('have no part below zero', () => {
    const falling = [sample(1_000, 900), sample(2_000, 500)]
    expect(expected(falling, 1_000_000)).toBeLessThan(900)
    const steep = [sample(1_000, 10), sample(2_000, 500)]
    expect(expected(steep, 0)).toBe(5)
  })

  it('follow the last measurements', () => {
    const before = Array.from({ length: 40 }, (_, turn) => sample(1_000, 100, { endedAt: turn }))
    const since = Array.from({ length: 20 }, (_, turn) => sample(1_000, 200, { endedAt: 60_000 + turn }))
    expect(expected([...before, ...since], 1_000)).toBeGreaterThan(160)
  })

  it('count one that is far off the others little', () => {
    const sizes = [1_000, 20_000, 3_000, 40_000, 2_000, 9_000, 30_000, 5_000]
    const usual = sizes.map((bytes, turn) => sample(bytes, 30 + bytes / 40, { endedAt: 1_000 * (turn + 1) }))
    const first = sample(1_000, 400, { endedAt: 0 })
    for (const bytes of [1_000, 50_000]) {
      const ratio = expected([first, ...usual], bytes) / (30 + bytes / 40)
      expect(ratio, String(bytes)).toBeGreaterThan(0.9)
      expect(ratio, String(bytes)).toBeLessThan(1.1)
    }
  })

  it('know that jobs of another group take longer', () => {
    const measured = Array.from({ length: 20 }, (_, turn) => [
      sample(1_000, 100, { endedAt: turn }),
      sample(1_000, 1_000, { endedAt: turn, group: 'b' }),
    ]).flat()
    expect(expected(measured, 1_000, 'b') / expected(measured, 1_000, 'a')).toBeGreaterThan(5)
  })

  it('know whether jobs that run at once hinder each other', () => {
    const concurrencies = [1, 2, 4, 3, 1, 2, 4, 3]
    const shared = fitDurations(
      concurrencies.map((concurrency, turn) => sample(1_000, 100 * concurrency, { concurrency, endedAt: turn })),
    )
    expect(shared?.sharing).toBe(1)
    expect(shared?.alone({ group: 'a', bytes: 1_000 })).toBeCloseTo(100)
    const apart = fitDurations(
      concurrencies.map((concurrency, turn) => sample(1_000, 100, { concurrency, endedAt: turn })),
    )
    expect(apart?.sharing).toBe(0)
    expect(fitDurations([sample(1_000, 100)])?.sharing).toBe(1)
  })
})
