import { expect, it } from 'vitest'
import { pageRange } from './page-range.ts'

it.each([
  [0, 0, { page: 0, pages: 1, from: 0, end: 0 }],
  [25, 0, { page: 0, pages: 1, from: 0, end: 25 }],
  [26, 0, { page: 0, pages: 2, from: 0, end: 25 }],
  [26, 1, { page: 1, pages: 2, from: 25, end: 26 }],
])('cuts %i items into pages of 25 and finds page %i', (count, requested, range) => {
  expect(pageRange(count, 25, requested)).toEqual(range)
})

it('shows the last page of a list that has become shorter', () => {
  expect(pageRange(30, 25, 7)).toEqual({ page: 1, pages: 2, from: 25, end: 30 })
})
