import { expect, it } from 'vitest'
import { shareOf } from './report.ts'

it('says how much is sent, in bytes where megabytes would be 0.0', () => {
  expect(shareOf(0, 0)).toBe('0 of 0 bytes')
  expect(shareOf(12_345, 40_000)).toBe('12345 of 40000 bytes')
  expect(shareOf(500_000, 31_400_000)).toBe('0.5 of 31.4 MB')
})
