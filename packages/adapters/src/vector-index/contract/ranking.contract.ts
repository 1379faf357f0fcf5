import type { VectorHit, VectorQuery } from '@cairn/domain/ports/vector-index'
import { expect } from 'vitest'
import { addressOf, cosine, itemsOf, point, type Scene, scattered, space, wide, wideVector } from './points.fixture.ts'

/** Contract of ranking: which points are found, in which order. */
export const rankingContract = ({ of, openIndex, search }: Scene): void => {
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
    const index = await openIndex([
      point({ itemId: 'huge', vector: [3e38, 3e38, 0] }),
      point({ itemId: 'tiny', vector: [1e-40, 0, 0] }),
    ])
    const hits = await search(index)
    expect(itemsOf(hits)).toEqual(['tiny', 'huge'])
    expect(hits[0]?.score).toBeCloseTo(1, 4)
    expect(hits[1]?.score).toBeCloseTo(Math.SQRT1_2, 4)
  })

  of('ranking', 'returns the best of many points, as an exhaustive comparison does', async () => {
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

  of('ranking', 'ignores excepted versions, with all their passages', async () => {
    const points = Array.from({ length: 60 }, (_, passage) =>
      point({ itemId: 'long', passage, vector: [1, 0.01 * passage, 0] }),
    )
    const index = await openIndex([
      ...points,
      point({ itemId: 'long', version: 'other', vector: [1, 1, 0] }),
      point({ itemId: 'short', vector: [1, 2, 0], words: ['word'] }),
      point({ itemId: 'far', vector: [0, 1, 0], words: ['word'] }),
    ])
    const { version } = points[0]!
    const found = async (except: VectorQuery['except'], filter?: VectorQuery['filter']) =>
      (await search(index, { limit: 3, ...(except ? { except } : {}), ...(filter ? { filter } : {}) })).map(
        (hit) => `${hit.itemId} ${hit.version === version ? '' : hit.version}`,
      )
    expect(await found(undefined)).toEqual(['long ', 'long ', 'long '])
    expect(await found([])).toEqual(['long ', 'long ', 'long '])
    const namespaceId = 'ns'
    const long = { namespaceId, itemId: 'long', version }
    expect(await found([long])).toEqual(['long other', 'short ', 'far '])
    expect(
      await found([
        long,
        { namespaceId, itemId: 'short', version: 'none' },
        { ...long, itemId: 'short', namespaceId: 'other' },
      ]),
    ).toEqual(['long other', 'short ', 'far '])
    expect(await found([long, { ...long, itemId: 'short' }, { ...long, version: 'other' }])).toEqual(['far '])
    expect(await found([{ ...long, itemId: 'short' }], { terms: [], words: ['word'] })).toEqual(['far '])
  })

  of('ranking', 'ignores excepted versions among many points, too', async () => {
    const points = Array.from({ length: 2_000 }, (_, i) => point({ itemId: `${i}`, vector: wideVector(i) }))
    const index = await openIndex(points, wide)
    const query = { namespaceIds: ['ns'], vector: Float32Array.from(wideVector(9)), limit: 20 }
    const all = await index.search(wide, { ...query, limit: 30 })
    expect(itemsOf(await index.search(wide, { ...query, except: all.slice(0, 10) }))).toEqual(itemsOf(all.slice(10)))
  })

  of('ranking', 'returns at most the limit, and all points if they are fewer', async () => {
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
}
