import { join } from 'node:path'
import { embedders } from '@cairn/adapters/embedder/registry'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import type { Namespace, Reindex } from '@cairn/domain/namespaces/record'
import { createScene, documents, namespaceInput, newReindex, times, wallAt } from '@cairn/domain/protocol/scene.fixture'
import { lexemesOf } from '@cairn/domain/text/lexemes'
import { createLanguageCoverage } from '@cairn/runtime/process/language-coverage'
import { forFile } from '@cairn/testing/for-file'
import { createManualClock } from '@cairn/testing/manual-clock'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { type StubEmbedderOptions, stubEmbedder } from '@cairn/testing/stub-embedder'
import { expect, it, vi } from 'vitest'
import { readableOf } from '../gate.fixture.ts'
import { slots } from '../slots.ts'
import { createNamespaceSearch, type SearchRequest } from './search-namespaces.ts'

const other = { provider: 'openai', model: 'other', dimension: 64 } as const
const vectorsOfFile = forFile((directory) => sqliteVectorIndex({ file: join(directory, 'vectors.db') }))

/** Wraps the port: records the name of each called method in `calls`. */
const watched = <P extends object>(port: P, prefix: string, calls: string[]): P =>
  Object.fromEntries(
    Object.entries(port).map(([name, value]) => {
      if (typeof value === 'object') return [name, watched(value as object, `${prefix}${name}.`, calls)]
      return [
        name,
        (...args: unknown[]) => {
          calls.push(prefix + name)
          return (value as (...of: unknown[]) => unknown)(...args)
        },
      ]
    }),
  ) as P

const setUp = async ({ reads }: Pick<StubEmbedderOptions, 'reads'> = {}) => {
  const { clock } = createManualClock(wallAt)
  const store = stepwiseStore({ now: clock.monotonic })
  const vectors = vectorsOfFile()
  const scene = await createScene(store)
  await scene.indexed(documents(times(20, (number) => `d${number}`)))
  await vectors.ensure(embeddingSpaceOf(await scene.namespace()))
  const calls: string[] = []
  const deps = {
    store: watched(store, '', calls),
    vectors: watched(vectors, 'vectors.', calls),
    embedders: embedders({
      current: stubEmbedder(reads ? { reads } : {}),
      choices: [stubEmbedder({ model: other })],
    }),
    clock,
    coverageOf: createLanguageCoverage({ store, clock }),
  }
  const searchNamespaces = createNamespaceSearch(deps)
  const search = async (query = 'a question', more: Partial<SearchRequest> = {}) => {
    calls.length = 0
    return searchNamespaces({
      readable: readableOf(deps.store, scene.accountId),
      namespaces: [scene.name],
      query,
      topK: 10,
      threshold: 0,
      mode: 'semantic',
      isModeChosen: true,
      signal: new AbortController().signal,
      ...more,
    })
  }
  return { ...scene, vectors, search, calls }
}

it('names a namespace of which points are missing, as long as it is marked', async () => {
  const { search, store, namespaceId, name } = await setUp()
  expect((await search()).degraded).toEqual([])
  await store.indexAudit.markLost(namespaceId, wallAt)
  expect((await search()).degraded).toEqual([name])
  expect((await search('#word')).degraded).toEqual([name])
  await store.indexAudit.markLost(namespaceId, null)
  expect((await search()).degraded).toEqual([])
})

it('asks nothing more of the stores when nothing is found', async () => {
  const { search, calls } = await setUp()
  expect((await search()).results).toEqual([])
  expect(calls).toEqual(['namespaces.byName', 'vectors.search'])
  expect((await search('#word')).results).toEqual([])
  expect(calls).toEqual(['namespaces.byName', 'vectors.list'])
})

it('reads the namespace, the index and the items it finds, in this order and once, for each search', async () => {
  const { search, calls, indexed, vectors, namespace, namespaceId } = await setUp()
  const version = await indexed(documents(['found']))
  const space = embeddingSpaceOf(await namespace())
  const vector = new Float32Array(space.dimension).fill(1)
  const point = { namespaceId, itemId: 'found', version, passage: 0, vector, terms: [], words: [] }
  await vectors.upsert(space, [point])
  const first = await search()
  expect(calls).toEqual(['namespaces.byName', 'vectors.search', 'items.searchable'])
  expect((await search()).results).toEqual(first.results)
  expect(first.results.map(({ id }) => id)).toEqual(['found'])
  expect(calls).toEqual(['namespaces.byName', 'vectors.search', 'items.searchable'])
})

it('finds nothing of a deleted namespace, nor of its former id in a new one of the name', async () => {
  const { search, calls, store, namespaceId, accountId, name } = await setUp()
  await search()
  await store.beginNamespaceDeletion(namespaceId, 'del', wallAt)
  await expect(search()).rejects.toMatchObject({ code: 'notFound' })
  const inserted = await store.deletions.insertOfNamespace((await store.namespaces.get(namespaceId)) as Namespace, {
    space: { key: 'k', dimension: 2 },
    correlationId: 'c',
    traceparent: null,
    at: wallAt,
  })
  expect(inserted).toBe(true)
  const leased = await store.deletions.lease('del', 'token')
  await store.deletions.releaseNamespace(
    { jobId: 'del', token: leased?.lease?.token ?? '' },
    { removed: {}, at: wallAt },
  )
  expect(await store.createNamespace({ ...namespaceInput(accountId, 'text', name) })).toBe('created')
  expect((await search()).results).toEqual([])
  expect(calls.filter((call) => call === 'vectors.search')).toHaveLength(1)
})

const begin = async (
  { store, namespaceId, namespace }: Awaited<ReturnType<typeof setUp>>,
  more: Partial<Reindex> = {},
) => {
  const { embedding } = await namespace()
  if (!embedding) throw new Error('the scene has a text namespace')
  const reindex = newReindex({ embedding: other, ...more })
  expect(await store.namespaces.beginReindex(namespaceId, embedding, reindex)).toBe(true)
  return reindex
}

it('searches the new space by the new model from the flip on, though the query had begun with the former one', async () => {
  const scene = await setUp()
  const { store, namespaceId, namespace, vectors, search } = scene
  const write = async (itemId: string, dimension: number) => {
    const version = (await store.items.get(namespaceId, [itemId]))[0]?.version ?? ''
    const vector = new Float32Array(dimension).fill(1)
    const point = { namespaceId, itemId, version, passage: 0, vector, terms: [], words: [] }
    await vectors.upsert(embeddingSpaceOf(await namespace()), [point])
  }
  await write('d1', 256)
  expect((await search()).results.map(({ id }) => id)).toEqual(['d1'])
  const reindex = await begin(scene, { phase: 'closing' })
  await store.namespaces.flipReindex(namespaceId, reindex, wallAt)
  await write('d2', 64)
  expect((await search()).results.map(({ id, embedding }) => [id, embedding])).toEqual([['d2', other]])
})

it('keeps the texts of queries for a reindex that requested it, each once, and only so many and so long', async () => {
  const scene = await setUp()
  const { store, namespaceId, namespace, search } = scene
  const queries = async () => (await namespace()).reindex?.queries
  await search('before it')
  const reindex = await begin(scene, { queries: [] })
  for (const query of ['one', 'two #tag', 'one', '#tag', 'x'.repeat(1_001), 'y'.repeat(1_000)]) await search(query)
  expect(await queries()).toEqual(['one', 'two', 'y'.repeat(1_000)])
  for (let number = 0; number < 60; number += 1) await search(`query ${number}`)
  expect(await queries()).toHaveLength(50)
  await store.namespaces.changeReindex(namespaceId, reindex, { phase: 'closing', queries: null })
  await search('after it')
  expect(await queries()).toBeNull()
})

it('keeps no queries for a reindex that did not request it', async () => {
  const scene = await setUp()
  await begin(scene)
  await scene.search('a question')
  expect((await scene.namespace()).reindex?.queries).toBeNull()
})

it.each([
  ['20,000 values in one namespace', 100, 1, ''],
  ['200 values in one hundred namespaces', 1, 100, ''],
  ['20,000 values and a filter in the query', 100, 1, ' #word'],
  ['200 values in 101 namespaces', 1, 101, ''],
] as const)('reads nothing for a filter above the limit: %s', async (_, conditions, count, query) => {
  const { search, calls, name } = await setUp()
  const values = times(200, (number) => `v${number}`)
  const filter = { and: times(conditions, () => ({ key: 'k', in: values })) }
  const namespaces = [name, ...times(count - 1, (number) => `n${number}`)]
  const isAbove = query !== '' || count > 100
  const outcome = await search(`a question${query}`, { filter, namespaces }).catch((error: unknown) => error)
  if (isAbove) {
    expect(outcome).toMatchObject({ code: 'tooBroad', body: { details: { field: 'filter', limit: 20_000 } } })
    expect(calls).toEqual([])
  } else expect(outcome).not.toMatchObject({ code: 'tooBroad' })
})

it('ends a search in the index once its client has left', async () => {
  const { search, calls, namespace } = await setUp()
  const left = new AbortController()
  left.abort(new Error('the client left'))
  const query = times(embeddingSpaceOf(await namespace()).dimension, () => 1)
  await expect(search('', { query, signal: left.signal })).rejects.toThrow('the client left')
  expect(calls).toContain('vectors.search')
})

const arabic = 'تقرير الميناء'

/**
 * Creates two Arabic documents and an English one. The vector of `near` equals the vector of `arabic`; only `worded`
 * contains its words.
 */
const arabicScene = async (reads?: StubEmbedderOptions['reads']) => {
  const scene = await setUp(reads ? { reads } : {})
  const { indexed, vectors, namespace, namespaceId } = scene
  const texts = { near: 'كتاب قديم', worded: `${arabic} اليوم`, english: 'an old book' }
  const version = await indexed(Object.entries(texts).map(([id, text]) => ({ id, body: { text, metadata: '{}' } })))
  const space = embeddingSpaceOf(await namespace())
  const embedder = stubEmbedder()
  const [query = new Float32Array(), book = new Float32Array()] = await embedder.embed([arabic, 'an old book'], {
    kind: 'query',
  })
  const point = (itemId: keyof typeof texts, vector: Float32Array) => ({
    ...{ namespaceId, itemId, version, passage: 0, vector, terms: [], words: [] },
    lexemes: lexemesOf(texts[itemId], 'en'),
  })
  await vectors.upsert(space, [point('near', query), point('worded', book), point('english', book)])
  const ranked = async (text: string, more: Partial<SearchRequest> = {}) => {
    const { results } = await scene.search(text, { isModeChosen: false, mode: 'hybrid', ...more })
    return results.map(({ id, score }) => [id, score] as const)
  }
  return { ...scene, ranked }
}

it('ranks by words where the model can not read the query, and as before for a model that reads everything', async () => {
  const { ranked } = await arabicScene({ Latin: 1 })
  expect((await ranked(arabic))[0]).toEqual(['worded', 1])
  const other = await arabicScene()
  expect((await other.ranked(arabic))[0]).toEqual(['near', 1])
})

it('puts a text that was read before one that the model can not read, whatever its cosine', async () => {
  const { ranked } = await arabicScene({ Latin: 1 })
  expect(await ranked('an old book')).toEqual([
    ['english', 1],
    ['near', 0],
    ['worded', 0],
  ])
})

it('compares a threshold with the share of matched words where the model can not read the query', async () => {
  const { ranked } = await arabicScene({ Latin: 1 })
  const half = `${arabic} غائب`
  const semantic = { mode: 'semantic', isModeChosen: false } as const
  expect(await ranked(half, { ...semantic, threshold: 0.3 })).toEqual([['worded', 1]])
  expect(await ranked(half, { ...semantic, threshold: 0.9 })).toEqual([])
  expect((await ranked(half, { mode: 'semantic', isModeChosen: true })).length).toBe(3)
})

it('embeds the query of another account before those that an account has beyond its share', async () => {
  const { clock } = createManualClock(wallAt)
  const store = stepwiseStore({ now: clock.monotonic })
  const vectors = vectorsOfFile()
  const [one, other] = [await createScene(store), await createScene(store)]
  await vectors.ensure(embeddingSpaceOf(await one.namespace()))
  const embedder = stubEmbedder()
  const gate = Promise.withResolvers<void>()
  const begun: string[] = []
  const waiting: typeof embedder = {
    ...embedder,
    model: { ...embedder.model, provider: 'local' },
    embed: async (texts, options) => {
      begun.push(...texts)
      await gate.promise
      return embedder.embed(texts, options)
    },
  }
  const searchNamespaces = createNamespaceSearch({
    store,
    vectors,
    clock,
    embedders: { ...embedders({ current: waiting }), of: () => waiting },
    coverageOf: createLanguageCoverage({ store, clock }),
  })
  const search = (scene: typeof one, query: string) =>
    searchNamespaces({
      readable: readableOf(store, scene.accountId),
      namespaces: [scene.name],
      query,
      topK: 1,
      threshold: 0,
      mode: 'semantic',
      isModeChosen: true,
      signal: new AbortController().signal,
    })
  const { perOwner } = slots.queryEmbeddings
  const searches = times(perOwner + 1, () => search(one, 'many'))
  await vi.waitFor(() => expect(begun).toHaveLength(perOwner))
  const last = search(other, 'of another account')
  await vi.waitFor(() => expect(begun.at(-1)).toBe('of another account'))
  expect(begun).toHaveLength(perOwner + 1)
  gate.resolve()
  await Promise.all([...searches, last])
  expect(begun).toHaveLength(perOwner + 2)
})
