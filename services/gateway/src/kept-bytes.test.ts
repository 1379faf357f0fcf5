import { expect, it } from 'vitest'
import { createKeptBytes } from './kept-bytes.ts'

it('is full at the limit of an hour, for each owner alone, until the next hour', () => {
  let now = 0
  const kept = createKeptBytes({ monotonic: () => now }, 100)
  expect(kept.isFull('a')).toBe(false)
  kept.add('a', 99)
  expect(kept.isFull('a')).toBe(false)
  kept.add('a', 1)
  expect(kept.isFull('a')).toBe(true)
  expect(kept.isFull('b')).toBe(false)
  now = 3_599_999
  expect(kept.isFull('a')).toBe(true)
  now = 3_600_000
  expect(kept.isFull('a')).toBe(false)
})
