import { expect, it } from 'vitest'
import { describeList, isOutdated, withoutRows } from './document-rows.ts'

const list = { loaded: 2, hasNextPage: false, isFiltered: false, count: 2 }

it.each([
  [list, '2 items loaded'],
  [{ ...list, loaded: 1, count: 1 }, '1 item loaded'],
  [{ ...list, loaded: 0, count: 0 }, 'No items'],
  [{ ...list, count: 1_200 }, '2 items loaded; 1,200 now'],
  [{ ...list, hasNextPage: true, count: 1_200 }, '2 of 1,200 loaded'],
  [{ ...list, hasNextPage: true, count: 0 }, '2 of 2 loaded'],
  [{ ...list, isFiltered: true, count: 1_200 }, '2 match the filter'],
  [{ ...list, isFiltered: true, hasNextPage: true }, '2 or more match the filter'],
])('describes %o as %s', (shown, text) => {
  expect(describeList(shown)).toBe(text)
})

it('knows that a list is outdated only if all of it was loaded, without a filter', () => {
  expect(isOutdated(list)).toBe(false)
  expect(isOutdated({ ...list, count: 3 })).toBe(true)
  expect(isOutdated({ ...list, count: 3, hasNextPage: true })).toBe(false)
  expect(isOutdated({ ...list, count: 3, isFiltered: true })).toBe(false)
})

it('takes a deleted row out of its page and keeps the others', () => {
  const row = (id: string) => ({ id, excerpt: '', is_summary: false, created_at: null })
  const pages = [
    { rows: [row('a'), row('b')], next: 'token' },
    { rows: [row('c')], next: null },
  ]
  expect(withoutRows({ pages, pageParams: [1] }, ['a'])).toEqual({
    pages: [{ rows: [row('b')], next: 'token' }, pages[1]],
    pageParams: [1],
  })
})
