import { expect, it } from 'vitest'
import { readableShare } from './scripts.ts'

it.each([
  ['plain English, with 3 digits and signs…', 1],
  ['Äpfel, déjà vu, ŝipo', 1],
  ['12 + 34 = ?', 1],
  ['', 1],
  ['الميناء', 0],
  ['हिन्दी', 0],
  ['港口', 0],
  ['ab港口', 0.5],
  ['abc Ж', 0.75],
])('is the share of Latin letters: %s → %f', (text, expected) => {
  expect(readableShare(text, ['Latin'])).toBe(expected)
})

it('adds up the scripts that a model reads, and is 1 for one that reads everything', () => {
  expect(readableShare('ab港口', ['Han', 'Latin'])).toBe(1)
  expect(readableShare('ab港口Жш', ['Han', 'Latin'])).toBeCloseTo(4 / 6, 12)
  expect(readableShare('الميناء', undefined)).toBe(1)
})
