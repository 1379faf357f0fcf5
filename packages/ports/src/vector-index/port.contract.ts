import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Point, PointAddress, Space, VectorHit, VectorIndex, VectorQuery } from './port.ts'

type Behaviour =
  | 'upsert'
  | 'ranking'
  | 'ties'
  | 'filters'
  | 'namespaces'
  | 'validation'
  | 'removal'
  | 'listing'
  | 'count'
  | 'spaces'
  | 'concurrency'
  | 'closing'

export type VectorIndexContract = {
  /** An index on a fresh, empty place. Called before all tests and within some; the contract closes what it opened. */
  readonly open: () => VectorIndex | Promise<VectorIndex>
  /** Behaviours the adapter can't have, each with the reason, which is printed. */
  readonly lacks: { readonly [B in Behaviour]?: string }
}

const space: Space = { key: 'contract-3', dimension: 3 }
const wide: Space = { key: 'contract-16', dimension: 16 }

type Given = Partial<Omit<Point, 'vector'>> & { readonly vector?: readonly number[] }

const point = ({ vector = [1, 0, 0], ...given }: Given = {}): Point => ({
  namespaceId: 'ns',
  itemId: 'item',
  version: 'v1',
  passage: 0,
  terms: [],
  words: [],
  ...given,
  vector: Float32Array.from(vector),
})

const addressOf = ({ namespaceId, itemId, version, passage }: PointAddress): PointAddress => ({ namespaceId, itemId, version, passage })
const itemsOf = (found: readonly PointAddress[]) => found.map(({ itemId }) => itemId)
const cosine = (a: Float32Array, b: Float32Array) => {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, i) => sum + value * y[i]!, 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

/** Numbers without a pattern, the same on each run. */
const scattered = (seed: number) => Math.sin(seed * 12.9898 + 78.233)
const wideVector = (seed: number) => Array.from({ length: 16 }, (_, i) => scattered(seed * 16 + i + 1))

/** The index as seen by one test: namespaces of its own in the one place all tests share. */
const within = (index: VectorIndex, prefix: string): VectorIndex => {
  const inside = <A extends { readonly namespaceId: string }>(address: A): A => ({ ...address, namespaceId: prefix + address.namespaceId })
  const outside = <A extends { readonly namespaceId: string }>(address: A): A => ({
    ...address,
    namespaceId: address.namespaceId.slice(prefix.length),
  })
  const all = (namespaceIds: readonly string[]) => namespaceIds.map((id) => prefix + id)
  return {
    ...index,
    upsert: (to, points) => index.upsert(to, points.map(inside)),
    search: async (of, query) => (await index.search(of, { ...query, namespaceIds: all(query.namespaceIds) })).map(outside),
    list: async (of, { after, ...listing }) => {
      const request = { ...listing, namespaceIds: all(listing.namespaceIds), ...(after ? { after: inside(after) } : {}) }
      return (await index.list(of, request)).map(outside)
    },
    removeVersion: (of, target) => index.removeVersion(of, inside(target)),
    removeNamespace: (of, namespaceId, limit) => index.removeNamespace(of, prefix + namespaceId, limit),
    count: (of, namespaceId) => index.count(of, prefix + namespaceId),
  }
}

/** What every vector index does, whichever engine is below. */
export const vectorIndexContract = ({ open, lacks }: VectorIndexContract): void => {
  let shared: VectorIndex
  let tests = 0
  const openIndex = async (points: readonly Point[] = [], of = space) => {
    const index = within(shared, `test-${++tests}/`)
    if (points.length > 0) await index.upsert(of, points)
    return index
  }
  const of = (behaviour: Behaviour, name: string, body: () => Promise<void>) => {
    const reason = lacks[behaviour]
    if (reason === undefined) it(name, body)
    else it(name, ({ skip }) => skip(reason))
  }
  const search = (index: VectorIndex, query: Partial<Omit<VectorQuery, 'vector'>> & { readonly vector?: readonly number[] } = {}) =>
    index.search(space, { namespaceIds: ['ns'], limit: 10, ...query, vector: Float32Array.from(query.vector ?? [1, 0, 0]) })
  const listAll = (index: VectorIndex, namespaceIds: readonly string[] = ['ns'], from = space) =>
    index.list(from, { namespaceIds, limit: 1_000 })

  describe('vector index', () => {
    beforeAll(async () => {
      shared = await open()
    })
    afterAll(() => shared.close())

    of('upsert', 'finds what was written, with its address', async () => {
      const index = await openIndex([point({ itemId: 'a', version: 'v7', passage: 3 })])
      const [hit, ...others] = await search(index)
      expect(others).toEqual([])
      expect(hit).toMatchObject({ namespaceId: 'ns', itemId: 'a', version: 'v7', passage: 3 })
      expect(hit?.score).toBeCloseTo(1, 5)
    })

    of('upsert', 'replaces a point of the same address, with its terms and words', async () => {
      const index = await openIndex([point({ vector: [0, 1, 0], terms: ['old:1'], words: ['old'] })])
      await index.upsert(space, [point({ vector: [1, 0, 0], terms: ['new:1'], words: ['new'] })])
      const [hit, ...others] = await search(index)
      expect(others).toEqual([])
      expect(hit?.score).toBeCloseTo(1, 5)
      expect(await search(index, { filter: { terms: ['old:1'], words: [] } })).toEqual([])
      expect(await search(index, { filter: { terms: [], words: ['old'] } })).toEqual([])
      expect(await search(index, { filter: { terms: ['new:1'], words: ['new'] } })).toHaveLength(1)
      await index.upsert(space, [point({ vector: [1, 0, 0] })])
      expect(await search(index, { filter: { terms: ['new:1'], words: [] } })).toEqual([])
      expect(await index.count(space, 'ns')).toBe(1)
    })

    of('upsert', 'takes the last of two points with one address in a call', async () => {
      const index = await openIndex([point({ vector: [0, 1, 0] }), point({ vector: [1, 0, 0] })])
      expect(await index.count(space, 'ns')).toBe(1)
      expect((await search(index))[0]?.score).toBeCloseTo(1, 5)
    })

    of('upsert', 'keeps versions and passages of one item apart', async () => {
      const points = [point(), point({ version: 'v2' }), point({ passage: 1 }), point({ itemId: 'other' })]
      const index = await openIndex(points)
      expect(await index.count(space, 'ns')).toBe(4)
    })

    of('upsert', 'does not see what the caller does to a vector afterwards', async () => {
      const index = await openIndex()
      const given = point({ vector: [1, 0, 0] })
      const written = index.upsert(space, [given])
      given.vector.fill(-1)
      await written
      expect((await search(index))[0]?.score).toBeCloseTo(1, 5)
      expect(given.vector).toHaveLength(3)
    })

    of('upsert', 'writes nothing for an empty call', async () => {
      const index = await openIndex()
      await index.upsert(space, [])
      expect(await listAll(index)).toEqual([])
    })

    of('ranking', 'orders hits by cosine, whatever their length', async () => {
      const index = await openIndex([
        point({ itemId: 'across', vector: [0, 0, 5] }),
        point({ itemId: 'near', vector: [900, 100, 0] }),
        point({ itemId: 'against', vector: [-0.001, 0, 0] }),
        point({ itemId: 'same', vector: [0.002, 0, 0] }),
      ])
      const hits = await search(index, { vector: [7, 0, 0] })
      expect(itemsOf(hits)).toEqual(['same', 'near', 'across', 'against'])
      expect(hits.map(({ score }) => Math.round(score * 1e4) / 1e4)).toEqual([1, 0.9939, 0, -1])
    })

    of('ranking', 'keeps every score between -1 and 1', async () => {
      const vectors = Array.from({ length: 40 }, (_, i) => wideVector(i))
      const index = await openIndex(
        vectors.map((vector, i) => point({ itemId: `${i}`, vector })),
        wide,
      )
      for (const vector of vectors) {
        const hits = await index.search(wide, { namespaceIds: ['ns'], vector: Float32Array.from(vector), limit: 40 })
        for (const { score } of hits) expect(Math.abs(score)).toBeLessThanOrEqual(1)
        expect(hits[0]?.score).toBeCloseTo(1, 5)
      }
    })

    of('ranking', 'finds numbers at the ends of their range', async () => {
      const index = await openIndex([point({ itemId: 'huge', vector: [3e38, 3e38, 0] }), point({ itemId: 'tiny', vector: [1e-40, 0, 0] })])
      const hits = await search(index)
      expect(itemsOf(hits)).toEqual(['tiny', 'huge'])
      expect(hits[0]?.score).toBeCloseTo(1, 4)
      expect(hits[1]?.score).toBeCloseTo(Math.SQRT1_2, 4)
    })

    of('ranking', 'gives the best of many, as a comparison with each would', async () => {
      const points = Array.from({ length: 1_500 }, (_, i) => point({ itemId: `${i}`, vector: wideVector(i) }))
      const index = await openIndex(points, wide)
      for (const limit of [1, 10, 400]) {
        const query = Float32Array.from(wideVector(5_000 + limit))
        const expected = points
          .map(({ itemId, vector }) => ({ itemId, score: cosine(vector, query) }))
          .sort((a, b) => b.score - a.score)
          .slice(0, limit)
        const hits = await index.search(wide, { namespaceIds: ['ns'], vector: query, limit })
        expect(itemsOf(hits)).toEqual(itemsOf(expected as unknown as VectorHit[]))
        for (const [i, { score }] of hits.entries()) expect(score).toBeCloseTo(expected[i]!.score, 5)
      }
    })

    of('ranking', 'answers with no more than the limit, and with all there are below it', async () => {
      const index = await openIndex(Array.from({ length: 5 }, (_, i) => point({ itemId: `${i}`, vector: [1, i, 0] })))
      expect(itemsOf(await search(index, { limit: 2 }))).toEqual(['0', '1'])
      expect(await search(index, { limit: 4_096 })).toHaveLength(5)
    })

    of('ties', 'orders equal scores by namespace, item, version and passage, each text by its UTF-8 bytes', async () => {
      const ordered = [
        point({ namespaceId: 'A', itemId: 'z' }),
        point({ namespaceId: 'a', itemId: '10' }),
        point({ namespaceId: 'a', itemId: '9' }),
        point({ namespaceId: 'a', itemId: 'a', version: 'V' }),
        point({ namespaceId: 'a', itemId: 'a', version: 'v', passage: 2 }),
        point({ namespaceId: 'a', itemId: 'a', version: 'v', passage: 10 }),
        point({ namespaceId: 'a', itemId: 'aa' }),
        point({ namespaceId: 'a', itemId: 'é' }),
        point({ namespaceId: 'a', itemId: '\uffee' }),
        point({ namespaceId: 'a', itemId: '😀' }),
        point({ namespaceId: 'é', itemId: 'a' }),
      ]
      const index = await openIndex(ordered.toReversed())
      const hits = await search(index, { namespaceIds: ['é', 'a', 'A'] })
      expect(hits.map(addressOf)).toEqual(ordered.slice(0, 10).map(addressOf))
    })

    of('ties', 'cuts equal scores at the limit in the same order', async () => {
      const points = Array.from({ length: 300 }, (_, i) => point({ itemId: String(i).padStart(3, '0') }))
      const index = await openIndex([...points].sort((a, b) => scattered(Number(a.itemId)) - scattered(Number(b.itemId))))
      await index.upsert(space, [point({ itemId: 'zzz', vector: [1, 1, 0] })])
      expect(itemsOf(await search(index, { limit: 7 }))).toEqual(itemsOf(points.slice(0, 7)))
      expect((await search(index, { limit: 301 })).at(-1)?.itemId).toBe('zzz')
    })

    of('filters', 'passes only points that have every term and every word', async () => {
      const index = await openIndex([
        point({ itemId: 'a', terms: ['lang:en', 'year:2024'], words: ['cat', 'sat'] }),
        point({ itemId: 'b', terms: ['lang:en'], words: ['cat'] }),
        point({ itemId: 'c', terms: ['lang:de', 'year:2024'], words: ['cat', 'mat'] }),
        point({ itemId: 'd' }),
      ])
      const items = async (terms: readonly string[], words: readonly string[]) =>
        itemsOf(await search(index, { filter: { terms, words } })).sort()
      expect(await items(['lang:en'], [])).toEqual(['a', 'b'])
      expect(await items(['lang:en', 'year:2024'], [])).toEqual(['a'])
      expect(await items([], ['cat'])).toEqual(['a', 'b', 'c'])
      expect(await items([], ['cat', 'mat'])).toEqual(['c'])
      expect(await items(['year:2024'], ['cat', 'sat'])).toEqual(['a'])
      expect(await items(['lang:fr'], [])).toEqual([])
      expect(await items(['lang:en'], ['mat'])).toEqual([])
      expect(await items(['lang:en', 'lang:en'], ['cat', 'cat'])).toEqual(['a', 'b'])
      expect(await items([], [])).toEqual(['a', 'b', 'c', 'd'])
    })

    of('filters', 'compares terms and words as exact strings', async () => {
      const strings = [
        'cat', 'Cat', 'cats', 'ca', 'c-at', 'c at', 'c"at', "c'at", 'c*', 'c:at', 'ĉat', 'CAT OR 1', 'NOT', 'and', '', ' ', '猫', 'ねこ', '🐈',
        'a\u0301', '\u00e1', 'x'.repeat(300), 'x'.repeat(301), 'cat\u0000s', '1', '11', '{"$ne":null}', '%', '_', '\\', 'ß', 'ss', 'й', 'и',
      ] // biome-ignore format: a list of words
      const index = await openIndex(
        strings.flatMap((text, i) => [point({ itemId: `word ${i}`, words: [text] }), point({ itemId: `term ${i}`, terms: [text] })]),
      )
      for (const [i, text] of strings.entries()) {
        expect(itemsOf(await search(index, { filter: { terms: [], words: [text] } })), `word ${text}`).toEqual([`word ${i}`])
        expect(itemsOf(await search(index, { filter: { terms: [text], words: [] } })), `term ${text}`).toEqual([`term ${i}`])
      }
    })

    of('filters', 'gives the best of the points that pass, though a thousand others are nearer', async () => {
      const points = Array.from({ length: 2_000 }, (_, i) =>
        point({
          itemId: `${i}`,
          vector: [1, i / 100, 0],
          terms: [i % 1_000 === 999 ? 'rare:yes' : 'rare:no'],
          words: [i % 10 === 3 ? 'tenth' : 'other'],
        }),
      )
      const index = await openIndex(points)
      expect(itemsOf(await search(index, { filter: { terms: ['rare:yes'], words: [] } }))).toEqual(['999', '1999'])
      expect(itemsOf(await search(index, { filter: { terms: [], words: ['tenth'] }, limit: 3 }))).toEqual(['3', '13', '23'])
      const both = { terms: ['rare:no'], words: ['tenth'] }
      expect(await search(index, { filter: both, limit: 4_096 })).toHaveLength(200)
    })

    of('filters', 'takes a filter of very many words', async () => {
      const words = Array.from({ length: 400 }, (_, i) => `word${i}`)
      const index = await openIndex([point({ itemId: 'all', words }), point({ itemId: 'most', words: words.slice(1) })])
      expect(itemsOf(await search(index, { filter: { terms: [], words } }))).toEqual(['all'])
    })

    of('namespaces', 'searches several at once and merges them by score', async () => {
      const index = await openIndex([
        point({ namespaceId: 'a', itemId: '1', vector: [1, 0.1, 0] }),
        point({ namespaceId: 'b', itemId: '2', vector: [1, 0, 0] }),
        point({ namespaceId: 'a', itemId: '3', vector: [1, 0.2, 0] }),
        point({ namespaceId: 'c', itemId: '4', vector: [1, 0, 0] }),
      ])
      const hits = await search(index, { namespaceIds: ['a', 'b', 'nowhere', 'a'] })
      expect(hits.map(({ namespaceId, itemId }) => namespaceId + itemId)).toEqual(['b2', 'a1', 'a3'])
    })

    of('namespaces', 'shows, counts and removes nothing of another namespace', async () => {
      const ids = ['ns', 'NS', 'ns ', 'n', 'ns\u0001', 'nš', '%', 'n_']
      const index = await openIndex(
        ids.map((namespaceId) => point({ namespaceId, itemId: `in ${namespaceId}`, terms: ['t:1'], words: ['w'] })),
      )
      for (const id of ids) {
        const filter = { terms: ['t:1'], words: ['w'] }
        expect(itemsOf(await search(index, { namespaceIds: [id] }))).toEqual([`in ${id}`])
        expect(itemsOf(await search(index, { namespaceIds: [id], filter }))).toEqual([`in ${id}`])
        expect(itemsOf(await index.list(space, { namespaceIds: [id], filter, limit: 10 }))).toEqual([`in ${id}`])
        expect(await index.count(space, id)).toBe(1)
      }
      expect(await index.removeVersion(space, { namespaceId: 'NS', itemId: 'in ns', version: 'v1' })).toBe(0)
      expect(await index.removeNamespace(space, 'ns', 100)).toBe(1)
      expect(await listAll(index, ids)).toHaveLength(ids.length - 1)
    })

    of('namespaces', 'takes a namespace id that no namespace can have for one without points', async () => {
      const index = await openIndex([point()])
      for (const id of ['ns\u0000', 'ns\u0000x', '\ud800', '']) {
        expect(await search(index, { namespaceIds: [id] })).toEqual([])
        expect(await index.count(space, id)).toBe(0)
        expect(await listAll(index, [id])).toEqual([])
        expect(await index.removeNamespace(space, id, 10)).toBe(0)
        expect(await index.removeVersion(space, { namespaceId: id, itemId: 'item', version: 'v1' })).toBe(0)
      }
      expect(await index.count(space, 'ns')).toBe(1)
    })

    of('namespaces', 'searches none', async () => {
      const index = await openIndex([point()])
      expect(await search(index, { namespaceIds: [] })).toEqual([])
      expect(await listAll(index, [])).toEqual([])
    })

    of('validation', 'refuses a vector of another dimension or without direction, and writes nothing of the call', async () => {
      const index = await openIndex()
      const bad = [
        [],
        [1, 0],
        [1, 0, 0, 0],
        [Number.NaN, 1, 0],
        [1, Number.POSITIVE_INFINITY, 0],
        [0, Number.NEGATIVE_INFINITY, 0],
        [0, 0, 0],
        [-0, 0, 0],
      ]
      for (const vector of bad) {
        const call = index.upsert(space, [point({ itemId: 'good' }), point({ itemId: 'bad', vector }), point({ itemId: 'after' })])
        await expect(call, `[${vector}]`).rejects.toMatchObject({ name: 'AppError', code: 'invalid' })
      }
      expect(await listAll(index)).toEqual([])
      expect(await index.count(space, 'ns')).toBe(0)
    })

    of('validation', 'leaves what was there when a call is refused', async () => {
      const index = await openIndex([point({ vector: [1, 0, 0], terms: ['kept:1'] })])
      await expect(index.upsert(space, [point({ vector: [0, 1, 0] }), point({ vector: [0, 0, 0] })])).rejects.toMatchObject({
        code: 'invalid',
      })
      const [hit] = await search(index, { filter: { terms: ['kept:1'], words: [] } })
      expect(hit?.score).toBeCloseTo(1, 5)
    })

    of('validation', 'refuses a query of another dimension or without direction', async () => {
      const index = await openIndex([point()])
      for (const vector of [[], [1, 0], [Number.NaN, 0, 0], [Number.POSITIVE_INFINITY, 0, 0], [0, 0, 0]]) {
        await expect(search(index, { vector }), `[${vector}]`).rejects.toMatchObject({ name: 'AppError', code: 'invalid' })
      }
    })

    of('removal', 'removes one version of one item and says how many points that were', async () => {
      const index = await openIndex([
        ...[0, 1, 2].map((passage) => point({ itemId: 'a', version: 'v1', passage, words: ['w'] })),
        ...[0, 1].map((passage) => point({ itemId: 'a', version: 'v2', passage })),
        point({ itemId: 'b', version: 'v1' }),
      ])
      expect(await index.removeVersion(space, { namespaceId: 'ns', itemId: 'a', version: 'v1' })).toBe(3)
      expect((await listAll(index)).map(({ itemId, version, passage }) => `${itemId} ${version} ${passage}`)).toEqual([
        'a v2 0',
        'a v2 1',
        'b v1 0',
      ])
      expect(await search(index)).toHaveLength(3)
      expect(await search(index, { filter: { terms: [], words: ['w'] } })).toEqual([])
      expect(await index.removeVersion(space, { namespaceId: 'ns', itemId: 'a', version: 'v1' })).toBe(0)
    })

    of('removal', 'removes a version from one passage on', async () => {
      const index = await openIndex([0, 1, 2, 9, 10].map((passage) => point({ passage })))
      expect(await index.removeVersion(space, { namespaceId: 'ns', itemId: 'item', version: 'v1', fromPassage: 2 })).toBe(3)
      expect((await listAll(index)).map(({ passage }) => passage)).toEqual([0, 1])
      expect(await index.removeVersion(space, { namespaceId: 'ns', itemId: 'item', version: 'v1', fromPassage: 2 })).toBe(0)
    })

    of('removal', 'writes a removed address anew', async () => {
      const index = await openIndex([point({ vector: [0, 1, 0], words: ['first'] }), point({ itemId: 'other', words: ['other'] })])
      await index.removeVersion(space, { namespaceId: 'ns', itemId: 'item', version: 'v1' })
      await index.upsert(space, [point({ itemId: 'third', words: ['third'] }), point({ words: ['second'] })])
      expect(await search(index, { filter: { terms: [], words: ['first'] } })).toEqual([])
      for (const [word, item] of [
        ['second', 'item'],
        ['third', 'third'],
        ['other', 'other'],
      ] as const) {
        expect(itemsOf(await search(index, { filter: { terms: [], words: [word] } }))).toEqual([item])
      }
      expect(await index.count(space, 'ns')).toBe(3)
    })

    of('removal', 'removes a namespace in slices until none is left', async () => {
      const points = Array.from({ length: 25 }, (_, i) => point({ itemId: `${i}`, words: ['w'] }))
      const index = await openIndex([...points, point({ namespaceId: 'other' })])
      const removed: number[] = []
      for (let i = 0; i < 4; i++) removed.push(await index.removeNamespace(space, 'ns', 10))
      expect(removed).toEqual([10, 10, 5, 0])
      expect(await index.count(space, 'ns')).toBe(0)
      expect(await listAll(index, ['ns', 'other'])).toEqual([addressOf(point({ namespaceId: 'other' }))])
      await index.upsert(space, [point({ itemId: 'again' })])
      expect(itemsOf(await search(index, { limit: 100 }))).toEqual(['again'])
      expect(await search(index, { filter: { terms: [], words: ['w'] } })).toEqual([])
    })

    of('removal', 'finds none of the removed points, and all of the others', async () => {
      const points = Array.from({ length: 1_200 }, (_, i) => point({ itemId: `${i}`, vector: wideVector(i) }))
      const index = await openIndex(points, wide)
      const query = { namespaceIds: ['ns'], vector: Float32Array.from(wideVector(77)), limit: 4_096 }
      expect(await index.search(wide, query)).toHaveLength(1_200)
      await Promise.all(
        Array.from({ length: 400 }, (_, i) => index.removeVersion(wide, { namespaceId: 'ns', itemId: `${i * 3}`, version: 'v1' })),
      )
      const hits = await index.search(wide, query)
      expect(hits).toHaveLength(800)
      expect(hits.filter(({ itemId }) => Number(itemId) % 3 === 0)).toEqual([])
    })

    of('listing', 'pages by address through several namespaces', async () => {
      const points = ['b', 'a', 'c'].flatMap((namespaceId) =>
        Array.from({ length: 7 }, (_, i) => point({ namespaceId, itemId: `${i % 3}`, version: `v${i % 2}`, passage: i })),
      )
      const index = await openIndex(points)
      const all = await listAll(index, ['c', 'a', 'b'])
      expect(all).toHaveLength(21)
      expect(all.map(({ namespaceId }) => namespaceId).join('')).toBe('aaaaaaabbbbbbbccccccc')
      const paged: PointAddress[] = []
      for (let after: PointAddress | undefined; ; after = paged.at(-1)) {
        const page = await index.list(space, { namespaceIds: ['a', 'b', 'c'], limit: 4, ...(after ? { after } : {}) })
        paged.push(...page)
        if (page.length < 4) break
      }
      expect(paged).toEqual(all)
    })

    of('listing', 'orders by UTF-8 bytes, passages as numbers', async () => {
      const ordered = [
        { itemId: '10' },
        { itemId: '9', version: 'B' },
        { itemId: '9', version: 'b', passage: 2 },
        { itemId: '9', version: 'b', passage: 10 },
        { itemId: 'Z' },
        { itemId: 'a' },
        { itemId: 'é' },
        { itemId: '\uffee' },
        { itemId: '😀' },
      ].map(point)
      const index = await openIndex(ordered.toReversed())
      expect(await listAll(index)).toEqual(ordered.map(addressOf))
      for (const [i, after] of ordered.entries()) {
        expect(await index.list(space, { namespaceIds: ['ns'], after: addressOf(after), limit: 100 })).toEqual(
          ordered.slice(i + 1).map(addressOf),
        )
      }
    })

    of('listing', 'goes on after an address that is gone, and ends after the last', async () => {
      const index = await openIndex(['a', 'b', 'd'].map((itemId) => point({ itemId })))
      const after = (itemId: string, namespaceId = 'ns') =>
        index.list(space, { namespaceIds: ['ns'], after: addressOf(point({ namespaceId, itemId })), limit: 10 })
      expect(itemsOf(await after('c'))).toEqual(['d'])
      expect(await after('d')).toEqual([])
      expect(await after('z', 'nz')).toEqual([])
      expect(itemsOf(await after('z', 'na'))).toEqual(['a', 'b', 'd'])
    })

    of('listing', 'pages through the points that pass a filter, few or many', async () => {
      const points = Array.from({ length: 5_000 }, (_, i) =>
        point({ itemId: String(i).padStart(4, '0'), terms: i % 2 === 0 ? ['even:yes'] : [], words: i % 625 === 0 ? ['seldom'] : [] }),
      )
      const index = await openIndex(points)
      const seldom = { terms: ['even:yes'], words: ['seldom'] }
      expect(itemsOf(await index.list(space, { namespaceIds: ['ns'], filter: seldom, limit: 100 }))).toEqual([
        '0000',
        '1250',
        '2500',
        '3750',
      ])
      const rest = await index.list(space, { namespaceIds: ['ns'], filter: seldom, after: addressOf(points[1_250]!), limit: 1 })
      expect(itemsOf(rest)).toEqual(['2500'])
      const even = { terms: ['even:yes'], words: [] }
      const first = await index.list(space, { namespaceIds: ['ns'], filter: even, limit: 2_000 })
      const second = await index.list(space, { namespaceIds: ['ns'], filter: even, after: first.at(-1)!, limit: 2_000 })
      expect(itemsOf([...first, ...second])).toEqual(itemsOf(points.filter(({ terms }) => terms.length > 0)))
    })

    of('count', 'counts the points of one namespace', async () => {
      const index = await openIndex([point(), point({ passage: 1 }), point({ namespaceId: 'other' })])
      expect(await index.count(space, 'ns')).toBe(2)
      await index.upsert(space, [point(), point({ passage: 2 })])
      expect(await index.count(space, 'ns')).toBe(3)
      await index.removeVersion(space, { namespaceId: 'ns', itemId: 'item', version: 'v1', fromPassage: 1 })
      expect(await index.count(space, 'ns')).toBe(1)
    })

    of('spaces', 'behaves as empty where a space is not known', async () => {
      const index = await openIndex()
      const unknown: Space = { key: 'contract-unknown', dimension: 2 }
      expect(await index.search(unknown, { namespaceIds: ['ns'], vector: Float32Array.of(1, 0), limit: 5 })).toEqual([])
      expect(await listAll(index, ['ns'], unknown)).toEqual([])
      expect(await index.count(unknown, 'ns')).toBe(0)
      expect(await index.removeNamespace(unknown, 'ns', 5)).toBe(0)
      expect(await index.removeVersion(unknown, { namespaceId: 'ns', itemId: 'item', version: 'v1' })).toBe(0)
    })

    of('spaces', 'makes a space once however often it is asked', async () => {
      const index = await openIndex()
      await Promise.all([index.ensure(space), index.ensure(space), index.ensure(space)])
      expect(await search(index)).toEqual([])
      await index.upsert(space, [point()])
      await index.ensure(space)
      expect(await search(index)).toHaveLength(1)
    })

    of('spaces', 'keeps spaces apart, also for one namespace', async () => {
      const index = await openIndex([point({ itemId: 'narrow' })])
      await index.upsert(wide, [point({ itemId: 'wide', vector: wideVector(1) })])
      expect(itemsOf(await search(index))).toEqual(['narrow'])
      expect(itemsOf(await listAll(index, ['ns'], wide))).toEqual(['wide'])
      expect(await index.removeNamespace(wide, 'ns', 10)).toBe(1)
      expect(await index.count(space, 'ns')).toBe(1)
    })

    of('concurrency', 'loses nothing of many calls at once', async () => {
      const index = await openIndex()
      const calls = Array.from({ length: 60 }, (_, call) =>
        index.upsert(
          space,
          Array.from({ length: 5 }, (_, i) => point({ namespaceId: `n${call % 3}`, itemId: `${call}-${i}`, words: ['w'] })),
        ),
      )
      await Promise.all(calls)
      const namespaceIds = ['n0', 'n1', 'n2']
      expect(await listAll(index, namespaceIds)).toHaveLength(300)
      expect(await Promise.all(namespaceIds.map((id) => index.count(space, id)))).toEqual([100, 100, 100])
      expect(await search(index, { namespaceIds, limit: 1_000, filter: { terms: [], words: ['w'] } })).toHaveLength(300)
    })

    of('concurrency', 'keeps one point of an address that is written from many sides', async () => {
      const index = await openIndex()
      await Promise.all(Array.from({ length: 30 }, (_, i) => index.upsert(space, [point({ vector: [1, i, 0], words: [`from${i}`] })])))
      expect(await index.count(space, 'ns')).toBe(1)
      const passes = await Promise.all(Array.from({ length: 30 }, (_, i) => search(index, { filter: { terms: [], words: [`from${i}`] } })))
      expect(passes.flat()).toHaveLength(1)
    })

    of('concurrency', 'shows every write that has resolved to every later search, while others go on', async () => {
      const index = await openIndex()
      let written = 0
      const writing = (async () => {
        for (let i = 0; i < 40; i++) {
          await index.upsert(space, [point({ itemId: `${i}` })])
          written++
        }
      })()
      for (let i = 0; i < 40; i++) {
        const before = written
        expect((await search(index, { limit: 100 })).length).toBeGreaterThanOrEqual(before)
      }
      await writing
      expect(await search(index, { limit: 100 })).toHaveLength(40)
    })

    of('closing', 'closes twice, also when nothing was ever asked', async () => {
      const unused = await open()
      await unused.close()
      await unused.close()
      const index = await open()
      await index.upsert(space, [point()])
      await Promise.all([index.close(), index.close()])
      await index.close()
    })

    of('closing', 'finishes what was under way and refuses what comes after', async () => {
      const index = await open()
      const written = index.upsert(space, [point()])
      const closed = index.close()
      await expect(written).resolves.toBeUndefined()
      await closed
      await expect(index.upsert(space, [point()])).rejects.toMatchObject({ code: 'unavailable' })
      await expect(search(index)).rejects.toMatchObject({ code: 'unavailable' })
    })
  })
}
