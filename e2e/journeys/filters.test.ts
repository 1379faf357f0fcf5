import type { Filter } from '@cairn/client'
import { operations } from '@cairn/contracts/api/operations'
import { matchesFilter } from '@cairn/contracts/documents/metadata-filter'
import { randomFilter, randomMetadata } from '@cairn/testing/random-filter'
import { seededRandom } from '@cairn/testing/seeded-random'
import { describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { idsFound, index, useTarget } from '../story.ts'

const story = useTarget()

const library = [
  {
    id: 'a',
    text: 'Cairns are piles of stones that mark a path.',
    year: 2024,
    tags: ['stone', 'way'],
    day: '2024-02-29',
  },
  { id: 'b', text: 'Bread is baked from flour, water and salt.', year: 2023, tags: ['food'], draft: true },
  { id: 'c', text: 'A path through the forest, marked by paint.', year: '2024', day: '2025-06-01T12:00:00Z' },
]

const filled = async () => {
  const { api, name } = await story.room()
  await index(api, name, library)
  return { api, name }
}

/** Returns the ids of all items that match a filter, over all pages. */
const pages = (api: Client, name: string, filter: Filter, limit = 2): Promise<string[]> =>
  Array.fromAsync(api.sdk.documents.page(name, { filter, limit }), ({ id }) => id)

describe('a filter on metadata', () => {
  it('finds what passes 500 filters of all operators, as a plain evaluation does', { timeout: 300_000 }, async () => {
    const { api, name } = await story.room()
    const random = seededRandom(23)
    const all = Array.from({ length: 60 }, (_, index) => ({ id: `d${index}`, metadata: randomMetadata(random) }))
    await index(
      api,
      name,
      all.map(({ id, metadata }) => ({ id, text: `Document ${id} of the library.`, ...metadata })),
    )
    for (let turn = 0; turn < 500; turn += 1) {
      const filter = randomFilter(random) as Filter
      const expected = all.filter(({ metadata }) => matchesFilter(filter, metadata)).map(({ id }) => id)
      const found = await idsFound(api, [name], 'document of the library', { filter, top_k: 100, mode: 'semantic' })
      expect(found.toSorted(), JSON.stringify(filter)).toEqual(expected.toSorted())
    }
  })

  it('works in every mode, with the filters of the query, and in paging', async () => {
    const { api, name } = await filled()
    const filter: Filter = { key: 'year', gte: 2020 }
    for (const mode of ['semantic', 'lexical', 'hybrid'] as const)
      expect(await idsFound(api, [name], 'stones on a path', { filter, mode }), mode).toEqual(
        mode === 'lexical' ? ['a'] : ['a', 'b'],
      )
    expect(await idsFound(api, [name], 'which bread is it #tags:food', { filter })).toEqual(['b'])
    expect(await idsFound(api, [name], '#year:2024', { filter })).toEqual(['a'])
    expect(await idsFound(api, [name], 'path', { filter: { key: 'day', lt: '2024-03-01' } })).toEqual(['a'])
    expect(await pages(api, name, { key: 'day', exists: true }, 1)).toEqual(['a', 'c'])
    expect(await pages(api, name, { key: 'tags', contains: 'oo' })).toEqual(['b'])
    expect(await pages(api, name, { key: 'absent', exists: true })).toEqual([])
  })

  it('deletes what passes and nothing else, and says before what it would delete', async () => {
    const { api, name } = await filled()
    const filter: Filter = {
      or: [
        { key: 'draft', eq: true },
        { key: 'year', eq: '2024' },
      ],
    }
    const { documents } = api.sdk
    const tried = await documents.delete(name, { filter, dry_run: true })
    expect(tried).toMatchObject({ matched_items: 2, sample_ids: ['b', 'c'], deleted_ids: [], has_more: false })
    expect(await idsFound(api, [name], 'anything')).toHaveLength(3)
    const done = await documents.delete(name, { filter })
    expect(done).toMatchObject({ deleted_ids: ['b', 'c'], remaining_items: 1, matched_items: 2, has_more: false })
    expect(await idsFound(api, [name], 'anything')).toEqual(['a'])
    expect(await documents.delete(name, { filter })).toMatchObject({ actual_deletions: 0, matched_items: 0 })
  })

  it('finds one of thousands, and says so when it would have to read too many', { timeout: 300_000 }, async () => {
    const { api, name } = await story.room()
    for (let batch = 0; batch < 42; batch += 1) {
      const documents = Array.from({ length: 100 }, (_, index) => ({
        id: `${batch}-${index}`,
        text: 'Stones that mark a path through the hills.',
        kind: batch === 41 && index === 99 ? 'rare stone' : 'usual stone',
      }))
      await index(api, name, documents)
    }
    const ids = (filter: Filter) => idsFound(api, [name], 'which stones mark a path', { filter })
    expect(await ids({ key: 'kind', eq: 'rare stone' })).toEqual(['41-99'])
    expect(await ids({ not: { key: 'kind', in: ['usual stone'] } })).toEqual(['41-99'])
    expect(await ids({ key: 'kind', contains: 'stone' })).toHaveLength(10)
    const body = { query: 'which stones mark a path', namespaces: [name], filter: { key: 'kind', prefix: 'rare' } }
    const refused = (await api.call(operations.search, { body }, 422)).body
    expect(refused).toMatchObject({ error: 'Request too broad', suggestion: expect.stringMatching(/eq, in/) })
    expect(await pages(api, name, { key: 'kind', prefix: 'rare' }, 10)).toEqual(['41-99'])
    const kind = { key: 'kind', eq: 'usual stone' } as const
    const { documents } = api.sdk
    expect(await documents.delete(name, { filter: kind, dry_run: true })).toMatchObject({ matched_items: 4_199 })
    expect(await documents.delete(name, { filter: kind })).toMatchObject({
      actual_deletions: 4_199,
      remaining_items: 1,
    })
    expect(await idsFound(api, [name], 'stones')).toEqual(['41-99'])
  })

  it('refuses what is no filter, and ids beside one', async () => {
    const { api, name } = await filled()
    const search = (filter: unknown) =>
      api.call(operations.search, { body: { query: 'path', namespaces: [name], filter } }, 400)
    expect((await search({ key: 'year', equals: 1 })).body.message).toMatch(/equals/)
    expect((await search({ year: 2024 })).body.message).toMatch(/filter/)
    const remove = async (body: unknown) =>
      (await api.call(operations.deleteDocuments, { params: { namespace_name: name }, body }, 400)).body.message
    const filter: Filter = { key: 'year', exists: true }
    expect(await remove({ ids: ['a'], filter })).toMatch(/ids/)
    expect(await remove({ ids: ['a'], dry_run: true })).toMatch(/dry_run/)
    expect(await remove({})).toMatch(/ids array is required/)
    expect(await remove({ filter: { key: 'draft', contains: '' } })).toMatch(/empty text/)
    expect(await remove({ filter: { key: 'draft', ne: '' } })).toMatch(/"all": true/)
    expect(await idsFound(api, [name], 'anything')).toHaveLength(3)
    const { documents } = api.sdk
    expect(await documents.delete(name, { filter: { key: 'draft', ne: '' }, all: true })).toMatchObject({
      actual_deletions: 3,
      remaining_items: 0,
    })
    for (const sent of [{}, { filter: {} }, { filter: 'year' }, { filter, limit: 0 }, { filter, limit: 101 }])
      await api.call(operations.filterTextData, { params: { namespace_name: name }, body: sent }, 400)
  })
})
