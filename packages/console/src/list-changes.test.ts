import { expect, it } from 'vitest'
import { changeAt, toggle } from './list-changes.ts'

it('adds a value once and removes it', () => {
  expect(toggle(['a', 'b'], 'c', true)).toEqual(['a', 'b', 'c'])
  expect(toggle(['a', 'b'], 'b', true)).toEqual(['a', 'b'])
  expect(toggle(['a', 'b'], 'a', false)).toEqual(['b'])
  expect(toggle(['a'], 'c', false)).toEqual(['a'])
})

it('changes some fields of one entry', () => {
  const list = [
    { name: 'a', value: '1' },
    { name: 'b', value: '2' },
  ]
  expect(changeAt(list, 1, { value: '3' })).toEqual([list[0], { name: 'b', value: '3' }])
})
