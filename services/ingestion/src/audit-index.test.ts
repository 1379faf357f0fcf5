import { join } from 'node:path'
import { embedders } from '@cairn/adapters/embedder/registry'
import { inMemoryMessageBus } from '@cairn/adapters/message-bus/in-memory'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { createFileScene } from '@cairn/domain/files/file-scene.fixture'
import type { ChunkBatch, Upload } from '@cairn/domain/items/record'
import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import type { PointAddress, VectorIndex } from '@cairn/domain/ports/vector-index'
import { type Document, documents, mint, times, wallAt } from '@cairn/domain/protocol/scene.fixture'
import { directTextWorker } from '@cairn/domain/text/direct-text-worker'
import { createLogger } from '@cairn/runtime/process/logger'
import { forFile } from '@cairn/testing/for-file'
import { createManualClock } from '@cairn/testing/manual-clock'
import { plainRun } from '@cairn/testing/plain-run'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { stubEmbedder } from '@cairn/testing/stub-embedder'
import { expect, it } from 'vitest'
import { auditIndexRange } from './audit-index.ts'
import { indexChunks } from './index-chunks.ts'
import { indexUpload } from './index-upload.ts'
import { keptVectors } from './kept-vectors.ts'

const vectorsOfFile = forFile((directory) => sqliteVectorIndex({ file: join(directory, 'vectors.db') }))
const longText = times(40, (number) => `Sentence number ${number} has seven words here.`).join(' ')
const long: Document = { id: 'long', body: { text: longText, metadata: '{"topic":"numbers"}' } }
const never = new AbortController().signal

const setUp = async () => {
  const { clock } = createManualClock(wallAt)
  const store = stepwiseStore({ now: clock.monotonic })
  const vectors = vectorsOfFile()
  const scene = await createFileScene(store)
  const state: { isReady: boolean; onUpsert: () => Promise<unknown> } = {
    isReady: true,
    onUpsert: async () => undefined,
  }
  const embedder = stubEmbedder({
    status: () => (state.isReady ? { state: 'ready' } : { state: 'failed', detail: 'away' }),
  })
  const watched: VectorIndex = {
    ...vectors,
    upsert: async (...of) => {
      await state.onUpsert()
      return vectors.upsert(...of)
    },
  }
  const log = createLogger({ level: 'silent', name: 'test' })
  // Runs the audit without pauses.
  const deps = {
    store,
    vectors: watched,
    embedders: embedders({ current: embedder }),
    textWorker: directTextWorker,
    clock: { ...clock, delay: async () => {} },
    log,
  }
  const space = embeddingSpaceOf(await scene.namespace())
  const work = indexUpload({ ...deps, clock })
  const indexBatch = indexChunks({ ...deps, clock, bus: inMemoryMessageBus(), ids: { next: mint } }, keptVectors())
  const upload = async (what: Parameters<typeof scene.accepted>[0]) => {
    const { id } = await scene.accepted(what)
    expect(await work(plainRun((await store.uploads.lease(id, mint('lease'))) as Upload))).toBeUndefined()
    return id
  }
  /** Indexes the chunks that the pipeline has handed over. */
  const indexSubmitted = async () => {
    for (const { id, kind } of await store.uploads.unfinished(100))
      if (kind === 'chunks')
        expect(await indexBatch(plainRun((await store.uploads.lease(id, mint('lease'))) as ChunkBatch))).toBeUndefined()
  }
  const list = () => vectors.list(space, { namespaceIds: [scene.namespaceId], limit: 10_000 })
  const lose = async (isLost: (address: PointAddress) => boolean) => {
    const lost = (await list()).filter(isLost)
    for (const { itemId, version, passage } of lost) {
      const kept = (await list()).filter(
        (one) => one.itemId === itemId && one.version === version && one.passage > passage,
      )
      // The port removes all passages of a version from a given one on, so the points after the missing one are written
      // back.
      await vectors.removeVersions(space, [{ namespaceId: scene.namespaceId, itemId, version, fromPassage: passage }])
      const vector = new Float32Array(space.dimension).fill(1)
      await vectors.upsert(
        space,
        kept.map((one) => ({ ...one, vector, terms: [], words: [] })),
      )
    }
    return lost.length
  }
  /** Runs one pass of the audit; returns the number of its ranges, without the last one. */
  const audit = async () => {
    const range = auditIndexRange(deps)
    let ranges = 0
    for (let cursor: string | null = null; ; ranges += 1) {
      cursor = await range(cursor, never)
      if (cursor === null) return ranges
    }
  }
  const isMarked = async () => Boolean((await scene.namespace()).lostPointsAt)
  return { ...scene, vectors, space, embedder, state, upload, indexSubmitted, list, lose, audit, isMarked }
}

it('writes nothing and embeds nothing while every point is there', async () => {
  const { upload, audit, embedder, state, list, isMarked } = await setUp()
  await upload([...documents(times(30, (number) => `d${number}`)), long])
  const before = await list()
  embedder.embedded.length = 0
  state.onUpsert = () => expect.unreachable('nothing is to be written')
  await audit()
  expect(await list()).toEqual(before)
  expect(embedder.embedded).toEqual([])
  expect(await isMarked()).toBe(false)
})

it('finds points that were lost in any place, and writes them in one pass', async () => {
  const { upload, audit, embedder, list, lose, isMarked, item } = await setUp()
  await upload([...documents(times(450, (number) => `d${String(number).padStart(3, '0')}`)), long])
  const [before, status] = [await list(), await item('d007')]
  expect(await lose(({ itemId, passage }) => /7$/.test(itemId) || (itemId === 'long' && passage === 1))).toBe(46)
  embedder.embedded.length = 0
  expect(await audit()).toBeGreaterThan(2)
  expect(await list()).toEqual(before)
  expect(await item('d007')).toEqual(status)
  expect(embedder.embedded).toHaveLength(45 + before.filter(({ itemId }) => itemId === 'long').length)
  expect(await isMarked()).toBe(false)
  embedder.embedded.length = 0
  await audit()
  expect(embedder.embedded).toEqual([])
})

it('writes the body that is indexed while a later one is processing', async () => {
  const { upload, accepted, audit, list, lose, embedder, item } = await setUp()
  const version = await upload(documents(['a'], 'the first text'))
  await accepted(documents(['a'], 'a later text'))
  await lose(() => true)
  embedder.embedded.length = 0
  await audit()
  expect((await list()).map((point) => point.version)).toEqual([version])
  expect(embedder.embedded).toEqual(['the first text of a'])
  expect(await item('a')).toMatchObject({ status: 'processing', indexed: { version } })
})

it('writes the points of chunks that are published, and of no others', async () => {
  const { arrived, leased, submit, publish, indexSubmitted, audit, list, lose } = await setUp()
  const drafts = (base: string) =>
    times(3, (n) => ({
      itemId: `${base}_chunk_${n}`,
      kind: 'chunk' as const,
      body: { text: `chunk ${n} of ${base}`, metadata: '{}' },
    }))
  const published = await leased(await arrived('published.txt'))
  await submit(published.file, published.lease, drafts('published.txt'))
  const reading = await leased(await arrived('reading.txt'))
  await submit(reading.file, reading.lease, drafts('reading.txt'))
  await indexSubmitted()
  expect(await publish(published.file, published.lease, 3)).toBe('published')
  const before = await list()
  expect(before).toHaveLength(6)
  await lose(() => true)
  await audit()
  expect(await list()).toEqual(before.filter(({ itemId }) => itemId.startsWith('published')))
})

it('marks a namespace until its model is back and its points are written', async () => {
  const { upload, audit, list, lose, state, isMarked } = await setUp()
  await upload(documents(['a', 'b']))
  const before = await list()
  await lose(({ itemId }) => itemId === 'a')
  state.isReady = false
  await audit()
  expect(await isMarked()).toBe(true)
  expect(await list()).toHaveLength(1)
  state.isReady = true
  await audit()
  expect(await isMarked()).toBe(false)
  expect(await list()).toEqual(before)
})

it('leaves no points of what was deleted or indexed anew while they were written', async () => {
  const { upload, audit, lose, list, state, store, deleteInput } = await setUp()
  await upload(documents(['deleted', 'moved']))
  await lose(() => true)
  let later = ''
  state.onUpsert = async () => {
    state.onUpsert = async () => undefined
    await store.deleteItems(deleteInput(['deleted']))
    later = await upload(documents(['moved'], 'a later text'))
  }
  await audit()
  expect((await list()).map(({ itemId, version }) => `${itemId} ${version}`)).toEqual([`moved ${later}`])
})

it('records how many passages there are now where another model file cuts others', async () => {
  const { upload, audit, store, namespaceId, item, embedder, list } = await setUp()
  const version = await upload([long])
  const { length } = await list()
  await store.indexAudit.setPassages(namespaceId, 'long', { version, passages: length + 3 })
  await audit()
  expect((await item('long'))?.indexed).toEqual({ version, passages: length })
  embedder.embedded.length = 0
  await audit()
  expect(embedder.embedded).toEqual([])
})

it('goes through every namespace, and past one that is being deleted', async () => {
  const { upload, audit, list, lose, store, vectors, space } = await setUp()
  const others = [await createFileScene(store), await createFileScene(store)]
  await upload(documents(['a']))
  const before = await list()
  const [gone, other] = others
  if (!gone || !other) throw new Error('no scenes')
  for (const scene of others) await scene.indexed(['never written'])
  await store.beginNamespaceDeletion(gone.namespaceId, mint('del'), wallAt)
  await lose(() => true)
  await audit()
  expect(await list()).toEqual(before)
  expect(await vectors.count(space, gone.namespaceId)).toBe(0)
  expect(await vectors.count(space, other.namespaceId)).toBe(1)
})

it('counts the passages of the model that is searched, not of the one that indexed the item', async () => {
  const { store, upload, audit, state, namespaceId, space, vectors, embedder, item, isMarked } = await setUp()
  await upload([long])
  const { indexed } = (await item('long')) ?? {}
  if (!indexed) throw new Error('it is not indexed')
  // The state after a flip from a model that cut the text into two passages.
  const { passages, version } = indexed
  const flipped = { version, passages: 2, second: { space: space.key, passages } }
  await store.indexAudit.setPassages(namespaceId, 'long', flipped)
  state.onUpsert = () => expect.unreachable('nothing is to be written')
  await audit()
  await vectors.removeVersions(space, [{ namespaceId, itemId: 'long', version, fromPassage: passages - 1 }])
  state.onUpsert = async () => undefined
  embedder.embedded.length = 0
  await audit()
  expect(await vectors.count(space, namespaceId)).toBe(passages)
  expect(embedder.embedded).toHaveLength(passages)
  expect((await item('long'))?.indexed).toEqual(flipped)
  expect(await isMarked()).toBe(false)
})
