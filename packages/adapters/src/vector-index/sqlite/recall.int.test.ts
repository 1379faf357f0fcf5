import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EmbeddingSpace, Point, PointFilter, VectorIndex } from '@cairn/domain/ports/vector-index'
import { type Random, seededRandom } from '@cairn/testing/seeded-random'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { sqliteVectorIndex } from '../sqlite.ts'
import { dot, writeUnit } from '../vector-math.ts'
import { scoreAt } from './best-scores.ts'

/** Default number of hits per search. Recall is measured against a comparison with every vector. */
const limit = 10
const batch = 1_000

const unit = (vector: Float32Array) => {
  writeUnit(vector, vector)
  return vector
}
const normal = (random: Random) => random.next() + random.next() + random.next() - 1.5
const normalVector = (random: Random, dimension: number) =>
  Float32Array.from({ length: dimension }, () => normal(random))

type Data = { readonly random: Random; readonly dimension: number; readonly count: number }
type Shape = (data: Data) => () => Float32Array

/** Creates vectors around 100 centers, like texts on 100 subjects. */
const clustered: Shape = ({ random, dimension }) => {
  const centres = Array.from({ length: 100 }, () => normalVector(random, dimension))
  return () => unit(random.pick(centres).map((value) => value + normal(random) / 2))
}

/** Creates vectors around one center after another: the vectors of a center are unlike those of earlier centers. */
const drifting: Shape = ({ random, dimension, count }) => {
  const centres = Array.from({ length: 40 }, () => normalVector(random, dimension).map((value) => value + 2))
  let made = 0
  return () =>
    unit(
      centres[Math.floor((made++ * centres.length) / count) % centres.length]!.map(
        (value) => value + normal(random) / 2,
      ),
    )
}

/** Creates vectors without negative numbers, like word counts and many image features. */
const positive: Shape = (data) => {
  const make = clustered(data)
  return () => make().map(Math.abs)
}

/** Creates about 80 points per vector. */
const duplicated: Shape = (data) => {
  const make = clustered(data)
  const different = Array.from({ length: data.count / 80 }, make)
  return () => data.random.pick(different)
}

/** Creates vectors on a circle in a space of many dimensions; their signs contain almost no information. */
const circle: Shape =
  ({ random, dimension }) =>
  () => {
    const vector = new Float32Array(dimension)
    const angle = random.next() * 2 * Math.PI
    vector[0] = Math.cos(angle)
    vector[1] = Math.sin(angle)
    return vector
  }

const uniform: Shape =
  ({ random, dimension }) =>
  () =>
    unit(normalVector(random, dimension))

const anyPoint = (namespaceId: string, i: number, vector: Float32Array): Point => ({
  namespaceId,
  itemId: `${i}`,
  version: 'v1',
  passage: 0,
  vector,
  terms: i % 10 === 3 ? ['tenth:yes'] : [],
  words: i % 7 === 0 ? (i % 1_001 === 0 ? ['seventh', 'seldom'] : ['seventh']) : [],
})

/** All tests share one index, each with its own namespace: opening an index takes most of a test's time. */
const directory = mkdtempSync(join(tmpdir(), 'cairn-test-'))
let shared: VectorIndex
let namespaces = 0
beforeAll(() => {
  shared = sqliteVectorIndex({ file: join(directory, 'vectors.db') })
})
afterAll(async () => {
  await shared.close()
  rmSync(directory, { recursive: true, force: true })
})

const setUp = (shape: Shape, options: { readonly dimension: number; readonly count: number }) => {
  const { dimension, count } = options
  const make = shape({ random: seededRandom(42), dimension, count })
  const vectors = Array.from({ length: count }, make)
  const namespaceId = `ns-${++namespaces}`
  const space: EmbeddingSpace = { key: `test-${dimension}`, dimension }
  const write = (from: number, to: number, index = shared) =>
    index.upsert(
      space,
      vectors.slice(from, to).map((vector, i) => anyPoint(namespaceId, from + i, vector)),
    )
  return { make, write, vectors, namespaceId, space }
}

type Searched = {
  readonly index?: VectorIndex
  readonly space: EmbeddingSpace
  readonly namespaceId: string
  readonly vectors: readonly Float32Array[]
  readonly limit?: number
}

/** Returns the share of correct hits by score: any of equally near points is correct. */
const recallOf = async (
  queries: readonly Float32Array[],
  { index = shared, space, namespaceId, vectors, limit: count = limit }: Searched,
  filter?: PointFilter,
  passes: (i: number) => boolean = () => true,
) => {
  let found = 0
  for (const vector of queries) {
    const hits = await index.search(space, {
      namespaceIds: [namespaceId],
      vector,
      limit: count,
      ...(filter ? { filter } : {}),
    })
    const floor =
      scoreAt(
        Float64Array.from(vectors, (other, i) => (passes(i) ? dot(vector, other) : -1)),
        count,
      ) - 1e-6
    expect(hits).toHaveLength(count)
    for (const { itemId, score } of hits) expect(score).toBeCloseTo(dot(vector, vectors[Number(itemId)]!), 5)
    found += hits.filter(({ itemId, score }) => score >= floor && passes(Number(itemId))).length
  }
  return found / queries.length / count
}

const inBatches = async (count: number, write: (from: number, to: number) => Promise<void>) => {
  for (let from = 0; from < count; from += batch) await write(from, Math.min(count, from + batch))
}

describe('recall@10 of large namespaces', () => {
  it.each([
    ['clustered', clustered, 128, 4_000],
    ['all-positive', positive, 128, 3_000],
    ['heavily duplicated', duplicated, 128, 4_000],
    ['uniform', uniform, 128, 2_500],
    ['one-dimensional', circle, 128, 2_500],
    ['10-dimensional', clustered, 10, 5_000],
    ['200-dimensional', clustered, 200, 2_500],
  ])('is at least 0.99 for %s vectors', async (_, shape, dimension, count) => {
    const { make, write, ...searched } = setUp(shape, { dimension, count })
    await inBatches(count, write)
    expect(await recallOf(Array.from({ length: 20 }, make), searched)).toBeGreaterThanOrEqual(0.99)
  })

  it('is as high for queries far from every vector', async () => {
    const { write, ...searched } = setUp(clustered, { dimension: 384, count: 4_000 })
    await inBatches(4_000, write)
    const random = seededRandom(7)
    const queries = Array.from({ length: 40 }, () => unit(normalVector(random, 384)))
    expect(await recallOf(queries, searched)).toBeGreaterThanOrEqual(0.99)
  })

  it('stays as high while the data grows and changes, and after a third of it was replaced', async () => {
    const count = 5_000
    const { make, write, vectors, ...place } = setUp(drifting, { dimension: 128, count })
    const recalls: number[] = []
    await inBatches(count, async (from, to) => {
      await write(from, to)
      if (to < 2 * batch) return
      recalls.push(
        await recallOf([vectors[0]!, vectors[from]!, vectors[to - 1]!, make()], {
          ...place,
          vectors: vectors.slice(0, to),
        }),
      )
    })
    for (let i = 0; i < count; i += 3) vectors[i] = make()
    const { namespaceId, space } = place
    await shared.upsert(
      space,
      vectors.flatMap((vector, i) => (i % 3 === 0 ? [anyPoint(namespaceId, i, vector)] : [])),
    )
    recalls.push(await recallOf(vectors.slice(0, 30), { ...place, vectors }))
    expect(Math.min(...recalls)).toBeGreaterThanOrEqual(0.95)
  })

  it('is no lower with a filter, and exact if few points pass', async () => {
    const count = 11_000
    const { make, write, ...searched } = setUp(clustered, { dimension: 128, count })
    await inBatches(count, write)
    const queries = Array.from({ length: 10 }, make)
    const seventh = { terms: [], words: ['seventh'] }
    const tenth = { terms: ['tenth:yes'], words: [] }
    const both = { terms: ['tenth:yes'], words: ['seventh'] }
    expect(await recallOf(queries, searched, seventh, (i) => i % 7 === 0)).toBeGreaterThanOrEqual(0.95)
    expect(await recallOf(queries, searched, tenth, (i) => i % 10 === 3)).toBeGreaterThanOrEqual(0.95)
    expect(await recallOf(queries, searched, both, (i) => i % 70 === 63)).toBe(1)
    expect(await recallOf(queries, searched, { terms: [], words: ['seldom', 'seventh'] }, (i) => i % 1_001 === 0)).toBe(
      1,
    )
  })

  it('holds for many results', async () => {
    const { make, write, ...searched } = setUp(clustered, { dimension: 128, count: 4_096 })
    await inBatches(4_096, write)
    const queries = Array.from({ length: 3 }, make)
    for (const count of [1, 40, 400, 4_096]) {
      expect(await recallOf(queries, { ...searched, limit: count }), `limit ${count}`).toBeGreaterThanOrEqual(0.95)
    }
  })

  it('is exact if vectors are too short for codes and exceed the memory', async () => {
    const index = sqliteVectorIndex({ file: join(directory, 'small.db'), memoryBytes: 1_000 })
    onTestFinished(() => index.close())
    const { make, write, ...searched } = setUp(clustered, { dimension: 64, count: 6_000 })
    await inBatches(6_000, (from, to) => write(from, to, index))
    const queries = Array.from({ length: 5 }, make)
    expect(await recallOf(queries, { ...searched, index })).toBe(1)
    expect(await recallOf(queries, { ...searched, index }, { terms: [], words: ['seventh'] }, (i) => i % 7 === 0)).toBe(
      1,
    )
  })

  it('holds if only 1-bit codes fit into the memory', async () => {
    const index = sqliteVectorIndex({ file: join(directory, 'signs.db'), memoryBytes: 1_000 })
    onTestFinished(() => index.close())
    const { make, write, ...searched } = setUp(clustered, { dimension: 128, count: 6_000 })
    await inBatches(6_000, (from, to) => write(from, to, index))
    const queries = Array.from({ length: 10 }, make)
    expect(await recallOf(queries, { ...searched, index })).toBeGreaterThanOrEqual(0.95)
  })

  it('covers large and small namespaces, and excludes removed points', async () => {
    const { make, vectors, space } = setUp(clustered, { dimension: 128, count: 4_000 })
    const namespaceOf = (i: number) => (i < 2_000 ? 'large' : i < 3_900 ? 'other' : i % 2 === 0 ? 'small' : 'tiny')
    await shared.upsert(
      space,
      vectors.map((vector, i) => anyPoint(namespaceOf(i), i, vector)),
    )
    const removed = new Set<number>()
    const check = async () => {
      let found = 0
      for (const vector of Array.from({ length: 10 }, make)) {
        const hits = await shared.search(space, { namespaceIds: ['large', 'other', 'small', 'tiny'], vector, limit })
        const scores = vectors.flatMap((other, i) => (removed.has(i) ? [] : [dot(vector, other)])).sort((a, b) => b - a)
        found += hits.filter(
          ({ score, itemId }) => score >= scores[limit - 1]! - 1e-6 && !removed.has(Number(itemId)),
        ).length
        for (const { namespaceId, itemId } of hits) expect(namespaceId).toBe(namespaceOf(Number(itemId)))
      }
      return found / 10 / limit
    }
    expect(await check()).toBeGreaterThanOrEqual(0.95)
    expect(await shared.removeNamespace(space, 'other', 1_500)).toBe(1_500)
    expect(await shared.removeNamespace(space, 'other', 1_500)).toBe(400)
    for (let i = 2_000; i < 3_900; i++) removed.add(i)
    const versions = Array.from({ length: 200 }, (_, i) => i * 7)
    for (const i of versions) removed.add(i)
    await Promise.all(
      versions.map((i) => shared.removeVersions(space, [{ namespaceId: 'large', itemId: `${i}`, version: 'v1' }])),
    )
    expect(await check()).toBeGreaterThanOrEqual(0.95)
  })
})
