import { expect, it } from 'vitest'
import { duration } from './duration.ts'

it.each([
  [0, 'less than 0.1 s'],
  [0.04, 'less than 0.1 s'],
  [0.1, '0.1 s'],
  [12.44, '12.4 s'],
  [99.94, '99.9 s'],
  [99.96, '2 min'],
  [100, '2 min'],
  [5_999, '100 min'],
  [6_000, '1.7 h'],
])('formats %d seconds as %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text)
})
