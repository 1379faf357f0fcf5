import { expect } from 'vitest'
import { addressOf, itemsOf, point, type Scene, space, wide, wideVector } from './points.fixture.ts'

/** Contract of removal: what is removed, and that searches no longer find it. */
export const removalContract = ({ of, openIndex, search, listAll }: Scene): void => {
  of('removal', 'removes one version of one item and returns the number of points', async () => {
    const index = await openIndex([
      ...[0, 1, 2].map((passage) => point({ itemId: 'a', version: 'v1', passage, words: ['w'] })),
      ...[0, 1].map((passage) => point({ itemId: 'a', version: 'v2', passage })),
      point({ itemId: 'b', version: 'v1' }),
    ])
    expect(await index.removeVersions(space, [{ namespaceId: 'ns', itemId: 'a', version: 'v1' }])).toBe(3)
    expect((await listAll(index)).map(({ itemId, version, passage }) => `${itemId} ${version} ${passage}`)).toEqual([
      'a v2 0',
      'a v2 1',
      'b v1 0',
    ])
    expect(await search(index)).toHaveLength(3)
    expect(await search(index, { filter: { terms: [], words: ['w'] } })).toEqual([])
    expect(await index.removeVersions(space, [{ namespaceId: 'ns', itemId: 'a', version: 'v1' }])).toBe(0)
  })

  of('removal', 'removes a version from one passage on', async () => {
    const index = await openIndex([0, 1, 2, 9, 10].map((passage) => point({ passage })))
    expect(
      await index.removeVersions(space, [{ namespaceId: 'ns', itemId: 'item', version: 'v1', fromPassage: 2 }]),
    ).toBe(3)
    expect((await listAll(index)).map(({ passage }) => passage)).toEqual([0, 1])
    expect(
      await index.removeVersions(space, [{ namespaceId: 'ns', itemId: 'item', version: 'v1', fromPassage: 2 }]),
    ).toBe(0)
  })

  of('removal', 'removes versions of several items and namespaces at once, each from its own passage on', async () => {
    const passages = (itemId: string, namespaceId = 'ns') =>
      [0, 1, 2].map((passage) => point({ namespaceId, itemId, version: 'v1', passage }))
    const index = await openIndex([
      ...passages('a'),
      ...passages('b'),
      ...passages('c'),
      ...passages('a', 'other'),
      ...passages('b', 'other'),
    ])
    const targets = [
      { namespaceId: 'ns', itemId: 'a', version: 'v1' },
      { namespaceId: 'ns', itemId: 'b', version: 'v1', fromPassage: 2 },
      { namespaceId: 'ns', itemId: 'c', version: 'v2' },
      { namespaceId: 'other', itemId: 'b', version: 'v1', fromPassage: 1 },
    ]
    expect(await index.removeVersions(space, targets)).toBe(6)
    const left = await Promise.all(
      ['ns', 'other'].map(async (namespaceId) =>
        (await index.list(space, { namespaceIds: [namespaceId], limit: 100 })).map(
          ({ itemId, passage }) => `${itemId} ${passage}`,
        ),
      ),
    )
    expect(left).toEqual([
      ['b 0', 'b 1', 'c 0', 'c 1', 'c 2'],
      ['a 0', 'a 1', 'a 2', 'b 0'],
    ])
    expect(await index.removeVersions(space, targets)).toBe(0)
    expect(await index.removeVersions(space, [])).toBe(0)
  })

  of('removal', 'can write a removed address again', async () => {
    const index = await openIndex([
      point({ vector: [0, 1, 0], words: ['first'] }),
      point({ itemId: 'other', words: ['other'] }),
    ])
    await index.removeVersions(space, [{ namespaceId: 'ns', itemId: 'item', version: 'v1' }])
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

  of('removal', 'finds all points but the removed ones', async () => {
    const points = Array.from({ length: 1_200 }, (_, i) => point({ itemId: `${i}`, vector: wideVector(i) }))
    const index = await openIndex(points, wide)
    const query = { namespaceIds: ['ns'], vector: Float32Array.from(wideVector(77)), limit: 4_096 }
    expect(await index.search(wide, query)).toHaveLength(1_200)
    await Promise.all(
      Array.from({ length: 400 }, (_, i) =>
        index.removeVersions(wide, [{ namespaceId: 'ns', itemId: `${i * 3}`, version: 'v1' }]),
      ),
    )
    const hits = await index.search(wide, query)
    expect(hits).toHaveLength(800)
    expect(hits.filter(({ itemId }) => Number(itemId) % 3 === 0)).toEqual([])
  })
}
