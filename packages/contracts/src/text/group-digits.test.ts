import { expect, it } from 'vitest'
import { groupDigits } from './group-digits.ts'

it.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1,000'],
  [10_485_760, '10,485,760'],
  [-1_234_567, '-1,234,567'],
  [9.5, '9.5'],
  [1_234.5678, '1,234.568'],
])('writes %d as English does', (value, text) => {
  expect(groupDigits(value)).toBe(text)
  expect(groupDigits(value)).toBe(value.toLocaleString('en-US'))
})
