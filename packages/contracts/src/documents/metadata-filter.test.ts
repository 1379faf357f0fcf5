import { randomFilter, randomMetadata } from '@cairn/testing/random-filter'
import { seededRandom } from '@cairn/testing/seeded-random'
import { describe, expect, it } from 'vitest'
import { sentFilter } from '../http/filter.ts'
import { parseExact } from '../json/exact-json.ts'
import { limits } from '../limits.ts'
import type { UserObject } from './metadata.ts'
import { dateOf, type Filter, fieldFilterOf, fieldsOf, matchesFilter } from './metadata-filter.ts'

const metadata = parseExact(
  '{"year":2024,"tags":["stone","way-mark"],"open":true,"day":"2024-02-29","at":"2024-03-01T01:00:00+02:00","none":null,"nested":{"a":1},"empty":[],"mixed":[1,"1",null,{"x":2}],"large":9007199254740993,"__proto__":"p"}',
) as UserObject

describe('a filter', () => {
  const cases: readonly (readonly [filter: Filter, matches: boolean])[] = [
    [{ key: 'year', eq: 2024 }, true],
    [{ key: 'year', eq: '2024' }, false],
    [{ key: 'open', eq: true }, true],
    [{ key: 'open', eq: 'true' }, false],
    [{ key: 'tags', eq: 'stone' }, true],
    [{ key: 'tags', eq: 'Stone' }, false],
    [{ key: 'tags', ne: 'stone' }, false],
    [{ key: 'absent', ne: 'stone' }, true],
    [{ key: 'year', gt: 2024 }, false],
    [{ key: 'year', gte: 2024, lt: 2025 }, true],
    [{ key: 'year', lte: 2023 }, false],
    [{ key: 'year', gt: '2020-01-01' }, false],
    [{ key: 'day', gt: 2020 }, false],
    [{ key: 'day', gte: '2024-02-29', lte: '2024-02-29' }, true],
    [{ key: 'at', lt: '2024-03-01' }, true],
    [{ key: 'tags', gt: '2020-01-01' }, false],
    [{ key: 'year', in: [1, 2024] }, true],
    [{ key: 'year', nin: [1, 2024] }, false],
    [{ key: 'absent', nin: [1] }, true],
    [{ key: 'tags', any: ['wood', 'stone'] }, true],
    [{ key: 'tags', all: ['stone', 'way-mark'] }, true],
    [{ key: 'tags', all: ['stone', 'wood'] }, false],
    [{ key: 'none', exists: true }, false],
    [{ key: 'none', exists: false }, true],
    [{ key: 'nested', exists: true }, true],
    [{ key: 'nested', eq: 1 }, false],
    [{ key: 'empty', exists: true }, true],
    [{ key: 'toString', exists: true }, false],
    [{ key: '__proto__', eq: 'p' }, true],
    [{ key: 'mixed', all: [1, '1'] }, true],
    [{ key: 'tags', prefix: 'way' }, true],
    [{ key: 'tags', prefix: 'mark' }, false],
    [{ key: 'tags', contains: '-m' }, true],
    [{ key: 'mixed', contains: 1 }, true],
    [{ key: 'year', contains: '20' }, false],
    [{ key: 'large', gt: limits.idBytes }, true],
    [{ key: 'large', eq: Number.MAX_SAFE_INTEGER }, false],
    [
      {
        and: [
          { key: 'year', eq: 2024 },
          { key: 'open', eq: false },
        ],
      },
      false,
    ],
    [
      {
        or: [
          { key: 'year', eq: 2024 },
          { key: 'open', eq: false },
        ],
      },
      true,
    ],
    [{ not: { key: 'year', eq: 2024 } }, false],
    [{ not: { not: { key: 'year', eq: 2024 } } }, true],
  ]
  it.each(cases)('%j matches: %s', (filter, matches) => {
    expect(sentFilter.parse(filter)).toEqual(filter)
    expect(matchesFilter(filter, metadata)).toBe(matches)
  })

  const ofChunks: readonly (readonly [filter: Filter, matches: boolean])[] = [
    [{ key: 'page', eq: 12 }, true],
    [{ key: 'page', eq: '12' }, true],
    [{ key: 'page', eq: 1 }, false],
    [{ key: 'page', eq: '012' }, false],
    [{ key: 'page', eq: 12.5 }, false],
    [{ key: 'page', ne: 12 }, false],
    [{ key: 'page', gte: 12, lt: 13 }, true],
    [{ key: 'page', gt: 12 }, false],
    [{ key: 'page', gt: 2 }, true],
    [{ key: 'page', lte: 11 }, false],
    [{ key: 'page', in: [3, 12] }, true],
    [{ key: 'page', in: ['3', '12'] }, true],
    [{ key: 'page', nin: [12] }, false],
    [{ key: 'page', all: [12, '12'] }, true],
    [{ key: 'page', contains: 12 }, true],
    [{ key: 'page', prefix: '1' }, true],
    [{ not: { key: 'page', gt: 2 } }, false],
    [{ key: 'chunk_index', eq: '3' }, true],
    [{ key: 'chunk_index', in: ['3'] }, true],
    [{ key: 'chunk_index', gte: 3 }, true],
    [{ key: 'title', eq: 12 }, false],
  ]
  it.each(ofChunks)('%j matches a chunk of page 12: %s', (filter, matches) => {
    expect(matchesFilter(filter, { page: '12', chunk_index: 3, title: '12' })).toBe(matches)
    expect(matchesFilter(filter, { page: 12, chunk_index: '3', title: '12' })).toBe(matches)
  })

  it('takes no other text of a page for a number', () => {
    for (const page of [
      'iv',
      '',
      ' 1',
      '01',
      '1.0',
      '1e0',
      '+1',
      '-1',
      '0x1',
      '9007199254740993',
      'summary_0_chunks_0_99',
    ])
      expect([page, matchesFilter({ key: 'page', gte: -1e15 }, { page })]).toEqual([page, false])
    expect(matchesFilter({ key: 'page', lte: 1e15 }, { page: '1' })).toBe(true)
  })

  const faults: readonly (readonly [filter: unknown, message: RegExp])[] = [
    [{}, /exactly one of/],
    [[], /must be a filter/],
    ['year', /must be a filter/],
    [{ eq: 1 }, /exactly one of/],
    [{ key: 'year' }, /an operator beside/],
    [{ key: 'year', and: [] }, /1 to 100 filters/],
    [{ key: 'year', eq: 1, or: [{ key: 'a', eq: 1 }] }, /exactly one of/],
    [{ and: [{ key: 'a', eq: 1 }], eq: 1 }, /needs `key` beside it/],
    [{ key: 'year', equals: 1 }, /equals/],
    [{ key: '', eq: 1 }, /1 to 2048 characters/],
    [{ key: 'a', eq: null }, /true, false, a number/],
    [{ key: 'a', eq: 2 ** 53 }, /larger numbers are compared rounded, so different ones would be equal/],
    [{ key: 'a', in: [1, -(2 ** 53)] }, /larger numbers are compared rounded/],
    [{ key: 'a', gte: 2 ** 53 }, /larger numbers are compared rounded/],
    [{ key: 'a', eq: 'a\ud800' }, /true, false, a number/],
    [{ key: 'a', eq: 'x'.repeat(2_049) }, /true, false, a number/],
    [{ key: 'a', gt: 'b' }, /a date such as/],
    [{ key: 'a', gt: '2024-02-30' }, /a date such as/],
    [{ key: 'a', gt: true }, /a date such as/],
    [{ key: 'a', in: [] }, /1 to 200 values/],
    [{ key: 'a', in: Array(201).fill(1) }, /1 to 200 values/],
    [{ key: 'a', exists: 'yes' }, /true or false/],
    [{ key: 'a', prefix: '' }, /1 to 2048 characters/],
    [{ key: 'a', contains: '' }, /must not be an empty text/],
    [{ or: Array(101).fill({ key: 'a', eq: 1 }) }, /1 to 100 filters/],
    [{ or: Array(2).fill({ and: Array(51).fill({ key: 'a', eq: 1 }) }) }, /at most 100 conditions/],
  ]
  it.each(faults)('%j is refused', (filter, message) => {
    const { success, error } = sentFilter.safeParse(filter)
    expect(success).toBe(false)
    expect(JSON.stringify(error?.issues)).toMatch(message)
  })

  const nested = (depth: number): Filter => (depth === 1 ? { key: 'a', eq: 1 } : { not: nested(depth - 1) })
  it('is nested ten deep and no deeper, and has up to a hundred conditions and 200 values', () => {
    expect(sentFilter.safeParse(nested(limits.filterDepth)).success).toBe(true)
    expect(sentFilter.safeParse(nested(limits.filterDepth + 1)).success).toBe(false)
    expect(sentFilter.safeParse({ or: Array(100).fill({ key: 'a', in: Array(200).fill(1) }) }).success).toBe(true)
  })
})

it('reads dates of ISO 8601, without a zone as UTC', () => {
  expect(dateOf('2024-02-29')).toBe(Date.UTC(2024, 1, 29))
  expect(dateOf('2024-02-29T12:30')).toBe(Date.UTC(2024, 1, 29, 12, 30))
  expect(dateOf('2024-02-29T12:30:15.250+01:00')).toBe(Date.UTC(2024, 1, 29, 11, 30, 15, 250))
  for (const text of ['2023-02-29', '2024-2-9', '2024', '2024-13-01', '2024-01-01T25:00', '2024-01-01 12:00', 'today'])
    expect(dateOf(text), text).toBeUndefined()
})

type Fields = ReturnType<typeof fieldsOf>
type Test = NonNullable<ReturnType<typeof fieldFilterOf>>

/** Evaluates a filter on fields as an index must. */
const passes = (fields: Fields, filter: Test): boolean => {
  if ('and' in filter) return filter.and.every((one) => passes(fields, one))
  if ('or' in filter) return filter.or.some((one) => passes(fields, one))
  if ('not' in filter) return !passes(fields, filter.not)
  return fields.some(({ key, value, date }) => {
    if (key !== filter.key) return false
    if ('exists' in filter) return true
    if ('is' in filter) return value === filter.is
    const compared = filter.with === 'number' ? value : date
    if (typeof compared !== 'number') return false
    const { bound } = filter
    return { gt: compared > bound, gte: compared >= bound, lt: compared < bound, lte: compared <= bound }[
      filter.compare
    ]
  })
}

/** Returns the fields as earlier versions stored them: the number of a page only as text. */
const formerFieldsOf = ({ page, ...others }: Record<string, unknown>): Fields => [
  ...fieldsOf(others),
  ...fieldsOf({ former: page ?? null }).map((field) => ({ ...field, key: 'page' })),
]

it('leaves nothing out on the index, and nothing too many where the index can answer all of it', () => {
  const random = seededRandom(7)
  const isInexact = (filter: Filter): boolean =>
    /"(prefix|contains)"|"key":"page","[gl]te?"/.test(JSON.stringify(filter))
  let matched = 0
  for (let turn = 0; turn < 5_000; turn += 1) {
    const [filter, of] = [randomFilter(random), randomMetadata(random)]
    const indexed = fieldFilterOf(filter)
    const isMatch = matchesFilter(filter, of)
    if (isMatch) matched += 1
    for (const fields of [fieldsOf(of), formerFieldsOf(of)]) {
      const isFound = indexed === undefined || passes(fields, indexed)
      if (isMatch || !isInexact(filter)) expect(isFound, JSON.stringify({ filter, of })).toBe(isMatch)
    }
  }
  expect(matched).toBeGreaterThan(1_000)
})
