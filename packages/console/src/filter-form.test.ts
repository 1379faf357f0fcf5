import { expect, it } from 'vitest'
import { type Condition, conditionParams, conditionsIn, filterOf } from './filter-form.tsx'

it('makes no filter of conditions that are not complete', () => {
  expect(filterOf([])).toBeUndefined()
  expect(filterOf([{ key: '', operator: 'eq', value: 'x' }])).toBeUndefined()
  expect(filterOf([{ key: 'a', operator: 'eq', value: ' ' }])).toBeUndefined()
})

it('takes numbers and truth values as such, and text in quotes', () => {
  expect(filterOf([{ key: ' year ', operator: 'gte', value: '2020' }])).toEqual({ key: 'year', gte: 2020 })
  expect(filterOf([{ key: 'a', operator: 'eq', value: 'true' }])).toEqual({ key: 'a', eq: true })
  expect(filterOf([{ key: 'a', operator: 'eq', value: '"2020"' }])).toEqual({ key: 'a', eq: '2020' })
  expect(filterOf([{ key: 'a', operator: 'in', value: 'x, 2' }])).toEqual({ key: 'a', in: ['x', 2] })
  expect(filterOf([{ key: 'a', operator: 'prefix', value: '20' }])).toEqual({ key: 'a', prefix: '20' })
  expect(filterOf([{ key: 'a', operator: 'exists', value: '' }])).toEqual({ key: 'a', exists: true })
})

it('joins several', () => {
  expect(
    filterOf([
      { key: 'a', operator: 'eq', value: 'x' },
      { key: 'b', operator: 'ne', value: '1' },
    ]),
  ).toEqual({
    and: [
      { key: 'a', eq: 'x' },
      { key: 'b', ne: 1 },
    ],
  })
})

it('keeps any condition in the address', () => {
  const conditions: Condition[] = [
    { key: 'a:b/%', operator: 'prefix', value: 'x:y%' },
    { key: '', operator: 'eq', value: '' },
  ]
  expect(conditionsIn(conditionParams(conditions))).toEqual(conditions)
  expect(conditionsIn(['', 'eq', 'no:a:b', 'constructor:a:b', 'eq:%:b'])).toEqual([])
})
