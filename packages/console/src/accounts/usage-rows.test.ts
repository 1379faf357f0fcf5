import { expect, it } from 'vitest'
import { barsOf, rankingOf, shortDay } from './usage-rows.ts'

const rows = (...requests: readonly number[]) =>
  requests.map((count, index) => ({ namespace_name: `n${index}`, requests: count, credits: 0 }))

it('draws the day with the most requests as high as the drawing, and no day with requests as none', () => {
  expect(barsOf(rows(0, 1, 500, 1_000), 100)).toEqual({ most: 1_000, heights: [0, 2, 50, 100] })
})

it('draws nothing without requests', () => {
  expect(barsOf(rows(0, 0), 100)).toEqual({ most: 0, heights: [0, 0] })
  expect(barsOf([], 100)).toEqual({ most: 0, heights: [] })
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
