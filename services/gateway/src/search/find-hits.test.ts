import { join } from 'node:path'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { metadataTerm } from '@cairn/contracts/text/terms'
import { createFileScene, drafts } from '@cairn/domain/files/file-scene.fixture'
import type { Point, VectorIndex } from '@cairn/domain/ports/vector-index'
import { createScene, documents, type Scene, times } from '@cairn/domain/protocol/scene.fixture'
import { forFile } from '@cairn/testing/for-file'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it } from 'vitest'
import { readableId } from '../gate.fixture.ts'
import { type Ask, findHits, firstLimit, listHits } from './find-hits.ts'

const space = { key: 'lexical-words-256', dimension: 2 }
const vectorsOfFile = forFile((directory) => sqliteVectorIndex({ file: join(directory, 'vectors.db') }))
const filter = { terms: [], words: [] }
const query = Float32Array.of(1, 0)
/** Returns a vector that has this cosine with the query. */
const at = (score: number) => Float32Array.of(score, Math.sqrt(1 - score * score))

/** Returns a function that queries the index by the vector. */
const asking =
  (vectors: VectorIndex, namespaceIds: readonly string[]): Ask =>
  (except, limit) =>
    vectors.search(space, { namespaceIds, vector: query, filter, except, limit })

const setUp = async () => {
  const vectors = vectorsOfFile()
  const store = stepwiseStore({ now: () => 0 })
  const scene = await createScene(store)
  const write = (
    points: readonly (Partial<Point> & Pick<Point, 'itemId' | 'version' | 'vector'>)[],
    { namespaceId }: Pick<Scene, 'namespaceId'> = scene,
  ) =>
    vectors.upsert(
      space,
      points.map((point) => ({ namespaceId, passage: 0, terms: [], words: [], ...point })),
    )
  /** Indexes an item whose passages have these scores. */
  const index = async (id: string, ...scores: readonly number[]): Promise<string> => {
    const version = await scene.indexed(documents([id]), scores.length)
    await write(scores.map((score, passage) => ({ itemId: id, version, passage, vector: at(score) })))
    return version
  }
  const limits: number[] = []
  /**
   * Wraps the index: records the limit of each query in `limits`; `between` runs once, between a query and its look-up.
   */
  const watched = (between?: () => Promise<unknown>): VectorIndex => {
    let done = false
    const once = async <T>(result: T): Promise<T> => {
      if (!done) await between?.()
      done = true
      return result
    }
    return {
      ...vectors,
      search: async (...of) => {
        limits.push(of[1].limit)
        return once(await vectors.search(...of))
      },
      list: async (...of) => {
        limits.push(of[1].limit)
        return once(await vectors.list(...of))
      },
    }
  }
  const { namespaceId } = scene
  const find = (wanted: number, between?: () => Promise<unknown>) =>
    findHits({ store, vectors })(asking(watched(between), [namespaceId]), wanted, {
      limit: firstLimit('text', wanted),
    })
  const list = (
    wanted: number,
    of: Partial<typeof filter> | { terms: string[] } = {},
    between?: () => Promise<unknown>,
  ) =>
    listHits({ store, vectors: watched(between) })(
      space,
      { namespaceIds: [readableId(namespaceId)], filter: { ...filter, ...of } },
      wanted,
    )
  return { ...scene, vectors, write, index, find, list, limits }
}

const scores = ({ found }: { readonly found: readonly { readonly id: string; readonly score: number }[] }) =>
  found.map(({ id, score }) => [id, Number(score.toFixed(3))])

it('gives one hit for an item, that of its best passage', async () => {
  const { index, find } = await setUp()
  await index('a', 0.2, 0.9, 0.5)
  await index('b', 0.7)
  const result = await find(10)
  expect(scores(result)).toEqual([
    ['a', 0.9],
    ['b', 0.7],
  ])
  expect(result).toMatchObject({ read: 4, complete: true })
})

it('counts no point of a version that is not the indexed one', async () => {
  const { index, find, write, accepted, store, namespaceId } = await setUp()
  await index('stale', 0.99)
  const version = await index('stale', 0.4)
  await write([{ itemId: 'stale', version: 'of a zombie', vector: at(0.98) }])
  const { id } = await accepted(['new'])
  await write([{ itemId: 'new', version: id, vector: at(0.97) }])
  await write([{ itemId: 'gone', version: 'long ago', vector: at(0.96) }])
  const failed = (await accepted(['bad'])).id
  await store.items.markFailed(namespaceId, failed, [{ id: 'bad', reason: 'internal' }])
  await write([{ itemId: 'bad', version: failed, vector: at(0.95) }])
  const { found } = await find(10)
  expect(found.map((hit) => hit.id)).toEqual(['stale'])
  expect(found[0]?.score).toBeCloseTo(0.4, 3)
  expect(version).toBeDefined()
})

it('shows the body that is indexed while a later one is under way', async () => {
  const { index, find, accepted } = await setUp()
  await index('a', 0.9)
  await accepted(documents(['a'], 'a later text'))
  expect((await find(10)).found[0]?.body.text).toBe('text of a')
})

it('asks for four points an item, then for twice as many of other items', async () => {
  const { index, find, limits } = await setUp()
  await index('many', ...times(30, (number) => 0.99 - number / 10_000))
  await index('b', 0.5)
  await index('c', 0.4)
  await index('d', 0.3)
  expect((await find(2)).found.map(({ id }) => id)).toEqual(['many', 'b'])
  expect(limits).toEqual([8, 16])
  limits.length = 0
  expect((await find(100)).found).toHaveLength(4)
  expect(limits).toEqual([400])
})

it('looks up no more items than it needs, but all of one score at the end of them', async () => {
  const { index, store, find } = await setUp()
  for (const [id, score] of [
    ['a', 0.9],
    ['b', 0.8],
    ['c', 0.7],
    ['d', 0.7],
    ['e', 0.6],
    ['f', 0.5],
  ] as const)
    await index(id, score)
  const requested: number[] = []
  const { searchable } = store.items
  store.items.searchable = (addresses) => {
    requested.push(addresses.length)
    return searchable(addresses)
  }
  expect(scores(await find(3)).map(([id]) => id)).toEqual(expect.arrayContaining(['a', 'b', 'c', 'd']))
  expect(requested).toEqual([3, 3])
  requested.length = 0
  expect(scores(await find(2)).map(([id]) => id)).toEqual(['a', 'b'])
  expect(requested).toEqual([2])
})

it('reads 320 points for texts that the model reads, in slices of 32 items', async () => {
  const { index, store, limits, vectors, namespaceId } = await setUp()
  for (const number of times(400, (index) => index)) await index(`d${number}`, 0.9 - number / 1_000)
  const requested: number[] = []
  const { searchable } = store.items
  store.items.searchable = (addresses) => {
    requested.push(addresses.length)
    return searchable(addresses)
  }
  const ask: Ask = async (except, limit) => {
    limits.push(limit)
    return asking(vectors, [namespaceId])(except, limit)
  }
  const parts = { mode: 'hybrid', readable: { query: 1, text: 0 } } as const
  const find = findHits({ store, vectors }, { withText: (hit) => ({ ...hit, score: 0, parts }) })
  expect((await find(ask, 1, { limit: 4 })).read).toBe(320)
  expect(limits).toEqual([4, 8, 16, 32, 64, 128, 68])
  expect(requested.slice(4).every((count) => count <= 32)).toBe(true)
  expect(requested.length).toBeLessThan(20)
})

it('gives up after 4,096 points and says so', async () => {
  const { index, find, limits, write } = await setUp()
  await write(times(4_200, (number) => ({ itemId: `nobody ${number}`, version: 'dead', vector: at(0.9) })))
  await index('behind', 0.1)
  expect(await find(100)).toEqual({ found: [], read: 4_096, complete: false })
  expect(limits).toEqual([400, 800, 1_600, 1_296])
})

it('finds what is behind one long document in the second query', async () => {
  const { index, find, limits, write } = await setUp()
  await write(times(4_200, (passage) => ({ itemId: 'nobody', version: 'dead', passage, vector: at(0.9) })))
  await index('behind', 0.1)
  expect((await find(100)).found.map(({ id }) => id)).toEqual(['behind'])
  expect(limits).toEqual([400, 800])
})

it('asks for little more than one point an item of vectors', () => {
  expect([1, 10, 4_096].map((count) => firstLimit('vector', count))).toEqual([7, 16, 4_096])
  expect([1, 10, 4_096].map((count) => firstLimit('text', count))).toEqual([4, 40, 4_096])
})

it('asks again when an item moved between query and look-up, and adds to what it had', async () => {
  const { index, find, limits, vectors, namespaceId } = await setUp()
  const former = await index('moving', 0.9)
  await index('still', 0.8)
  const result = await find(10, async () => {
    await index('moving', 0.6)
    await vectors.removeVersions(space, [{ namespaceId, itemId: 'moving', version: former }])
  })
  expect(scores(result)).toEqual([
    ['still', 0.8],
    ['moving', 0.6],
  ])
  expect(limits).toEqual([40, 40])
})

it('keeps what it had confirmed although a second look does not find it again', async () => {
  const { index, vectors, store, namespaceId } = await setUp()
  await index('moving', 0.9)
  const still = await index('still', 0.8)
  let looks = 0
  const search: VectorIndex['search'] = async (...of) => {
    looks += 1
    if (looks === 2) await vectors.removeVersions(space, [{ namespaceId, itemId: 'still', version: still }])
    const hits = await vectors.search(...of)
    if (looks === 1) await index('moving', 0.6)
    return hits
  }
  const watched = { ...vectors, search }
  const { found } = await findHits({ store, vectors })(asking(watched, [namespaceId]), 10, { limit: 40 })
  expect(found.map(({ id }) => id)).toEqual(['still', 'moving'])
  expect(looks).toBe(2)
})

it('does not ask again because of an item that was deleted', async () => {
  const { index, find, limits, store, deleteInput } = await setUp()
  await index('a', 0.9)
  await index('b', 0.8)
  const result = await find(10, () => store.deleteItems(deleteInput(['a'])))
  expect(scores(result)).toEqual([['b', 0.8]])
  expect(limits).toEqual([40])
})

it('asks again once, not for ever, while points of an old version linger', async () => {
  const { index, find, limits } = await setUp()
  await index('a', 0.9)
  await index('a', 0.2)
  expect((await find(10)).found).toHaveLength(1)
  await index('b', 0.8)
  await index('b', 0.1)
  limits.length = 0
  expect((await find(1)).found.length).toBeGreaterThan(0)
  expect(limits.length).toBeLessThanOrEqual(3)
})

it('searches several namespaces as one, and none but those', async () => {
  const { store, vectors, namespaceId, index, write } = await setUp()
  const [other, foreign] = [await createScene(store), await createScene(store)]
  await index('mine', 0.5)
  for (const scene of [other, foreign]) {
    const version = await scene.indexed(['theirs'])
    await write([{ itemId: 'theirs', version, vector: at(0.9) }], scene)
  }
  const namespaceIds = [namespaceId, other.namespaceId]
  const { found } = await findHits({ store, vectors })(asking(vectors, namespaceIds), 10, { limit: 40 })
  expect(found.map(({ namespaceId: of, id }) => [of, id])).toEqual([
    [other.namespaceId, 'theirs'],
    [namespaceId, 'mine'],
  ])
})

it('lists what passes the filters, by id, each item once with score 1', async () => {
  const { write, list, indexed } = await setUp()
  const ids = times(30, (number) => `d${String(number).padStart(2, '0')}`)
  const version = await indexed(ids)
  const red = metadataTerm('colour', 'red')
  await write(
    ids.flatMap((itemId, number) =>
      times(3, (passage) => ({ itemId, version, passage, vector: at(0.1), terms: number % 2 === 0 ? [red] : [] })),
    ),
  )
  const result = await list(5, { terms: [red] })
  expect(scores(result).slice(0, 5)).toEqual(['d00', 'd02', 'd04', 'd06', 'd08'].map((id) => [id, 1]))
  expect(result.complete).toBe(true)
  expect((await list(100, { terms: [red] })).found).toHaveLength(15)
  expect((await list(100, { terms: [metadataTerm('colour', 'blue')] })).found).toEqual([])
})

it('lists on past dead points, and gives up after 4,096 of them', async () => {
  const { write, list, indexed, vectors, namespaceId } = await setUp()
  const version = await indexed(['z'])
  await write([{ itemId: 'z', version, vector: at(0.1) }])
  await write(times(1_200, (passage) => ({ itemId: 'dead', version: 'x', passage, vector: at(0.1) })))
  expect((await list(1)).found.map(({ id }) => id)).toEqual(['z'])
  await write(times(3_400, (passage) => ({ itemId: 'dead', version: 'y', passage, vector: at(0.1) })))
  const result = await list(1)
  expect(result).toMatchObject({ found: [], complete: false })
  expect(result.read).toBeLessThanOrEqual(4_500)
  expect(await vectors.count(space, namespaceId)).toBe(4_601)
})

it('lists again when an item moved between listing and look-up', async () => {
  const { list, index, vectors, namespaceId, limits } = await setUp()
  const former = await index('moving', 0.9)
  await index('still', 0.8)
  const result = await list(10, {}, async () => {
    await index('moving', 0.6)
    await vectors.removeVersions(space, [{ namespaceId, itemId: 'moving', version: former }])
  })
  expect(result.found.map(({ id }) => id).sort()).toEqual(['moving', 'still'])
  expect(limits).toHaveLength(2)
})

it('reads all files of a round of hits with one call, whatever their number', async () => {
  const vectors = vectorsOfFile()
  const store = stepwiseStore({ now: () => 0 })
  const scene = await createFileScene(store)
  const names = times(7, (index) => `file-${index}.txt`)
  for (const name of names) {
    const { file, lease } = await scene.leased(await scene.arrived(name))
    await scene.submit(file, lease, drafts(name, 0, 2))
    const published = await store.files.publish(lease, {
      version: file.version,
      chunks: 2,
      summaries: 0,
      extraction: 1,
      limit: null,
    })
    expect(published).toBe('published')
    const points = [0, 1].map((index) => ({
      namespaceId: scene.namespaceId,
      itemId: `${name}_chunk_${index}`,
      version: file.version,
      passage: 0,
      terms: [],
      words: [],
      vector: at(0.5),
    }))
    await vectors.upsert(space, points)
  }
  const calls: string[] = []
  const counted = <T extends object>(store: T, prefix: string): T =>
    new Proxy(store, {
      get: (target, name) => {
        calls.push(`${prefix}.${String(name)}`)
        return Reflect.get(target, name)
      },
    })
  const watched = { ...store, files: counted(store.files, 'files'), chunks: counted(store.chunks, 'chunks') }
  const ask = asking(vectors, [scene.namespaceId])
  const { found } = await findHits({ store: watched, vectors })(ask, names.length * 2, { limit: 100 })
  expect(found).toHaveLength(names.length * 2)
  expect(calls).toEqual(['chunks.get', 'files.many'])
})
