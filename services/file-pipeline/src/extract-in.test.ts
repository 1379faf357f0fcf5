import { expect, it } from 'vitest'
import { readingMs } from './extract-in.ts'

const minute = 60_000

it('limits the time of a file by its size, and by the setting', () => {
  expect(readingMs(0, 60)).toBe(5 * minute)
  expect(readingMs(2 * 1024 ** 2, 60)).toBe(11 * minute)
  expect(readingMs(5 * 1024 ** 3, 60)).toBe(60 * minute)
  expect(readingMs(1_000, 1)).toBe(minute)
})
