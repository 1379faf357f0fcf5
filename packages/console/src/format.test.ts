import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { age, bytes, change, duration, expectedIn, plural, stageTimes } from './format.ts'

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-03-01T12:00:00Z') }))
afterEach(() => vi.useRealTimers())

it.each([
  ['2026-03-01T11:59:30Z', 'just now'],
  ['2026-03-01T11:59:00Z', '1 minute ago'],
  ['2026-03-01T09:00:00Z', '3 hours ago'],
  ['2026-02-28T11:00:00Z', 'yesterday'],
  ['2024-02-01T00:00:00Z', '2 years ago'],
  ['2026-03-01T13:00:00Z', 'in 1 hour'],
  [null, '–'],
])('shows the age of %s as %s', (iso, shown) => {
  expect(age(iso)).toBe(shown)
})

it.each([
  [0.0124, '+0.012'],
  [-0.5, '-0.500'],
  [0, '0.000'],
])('shows the change %f as %s', (value, shown) => {
  expect(change(value)).toBe(shown)
})

it.each([
  [0, '0 B'],
  [1_023, '1023 B'],
  [1_024, '1.0 kB'],
  [10 * 1_024, '10 kB'],
  [1_024 ** 2, '1.0 MB'],
  [5 * 1_024 ** 5, '5120 TB'],
])('shows %i bytes as %s', (value, shown) => {
  expect(bytes(value)).toBe(shown)
})

it.each([
  [0.012, '12 ms'],
  [1.44, '1.4 s'],
  [89, '89 s'],
  [180, '3 min'],
  [5_400, '1.5 h'],
])('shows %d seconds as %s', (seconds, shown) => {
  expect(duration(seconds)).toBe(shown)
})

it.each([
  ['11:00:00', 'in less than 10 s'],
  ['12:00:08', 'in less than 20 s'],
  ['12:00:30', 'in 10 to 60 s'],
  ['12:01:40', 'in 45 s to 5 min'],
  ['12:08:00', 'in 3 to 20 min'],
  ['23:00:00', 'in more than an hour'],
])('shows the estimate %s as a range', (time, shown) => {
  expect(expectedIn(`2026-03-01T${time}Z`)).toBe(shown)
})

it('groups digits and forms the plural', () => {
  expect([0, 1, 12_000].map((count) => plural(count, 'chunk'))).toEqual(['0 chunks', '1 chunk', '12,000 chunks'])
})

it('lists stages with their times', () => {
  expect(
    stageTimes([
      ['embed_query', 0.004],
      ['reading', 2],
    ]),
  ).toBe('embed query 4 ms · reading 2.0 s')
})
