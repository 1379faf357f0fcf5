import { expect, it } from 'vitest'
import { chartOf, rankingOf, shortDay } from './usage-rows.ts'

const rows = (...requests: readonly number[]) =>
  requests.map((count, index) => ({ namespace_name: `n${index}`, requests: count, credits: 0 }))

const days = (...requests: readonly number[]) =>
  requests.map((count, index) => ({ day: `2026-03-0${index + 1}`, requests: count, credits: 0 }))

it('draws bars below a round number, and a day with few requests higher than one without', () => {
  expect(chartOf(days(0, 1, 500, 970), 100)).toEqual({
    max: 1_000,
    heights: [0, 2, 50, 97],
    labels: ['Mar 1', 'Mar 2', 'Mar 3', 'Mar 4'],
  })
  expect([0, 1, 3, 11, 20, 399].map((most) => chartOf(days(most), 100).max)).toEqual([2, 2, 4, 20, 20, 400])
})

it('draws nothing without requests', () => {
  expect(chartOf(days(0, 0), 100)).toMatchObject({ max: 2, heights: [0, 0], labels: ['Mar 1', 'Mar 2'] })
})

it('ranks 20 and adds the others up', () => {
  const other = { requests: 5, credits: 0 }
  const ranking = rankingOf({ rows: rows(...Array.from({ length: 22 }, () => 3)), other })
  expect(ranking.shown).toHaveLength(20)
  expect(ranking.others).toBe(2 * 3 + 5)
  expect(rankingOf({ rows: rows(3), other: { requests: 0, credits: 0 } }).others).toBe(0)
})

it('names a day in UTC', () => {
  expect(shortDay('2026-03-01')).toBe('Mar 1')
})
