import { join } from 'node:path'
import { embedders } from '@cairn/adapters/embedder/registry'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import type { Upload } from '@cairn/domain/items/record'
import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import type { Embedder } from '@cairn/domain/ports/embedder'
import { createScene, documents, mint, newReindex, times, wallAt } from '@cairn/domain/protocol/scene.fixture'
import { directTextWorker } from '@cairn/domain/text/direct-text-worker'
import { createLogger } from '@cairn/runtime/process/logger'
import { forFile } from '@cairn/testing/for-file'
import { createManualClock } from '@cairn/testing/manual-clock'
import { plainRun } from '@cairn/testing/plain-run'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { stubEmbedder } from '@cairn/testing/stub-embedder'
import { expect, it } from 'vitest'
import { indexUpload } from './index-upload.ts'
import { rebuildCommand } from './rebuild-command.ts'
import { rebuildIndex } from './rebuild-index.ts'

const vectorsOfFile = forFile((directory) => sqliteVectorIndex({ file: join(directory, 'vectors.db') }))
const longText = times(40, (number) => `Sentence number ${number} has seven words here.`).join(' ')

const setUp = async () => {
  const { clock } = createManualClock(wallAt)
  const store = stepwiseStore({ now: clock.monotonic })
  const vectors = vectorsOfFile()
  const scene = await createScene(store)
  const state = { onEmbed: async () => {} }
  const embedder = stubEmbedder({ onEmbed: () => state.onEmbed() })
  const deps = {
    store,
    vectors,
    embedders: embedders({ current: embedder }),
    textWorker: directTextWorker,
    clock,
    log: createLogger({ level: 'silent', name: 'test' }),
  }
  const space = embeddingSpaceOf(await scene.namespace())
  const upload = async (what: Parameters<typeof scene.accepted>[0]) => {
    const { id } = await scene.accepted(what)
    const run = plainRun((await store.uploads.lease(id, mint('lease'))) as Upload)
    expect(await indexUpload(deps)(run)).toBeUndefined()
  }
  const points = async () =>
    (await vectors.list(space, { namespaceIds: [scene.namespaceId], limit: 1_000 }))
      .map(({ itemId, version, passage }) => `${itemId} ${version} ${passage}`)
      .sort()
  const empty = async () => {
    while ((await vectors.removeNamespace(space, scene.namespaceId, 1_000)) > 0);
  }
  /** Rebuilds with another current model, as after an upgrade. */
  const rebuildWith = (current: Embedder) => rebuildIndex({ ...deps, embedders: embedders({ current }) })
  const rebuild = rebuildIndex(deps)
  return { ...scene, deps, store, vectors, space, state, upload, points, empty, rebuild, rebuildWith }
}

it('writes the points of everything that was indexed, exactly as they were', async () => {
  const { upload, points, empty, rebuild } = await setUp()
  await upload(
    documents(
      times(60, (number) => `d${number}`),
      'first',
    ),
  )
  await upload([{ id: 'long', body: { text: longText, metadata: '{"topic":"numbers"}' } }])
  const before = await points()
  expect(before.length).toBeGreaterThan(61)
  await empty()
  expect(await rebuild()).toMatchObject({ namespaces: 1, items: 61, points: before.length, skipped: [] })
  expect(await points()).toEqual(before)
  await rebuild()
  expect(await points()).toEqual(before)
})

it('rebuilds what search shows, not what is still being worked on', async () => {
  const { upload, accepted, points, empty, rebuild } = await setUp()
  await upload(documents(['a'], 'first'))
  const before = await points()
  await accepted(documents(['a', 'new'], 'second'))
  await empty()
  await rebuild()
  expect(await points()).toEqual(before)
})

it('leaves no points of what is deleted while it runs', async () => {
  const { upload, points, store, deleteInput, empty, rebuild, state } = await setUp()
  await upload(documents(['a', 'b'], 'first'))
  await empty()
  state.onEmbed = async () => {
    state.onEmbed = async () => {}
    await store.deleteItems(deleteInput(['a']))
  }
  await rebuild()
  expect((await points()).map((point) => point.split(' ')[0])).toEqual(['b'])
})

it('does nothing to namespaces that were not named, and refuses one that is not there', async () => {
  const { upload, points, empty, rebuild } = await setUp()
  await upload(documents(['a'], 'first'))
  await empty()
  await expect(rebuild({ only: ['ns_other'] })).rejects.toThrow(/no namespace of the id ns_other/)
  expect(await points()).toEqual([])
})

it('embeds a namespace again with the current model, and leaves no point of the former one', async () => {
  const { upload, points, store, vectors, namespace, namespaceId, rebuild, rebuildWith } = await setUp()
  await upload(documents(['a', 'b'], 'first'))
  const former = await namespace()
  const current = stubEmbedder({
    model: { provider: 'lexical', model: 'words', dimension: 256, weights: '0123456789ab' },
  })
  expect(await rebuildWith(current)()).toMatchObject({ namespaces: 0, skipped: [namespaceId] })
  expect(await rebuildWith(current)({ reembed: true })).toMatchObject({
    namespaces: 1,
    items: 2,
    points: 2,
    skipped: [],
  })
  expect(await points()).toEqual([])
  const moved = await namespace()
  expect(moved).toMatchObject({ embedding: current.model, lostPointsAt: null, itemCount: former.itemCount })
  expect(await vectors.count(embeddingSpaceOf(moved), namespaceId)).toBe(2)
  expect(await rebuildWith(current)({ reembed: true })).toMatchObject({ namespaces: 1, items: 2, points: 2 })
  expect(await rebuild()).toMatchObject({ skipped: [namespaceId] })
  expect(await store.items.count(namespaceId)).toBe(2)
})

it('goes on with a namespace whose move to another model was cut off', async () => {
  const { upload, namespace, namespaceId, vectors, state, rebuildWith } = await setUp()
  await upload(documents(['a', 'b'], 'first'))
  const model = { provider: 'lexical', model: 'words', dimension: 256, weights: '0123456789ab' } as const
  state.onEmbed = async () => {}
  const broken = stubEmbedder({ model, onEmbed: () => Promise.reject(new Error('killed')) })
  await expect(rebuildWith(broken)({ reembed: true })).rejects.toThrow('killed')
  expect((await namespace()).lostPointsAt).not.toBeNull()
  expect(await rebuildWith(stubEmbedder({ model }))()).toMatchObject({ namespaces: 1, points: 2 })
  const moved = await namespace()
  expect(moved.lostPointsAt).toBeNull()
  expect(await vectors.count(embeddingSpaceOf(moved), namespaceId)).toBe(2)
})

it('prints what the command rebuilt, and ends with 1 when it skipped a namespace', async () => {
  const { deps, upload, namespaceId } = await setUp()
  await upload(documents(['a'], 'first'))
  let printed = ''
  const write = (text: string) => {
    printed += text
  }
  expect(await rebuildCommand({ ...deps, write, configuredEmbedder: 'lexical' }, [namespaceId])).toBe(0)
  expect(JSON.parse(printed)).toEqual({ namespaces: 1, items: 1, points: 1, skipped: [] })
  const other = embedders({ current: stubEmbedder({ model: { provider: 'openai', model: 'other', dimension: 256 } }) })
  expect(await rebuildCommand({ ...deps, write, embedders: other, configuredEmbedder: 'openai' }, [])).toBe(1)
})

it('never embeds again with the fallback of a model that can not be used', async () => {
  const { deps, upload, namespace } = await setUp()
  await upload(documents(['a'], 'first'))
  const before = await namespace()
  const failed = stubEmbedder({
    model: { provider: 'local', model: 'm', dimension: 256, weights: '0123456789ab' },
    status: () => ({ state: 'failed', detail: 'no file' }),
  })
  const fallback = stubEmbedder({ model: { provider: 'lexical', model: 'other words', dimension: 256 } })
  const all = embedders({ current: failed, fallback })
  const command = rebuildCommand({ ...deps, embedders: all, write: () => undefined, configuredEmbedder: 'local' }, [
    '--reembed',
  ])
  await expect(command).rejects.toThrow("The configured embedder can't be used")
  expect(await namespace()).toEqual(before)
})

it('leaves the model of a namespace alone that has a reindex', async () => {
  const { upload, deps, store, namespaceId, namespace, points } = await setUp()
  await upload(documents(['a', 'b']))
  const { embedding } = await namespace()
  if (!embedding) throw new Error('the scene has a text namespace')
  await store.namespaces.beginReindex(namespaceId, embedding, newReindex())
  const before = await points()
  const current = stubEmbedder({ model: { provider: 'lexical', model: 'newer', dimension: 64 } })
  const both = embedders({ current, choices: [deps.embedders.current()] })
  expect(await rebuildIndex({ ...deps, embedders: both })({ reembed: true })).toMatchObject({ namespaces: 1, items: 2 })
  expect((await namespace()).embedding).toEqual(embedding)
  expect(await points()).toEqual(before)
})

it('does not mark the points of a namespace that has a reindex as renewed: those of the other space are not', async () => {
  const { upload, deps, namespaceId, store, namespace } = await setUp()
  await upload(documents(['a']))
  const { embedding } = await namespace()
  if (!embedding) throw new Error('the scene has a text namespace')
  await store.namespaces.beginReindex(namespaceId, embedding, newReindex())
  const marked: string[] = []
  const namespaces = {
    ...store.namespaces,
    setPointsRenewed: async (id: string) => {
      marked.push(id)
    },
  }
  await rebuildIndex({ ...deps, store: { ...store, namespaces } })()
  expect(marked).toEqual([])
})
