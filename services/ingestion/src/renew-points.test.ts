import { join } from 'node:path'
import { embedders } from '@cairn/adapters/embedder/registry'
import { inMemoryMessageBus } from '@cairn/adapters/message-bus/in-memory'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { AppError } from '@cairn/contracts/errors'
import { createFileScene, drafts } from '@cairn/domain/files/file-scene.fixture'
import type { ChunkBatch, Upload } from '@cairn/domain/items/record'
import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import type { Point, VectorIndex } from '@cairn/domain/ports/vector-index'
import { documents, mint, newReindex, times, wallAt } from '@cairn/domain/protocol/scene.fixture'
import { directTextWorker } from '@cairn/domain/text/direct-text-worker'
import { queryLexemesOf, queryRules } from '@cairn/domain/text/lexemes'
import { lexemesVersion } from '@cairn/domain/text/lexemes-version'
import { createLogger } from '@cairn/runtime/process/logger'
import { forFile } from '@cairn/testing/for-file'
import { createManualClock } from '@cairn/testing/manual-clock'
import { plainRun } from '@cairn/testing/plain-run'
import { stepwiseData, stepwiseStore } from '@cairn/testing/stepwise-store'
import { stubEmbedder } from '@cairn/testing/stub-embedder'
import { expect, it } from 'vitest'
import { indexChunks } from './index-chunks.ts'
import { indexUpload } from './index-upload.ts'
import { keptVectors } from './kept-vectors.ts'
import { renewPointsRange } from './renew-points.ts'

const vectorsOfFile = forFile((directory) => sqliteVectorIndex({ file: join(directory, 'vectors.db') }))
const never = new AbortController().signal
const keyOf = ({ itemId, version, passage }: Point) => `${itemId} ${version} ${passage}`

// Invented rules of an earlier version: words between blanks, by their length and first character.
const earlier = lexemesVersion - 1
const earlierRules = (text: string) => text.split(' ').map((word) => word.length * 65_536 + word.charCodeAt(0))
queryRules.set(earlier, earlierRules)

/** A namespace whose points have the lexemes of an earlier version; `written` has the points that are written from then on. */
const setUp = async () => {
  const { clock } = createManualClock(wallAt)
  const data = stepwiseData()
  const store = stepwiseStore({ now: clock.monotonic, data })
  const vectors = vectorsOfFile()
  const scene = await createFileScene(store)
  const logged: (object | string)[] = []
  const state = { isReady: true, isLoading: false, isSearched: false, failAt: Number.POSITIVE_INFINITY, rejected: '' }
  const embedder = stubEmbedder({
    status: () =>
      state.isLoading
        ? { state: 'loading', detail: 'opening' }
        : state.isReady
          ? { state: 'ready' }
          : { state: 'failed', detail: 'away' },
    onEmbed: (texts) => {
      if (state.rejected !== '' && texts.some((text) => text.includes(state.rejected)))
        throw new AppError('invalid', 'The model rejects a text.')
    },
  })
  const written = new Map<string, Point>()
  let upserts = 0
  const watched: VectorIndex = {
    ...vectors,
    upsert: async (space, points) => {
      upserts += 1
      if (upserts === state.failAt) throw new Error('killed')
      for (const point of points) written.set(keyOf(point), point)
      return vectors.upsert(space, points)
    },
  }
  const log = {
    ...createLogger({ level: 'silent', name: 'test' }),
    info: (said: object | string) => void logged.push(said),
  }
  const byClock = { clock: { ...clock, delay: async () => {} }, log }
  const deps = {
    store,
    vectors: watched,
    embedders: embedders({ current: embedder }),
    textWorker: directTextWorker,
    ...byClock,
  }
  const long = times(40, (number) => `Sentence number ${number} has seven words here.`).join(' ')
  const { id } = await scene.accepted([
    ...documents(times(30, (number) => `d${number}`)),
    { id: 'long', body: { text: long, metadata: '{"context":"the whole of it"}' } },
    { id: 'price', body: { text: 'A DiffExecutor costs 1,234.50 euros.', metadata: '{}' } },
  ])
  await indexUpload({ ...deps, clock })(plainRun((await store.uploads.lease(id, mint('lease'))) as Upload))
  const { file, lease } = await scene.leased(await scene.arrived('a.txt'))
  await scene.submit(file, lease, drafts('a.txt', 0, 3))
  const indexBatch = indexChunks({ ...deps, clock, bus: inMemoryMessageBus(), ids: { next: mint } }, keptVectors())
  for (const job of await store.uploads.unfinished(100))
    await indexBatch(plainRun((await store.uploads.lease(job.id, mint('lease'))) as ChunkBatch))
  expect(await scene.publish(file, lease, 3)).toBe('published')

  const current = new Map(written)
  const space = embeddingSpaceOf(await scene.namespace())
  const formerOf = (text: string) => {
    const ids = Uint32Array.from(new Set(earlierRules(text))).sort()
    return { ids, counts: new Uint8Array(ids.length).fill(1) }
  }
  await vectors.upsert(
    space,
    [...current.values()].map((point) => ({
      ...point,
      lexemes: formerOf(point.itemId === 'price' ? 'A DiffExecutor costs 1,234.50 euros.' : point.words.join(' ')),
    })),
  )
  /** Finds documents by words, as a search does at this moment. */
  const find = async (text: string) => {
    const { lexemes } = await scene.namespace()
    const scope = { namespaceIds: [scene.namespaceId], limit: 10 }
    const hits = [...new Set([lexemes, lexemesVersion])].map((version) =>
      vectors.searchWords(space, { ...scope, lexemes: queryLexemesOf(text, 'en', version) }),
    )
    return [...new Set((await Promise.all(hits)).flat().map(({ itemId }) => itemId))]
  }
  const change = (fields: object) => {
    const namespaces = data.get('namespaces')
    const key = JSON.stringify([scene.namespaceId])
    namespaces?.set(key, { ...namespaces.get(key), ...fields })
  }
  change({ lexemes: earlier })
  const restart = () => {
    written.clear()
    embedder.embedded.length = 0
    upserts = 0
  }
  restart()
  /** Runs a pass to its end from the last of these cursors, and adds those that it stores. */
  const renew = async (cursors: (string | null)[] = [null]) => {
    for (;;) {
      const next = await renewPointsRange(deps)(cursors.at(-1) ?? null, never)
      if (state.isSearched) expect(await find('costs')).toContain('price')
      if (next === null) return
      cursors.push(next)
    }
  }
  const removePoints = (itemId: string) =>
    vectors.removeVersions(
      space,
      [...current.values()].filter((point) => point.itemId === itemId),
    )
  return { ...scene, store, embedder, state, logged, written, current, change, restart, renew, find, removePoints }
}

it('writes the points of an earlier version again, without embedding a text and without a gap in searches', async () => {
  const { renew, written, current, embedder, namespace, restart, find, state } = await setUp()
  state.isSearched = true
  expect(await find('executor')).toEqual([])
  await renew()
  expect(await find('executor')).toEqual(['price'])
  expect(written).toEqual(current)
  expect(current.size).toBeGreaterThan(34)
  expect(embedder.embedded).toEqual([])
  expect(await namespace()).toMatchObject({ lexemes: lexemesVersion })
  restart()
  await renew()
  expect(written.size).toBe(0)
})

it('continues after a kill at any write, from the stored cursor or from the beginning', async () => {
  for (const failAt of [1, 2, 3]) {
    for (const isResumed of [true, false]) {
      const { renew, written, current, state, namespace } = await setUp()
      Object.assign(state, { failAt, isSearched: true })
      const cursors: (string | null)[] = [null]
      await expect(renew(cursors)).rejects.toThrow('killed')
      expect((await namespace()).lexemes).toBe(earlier)
      await renew(isResumed ? cursors : undefined)
      expect(written).toEqual(current)
      expect((await namespace()).lexemes).toBe(lexemesVersion)
    }
  }
})

it.each([
  ['whose model is away', { isReady: false }, {}],
  ['that is being reindexed', { isReady: true }, { reindex: newReindex() }],
  ['that is being deleted', { isReady: true }, { state: 'deleting' }],
])('leaves a namespace %s to a later pass', async (_, ready, fields) => {
  const { renew, written, state, change, current } = await setUp()
  Object.assign(state, ready)
  change(fields)
  await renew()
  expect(written.size).toBe(0)
  Object.assign(state, { isReady: true })
  change({ reindex: null, state: 'active' })
  await renew()
  expect(written).toEqual(current)
})

it('renews the rest of a namespace when the model rejects one text, which keeps having no points', async () => {
  const { renew, written, current, state, namespace, removePoints } = await setUp()
  await removePoints('price')
  state.rejected = 'DiffExecutor'
  await renew()
  expect((await namespace()).lexemes).toBe(lexemesVersion)
  expect([...written.keys()].sort()).toEqual([...current.keys()].filter((key) => !key.startsWith('price')).sort())
})

it('embeds lost points again, and says so', async () => {
  const { renew, written, current, embedder, logged, removePoints, namespaceId } = await setUp()
  await removePoints('price')
  await renew()
  expect(written).toEqual(current)
  expect(embedder.embedded).toEqual(['A DiffExecutor costs 1,234.50 euros.'])
  expect(logged).toContainEqual({ namespace: namespaceId, passages: 1 })
})

it('waits for a model that is being opened', async () => {
  const { renew, written, current, embedder, state } = await setUp()
  state.isLoading = true
  embedder.settled = async () => {
    state.isLoading = false
  }
  await renew()
  expect(written).toEqual(current)
})
