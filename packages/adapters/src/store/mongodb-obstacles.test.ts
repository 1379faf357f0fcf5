import { withChange } from '@cairn/domain/items/documents'
import type { Change } from '@cairn/domain/ports/store'
import { expect, it } from 'vitest'
import { aroundObstacles } from './mongodb-obstacles.ts'

const around = (document: Readonly<Record<string, unknown>>, change: Change) =>
  aroundObstacles(document, document, change)

it('leaves a change alone that nothing stands in the way of', () => {
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

it('replaces as a whole what stands above the fields to be set, while it stands there', () => {
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

it('begins anew where no number or no list is, and takes nothing out of what is no list', () => {
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
