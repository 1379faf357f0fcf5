import type { PointAddress } from '@cairn/domain/ports/vector-index'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { itemVersionOf, keywordOf, pointIdOf, toAddress, toFilter, toRecord, uuidOfName } from './points.ts'

const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'

it('derives the UUID that RFC 9562 derives of a name', () => {
  expect(uuidOfName(dns, 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2')
})

/** Texts of characters that occur in separators and escapes. */
const text = fc.string({ unit: fc.constantFrom('a', '1', '"', ',', '\\', '[', ' ', 'é'), minLength: 1, maxLength: 4 })
const address = fc.record({ namespaceId: text, itemId: text, version: text, passage: fc.nat(20) })
const partsOf = ({ namespaceId, itemId, version, passage }: PointAddress) => [
  namespaceId,
  itemId,
  version,
  `${passage}`,
]

it('gives different addresses different ids, and one address always the same', () => {
  fc.assert(
    fc.property(address, address, (a, b) => {
      const areSame = partsOf(a).every((part, i) => part === partsOf(b)[i])
      expect(pointIdOf(a) === pointIdOf(b)).toBe(areSame)
      expect(itemVersionOf(a.itemId, a.version) === itemVersionOf(b.itemId, b.version)).toBe(
        a.itemId === b.itemId && a.version === b.version,
      )
    }),
    {
      examples: [
        [
          { namespaceId: 'a', itemId: 'b', version: 'c', passage: 1 },
          { namespaceId: 'a', itemId: 'b,c', version: '1', passage: 1 },
        ],
      ],
    },
  )
})

it('keeps the ids that points were written under', () => {
  expect(pointIdOf({ namespaceId: 'ns_1', itemId: 'item', version: 'upl_1', passage: 3 })).toBe(
    '5e6d3b2e-2e63-5716-8310-8abfbb1ddfb3',
  )
})

it('gives different texts different keywords, all of which JSON can carry', () => {
  const unit = fc.constantFrom('a', '0', '\0', '\ud800', '\udc00', '😀')
  const any = fc.string({ unit, maxLength: 4 })
  fc.assert(
    fc.property(any, any, (a, b) => {
      expect(keywordOf(a).isWellFormed()).toBe(true)
      expect(keywordOf(a) === keywordOf(b)).toBe(a === b)
    }),
    {
      examples: [
        ['\0d800', '\ud800'],
        ['\ud800', '\0' + '00d8'],
      ],
    },
  )
  expect(keywordOf('lang:en')).toBe('lang:en')
})

it('reads the address back that it wrote', () => {
  const point = { namespaceId: 'ns', itemId: 'item', version: 'v', passage: 2 }
  const record = toRecord(
    { ...point, vector: Float32Array.of(3, 4), terms: ['a:b'], words: ['w'] },
    Float32Array.of(0.5, 0.25),
  )
  expect(toAddress({ payload: record.payload ?? null })).toEqual(point)
  expect(record.vector).toEqual([0.5, 0.25])
})

it('requests each term and word once', () => {
  expect(toFilter('ns', { terms: ['a:b', 'a:b'], words: ['w', 'w'] })).toEqual({
    must: [
      { key: 'namespace_id', match: { value: 'ns' } },
      { key: 'terms', match: { value: 'a:b' } },
      { key: 'words', match: { value: 'w' } },
    ],
  })
})

it('compares the texts of a list in one condition, and its other values each in one', () => {
  const list = ['a', 'b', 'a'].map((is) => ({ key: 'tag', is }))
  const others = [
    { key: 'tag', is: 1 },
    { key: 'other', is: 'c' },
  ]
  const nested = (key: string, test: object) => ({
    nested: { key: 'fields', filter: { must: [{ key: 'k', match: { value: key } }, test] } },
  })
  expect(toFilter('ns', { terms: [], words: [], fields: { or: [...list, ...others] } }).must).toEqual([
    { key: 'namespace_id', match: { value: 'ns' } },
    {
      should: [
        nested('tag', { key: 't', match: { any: ['a', 'b'] } }),
        nested('other', { key: 't', match: { any: ['c'] } }),
        nested('tag', { key: 'n', range: { gte: 1, lte: 1 } }),
      ],
    },
  ])
})
