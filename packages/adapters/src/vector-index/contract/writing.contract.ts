import type { EmbeddingSpace } from '@cairn/domain/ports/vector-index'
import { expect } from 'vitest'
import { itemsOf, point, type Scene, space, wide, wideVector } from './points.fixture.ts'

/** Contract of writing: which points are stored, which are rejected, and which spaces exist. */
export const writingContract = ({ of, openIndex, search, listAll }: Scene): void => {
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

  of('upsert', 'keeps the last of two points with one address in a call', async () => {
    const index = await openIndex([point({ vector: [0, 1, 0] }), point({ vector: [1, 0, 0] })])
    expect(await index.count(space, 'ns')).toBe(1)
    expect((await search(index))[0]?.score).toBeCloseTo(1, 5)
  })

  of('upsert', 'keeps versions and passages of one item apart', async () => {
    const points = [point(), point({ version: 'v2' }), point({ passage: 1 }), point({ itemId: 'other' })]
    const index = await openIndex(points)
    expect(await index.count(space, 'ns')).toBe(4)
  })

  of('upsert', 'is not affected when the caller changes a vector later', async () => {
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

  of(
    'validation',
    'refuses a vector of another dimension or without direction, and writes nothing of the call',
    async () => {
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
        const call = index.upsert(space, [
          point({ itemId: 'good' }),
          point({ itemId: 'bad', vector }),
          point({ itemId: 'after' }),
        ])
        await expect(call, `[${vector}]`).rejects.toMatchObject({ name: 'AppError', code: 'invalid' })
      }
      expect(await listAll(index)).toEqual([])
      expect(await index.count(space, 'ns')).toBe(0)
    },
  )

  of('validation', 'stores nothing of a rejected call', async () => {
    const index = await openIndex([point({ vector: [1, 0, 0], terms: ['kept:1'] })])
    await expect(
      index.upsert(space, [point({ vector: [0, 1, 0] }), point({ vector: [0, 0, 0] })]),
    ).rejects.toMatchObject({
      code: 'invalid',
    })
    const [hit] = await search(index, { filter: { terms: ['kept:1'], words: [] } })
    expect(hit?.score).toBeCloseTo(1, 5)
  })

  of('validation', 'rejects a query of another dimension or with an all-zero vector', async () => {
    const index = await openIndex([point()])
    for (const vector of [[], [1, 0], [Number.NaN, 0, 0], [Number.POSITIVE_INFINITY, 0, 0], [0, 0, 0]]) {
      await expect(search(index, { vector }), `[${vector}]`).rejects.toMatchObject({
        name: 'AppError',
        code: 'invalid',
      })
    }
  })

  of('count', 'counts the points of one namespace', async () => {
    const index = await openIndex([point(), point({ passage: 1 }), point({ namespaceId: 'other' })])
    expect(await index.count(space, 'ns')).toBe(2)
    await index.upsert(space, [point(), point({ passage: 2 })])
    expect(await index.count(space, 'ns')).toBe(3)
    await index.removeVersions(space, [{ namespaceId: 'ns', itemId: 'item', version: 'v1', fromPassage: 1 }])
    expect(await index.count(space, 'ns')).toBe(1)
  })

  of('spaces', 'treats an unknown space as empty', async () => {
    const index = await openIndex()
    const unknown: EmbeddingSpace = { key: 'contract-unknown', dimension: 2 }
    expect(await index.search(unknown, { namespaceIds: ['ns'], vector: Float32Array.of(1, 0), limit: 5 })).toEqual([])
    expect(await listAll(index, ['ns'], unknown)).toEqual([])
    expect(await index.count(unknown, 'ns')).toBe(0)
    expect(await index.removeNamespace(unknown, 'ns', 5)).toBe(0)
    expect(await index.removeVersions(unknown, [{ namespaceId: 'ns', itemId: 'item', version: 'v1' }])).toBe(0)
  })

  of('spaces', 'creates a space once, also by concurrent calls', async () => {
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
}
