import { seededRandom } from '@cairn/testing/seeded-random'
import { describe, expect, it } from 'vitest'
import { type OffsetRange, readHandled, writeHandled } from './kafka-marks.ts'

describe('what is handled beyond a committed offset', () => {
  it('is written short and read back', () => {
    const ranges: OffsetRange[] = [
      [6, 8],
      [9, 10],
      [1_000, 5_000_000_000],
    ]
    const text = writeHandled(5, ranges)
    expect(text.length).toBeLessThan(30)
    expect(readHandled(5, text)).toEqual(ranges)
    expect(writeHandled(5, [])).toBe('')
    expect(readHandled(5, '')).toEqual([])
  })

  it('fits into a commit, and what does not is left out at the end', () => {
    const random = seededRandom(7)
    const ranges: OffsetRange[] = []
    for (let from = 9_000_000_001; ranges.length < 3_000; from += 2 + random.below(50)) ranges.push([from, from + 1])
    const text = writeHandled(9_000_000_000, ranges)
    const read = readHandled(9_000_000_000, text)
    expect(text.length).toBeLessThanOrEqual(3_500)
    expect(read.length).toBeGreaterThan(600)
    expect(read).toEqual(ranges.slice(0, read.length))
  })

  it.each([null, '', 'something else', 'c1 ', 'c1 1.', 'c1 1.1,x', 'c1 -1.2', 'c2 1.1'])('is nothing when a commit says %j', (text) => {
    expect(readHandled(5, text)).toEqual([])
  })
})
