import { withChange } from '@cairn/domain/items/documents'
import type { Change } from '@cairn/domain/ports/store'
import { expect, it } from 'vitest'
import { aroundObstacles } from './mongodb-obstacles.ts'

const around = (document: Readonly<Record<string, unknown>>, change: Change) =>
  aroundObstacles(document, document, change)

it('keeps a change that meets no obstacle', () => {
  const document = { lease: { token: 't' }, n: 1, list: ['a'], open: {} }
  expect(
    around(document, {
      set: { 'lease.until': 1, 'new.deep': 1 },
      unset: ['gone.x'],
      inc: { n: 1, m: 1 },
      max: { k: 2 },
      push: { list: ['b'], more: ['c'] },
      pull: { list: ['a'], none: ['x'] },
    }),
  ).toBeUndefined()
})

it('replaces the value above the fields to be set, if it is still there', () => {
  expect(
    around({ lease: null, n: 1 }, { set: { 'lease.token': 't', 'lease.until': 5, state: 'x' }, inc: { n: 1 } }),
  ).toEqual({
    change: {
      set: { state: 'x', lease: { token: 't', until: 5 } },
      unset: [],
      inc: { n: 1 },
      max: {},
      push: {},
      pull: {},
    },
    unchanged: { lease: { $eq: null } },
  })
})

it('starts from zero or an empty list if the value is of another type', () => {
  expect(
    around({ n: 'text', list: null, stale: 'v' }, { inc: { n: 2 }, push: { list: ['a'] }, pull: { stale: ['v'] } }),
  ).toEqual({
    change: { set: { n: 2, list: ['a'], stale: 'v' }, unset: [], inc: {}, max: {}, push: {}, pull: {} },
    unchanged: { n: { $eq: 'text' }, list: { $eq: null }, stale: { $eq: 'v' } },
  })
})

it.each<[string, Record<string, unknown>, Change]>([
  ['null', { a: null, b: 1 }, { set: { 'a.b.c': 1, b: 2 }, inc: { 'a.d': 3 } }],
  ['a list', { a: [1], b: { c: 1 } }, { set: { 'a.b': 1 }, unset: ['a.x', 'b.c'] }],
  ['a text', { a: { b: 'text' } }, { push: { 'a.b.c': ['x'] }, set: { 'a.e': 1 } }],
])('comes to the same document as the change itself where %s stands in the way', (_, document, change) => {
  expect(withChange(document, around(document, change)?.change ?? {})).toEqual(withChange(document, change))
})
