import type { UserObject } from '@cairn/contracts/documents/metadata'
import type { FieldFilter } from '@cairn/contracts/documents/metadata-filter'
import { type Filter, fieldFilterOf, fieldsOf, matchesFilter } from '@cairn/contracts/documents/metadata-filter'
import type { VectorIndex } from '@cairn/domain/ports/vector-index'
import { randomFilter, randomMetadata } from '@cairn/testing/random-filter'
import { seededRandom } from '@cairn/testing/seeded-random'
import { expect } from 'vitest'
import { itemsOf, point, type Scene, space } from './points.fixture.ts'

const terms: readonly string[] = []
const words: readonly string[] = []
const itemCount = 80

/** Returns the fields as earlier versions wrote them: a page number only as text. */
const formerFieldsOf = (metadata: UserObject) => {
  const { page, ...others } = metadata
  const former = fieldsOf({ formerPage: page ?? null })
  return [...fieldsOf(others), ...former.map((field) => ({ ...field, key: 'page' }))]
}

/** Contract of filters on fields of metadata. */
export const fieldsContract = ({ of, openIndex, search }: Scene): void => {
  const listed = async (index: VectorIndex, fields: FieldFilter) =>
    itemsOf(await index.list(space, { namespaceIds: ['ns'], filter: { terms, words, fields }, limit: 1_000 }))

  of('filters', 'passes the points whose fields pass, by 500 filters of all operators', async () => {
    const random = seededRandom(11)
    const all = Array.from({ length: itemCount }, (_, index) => ({
      itemId: `item ${String(index).padStart(2, '0')}`,
      metadata: randomMetadata(random),
    }))
    const half = all.length / 2
    const index = await openIndex(
      all.map(({ itemId, metadata }, index) =>
        point({ itemId, fields: index < half ? fieldsOf(metadata) : formerFieldsOf(metadata) }),
      ),
    )
    const isExact = (filter: Filter) => !/"(prefix|contains)"|"key":"page","[gl]te?"/.test(JSON.stringify(filter))
    for (let turn = 0; turn < 500; turn += 1) {
      const filter = randomFilter(random)
      const fields = fieldFilterOf(filter)
      if (!fields) continue
      const found = await listed(index, fields)
      const expected = all.filter(({ metadata }) => matchesFilter(filter, metadata)).map(({ itemId }) => itemId)
      if (isExact(filter)) expect(found, JSON.stringify(filter)).toEqual(expected)
      else expect(found, JSON.stringify(filter)).toEqual(expect.arrayContaining(expected))
    }
  })

  of('filters', 'excludes points without fields, and uses the latest fields of a point', async () => {
    const index = await openIndex([
      point({ itemId: 'none' }),
      point({ itemId: 'some', fields: fieldsOf({ year: 2024 }) }),
    ])
    const year: FieldFilter = { key: 'year', is: 2024 }
    expect(await listed(index, year)).toEqual(['some'])
    expect(await listed(index, { not: year })).toEqual(['none'])
    expect(await listed(index, { key: 'year', exists: true })).toEqual(['some'])
    await index.upsert(space, [point({ itemId: 'some', fields: fieldsOf({ year: 2025 }) })])
    expect(await listed(index, year)).toEqual([])
    expect(await listed(index, { key: 'year', compare: 'gt', with: 'number', bound: 2024 })).toEqual(['some'])
  })

  of('filters', 'ranks the points that pass, combined with terms and words', async () => {
    const index = await openIndex(
      Array.from({ length: 2_000 }, (_, index) =>
        point({
          itemId: `${index}`,
          vector: [1, index / 100, 0],
          terms: [index % 2 === 0 ? 'side:left' : 'side:right'],
          fields: fieldsOf({ number: index, kind: index === 1_999 ? 'last' : 'other' }),
        }),
      ),
    )
    const found = async (fields: FieldFilter, term?: string) =>
      itemsOf(await search(index, { filter: { terms: term ? [term] : [], words, fields }, limit: 3 }))
    expect(await found({ key: 'kind', is: 'last' })).toEqual(['1999'])
    const from: FieldFilter = { key: 'number', compare: 'gte', with: 'number', bound: 1_500 }
    expect(await found(from)).toEqual(['1500', '1501', '1502'])
    expect(await found(from, 'side:right')).toEqual(['1501', '1503', '1505'])
    expect(await found({ and: [from, { not: { key: 'number', is: 1_500 } }] })).toEqual(['1501', '1502', '1503'])
    const lexemes = { ids: Uint32Array.of(7), counts: Uint8Array.of(1) }
    await index.upsert(space, [point({ itemId: '1999', lexemes, fields: fieldsOf({ kind: 'last' }) })])
    const query = { namespaceIds: ['ns'], lexemes: lexemes.ids, limit: 3 }
    const byWords = async (kind: string) =>
      itemsOf(await index.searchWords(space, { ...query, filter: { terms, words, fields: { key: 'kind', is: kind } } }))
    expect(await byWords('last')).toEqual(['1999'])
    expect(await byWords('other')).toEqual([])
  })
}
