import { join } from 'node:path'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { metadataTerm } from '@cairn/contracts/text/terms'
import { forFile } from '@cairn/testing/for-file'
import { plainRun } from '@cairn/testing/plain-run'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it } from 'vitest'
import { createScene, type Document, wallAt } from '../protocol/scene.fixture.ts'
import { directTextWorker } from '../text/direct-text-worker.ts'
import { indexItems, settleUpload } from './index-items.ts'
import type { Item, Upload } from './record.ts'
import type { IndexedPassage } from './write-points.ts'

const space = { key: 'lexical-words-256', dimension: 4 }

const vectorsOfFile = forFile((directory) => sqliteVectorIndex({ file: join(directory, 'vectors.db') }))

const setUp = async () => {
  const vectors = vectorsOfFile()
  const store = stepwiseStore({ now: () => 0 })
  const scene = await createScene(store)
  const { namespaceId } = scene
  const deps = { store, vectors, clock: { now: () => wallAt }, textWorker: directTextWorker }
  let leases = 0
  const leased = async (id: string) => (await store.uploads.lease(id, `lease_${++leases}`)) as Upload
  const passages = (count: number): IndexedPassage[] =>
    Array.from({ length: count }, (_, index) => ({ text: `Passage ${index}`, vector: Float32Array.of(1, index, 0, 1) }))
  const entry = async (id: string, count: number) => ({
    item: (await scene.item(id)) as Item,
    passages: passages(count),
  })
  /** Uploads documents and indexes them with `count` passages each; returns the upload, whose lease is still held. */
  const index = async (what: readonly string[] | readonly Document[], count = 1, job?: Upload) => {
    const running = job ?? (await leased((await scene.accepted(what)).id))
    const run = plainRun(running)
    await indexItems(deps)(run, { space, entries: await Promise.all(running.ids.map((id) => entry(id, count))) })
    return run
  }
  const settle = (run: ReturnType<typeof plainRun<Upload>>) => settleUpload(deps)(run, [space])
  const points = async () =>
    (await vectors.list(space, { namespaceIds: [namespaceId], limit: 1_000 })).map(
      ({ itemId, version, passage }) => `${itemId} ${version} ${passage}`,
    )
  const job = async (id: string) => (await store.uploads.get(id)) as Upload
  return { ...scene, vectors, deps, leased, entry, index, settle, points, job }
}

const document = (id: string, text: string, metadata: object = {}): Document => ({
  id,
  body: { text, metadata: JSON.stringify(metadata) },
})

it('writes the points of every passage, then marks the items', async () => {
  const { index, points, item } = await setUp()
  const run = await index(['a', 'b'], 2)
  const { id } = run.job
  expect(await points()).toEqual([`a ${id} 0`, `a ${id} 1`, `b ${id} 0`, `b ${id} 1`])
  expect(await item('a')).toMatchObject({ status: 'completed', indexed: { version: id, passages: 2 } })
  expect(run.state).toEqual({ steps: 2, progress: 1 })
})

it('gives points what filters look for: metadata terms and the words of the passage', async () => {
  const { index, vectors, namespaceId } = await setUp()
  await index([document('a', 'irrelevant here', { Topic: 'Red Tea' })])
  const find = (terms: string[], words: string[]) =>
    vectors.list(space, { namespaceIds: [namespaceId], filter: { terms, words }, limit: 10 })
  expect(await find([metadataTerm('topic', 'red-tea')], ['passage'])).toHaveLength(1)
  expect(await find([metadataTerm('topic', 'green-tea')], [])).toHaveLength(0)
  expect(await find([], ['irrelevant'])).toHaveLength(0)
})

it('writes nothing for no items', async () => {
  const { deps, leased, accepted } = await setUp()
  const run = plainRun(await leased((await accepted(['a'])).id))
  await indexItems(deps)(run, { space, entries: [] })
  expect(run.state.steps).toBe(0)
})

it('removes, when it runs again, what an earlier run had cut in addition', async () => {
  const { index, points, job, leased, store } = await setUp()
  const first = await index(['a'], 5)
  await store.uploads.requeue(first.lease, { delayMs: 0, error: null, counted: false })
  const again = await leased(first.job.id)
  await index([], 2, again)
  expect(await points()).toEqual([`a ${again.id} 0`, `a ${again.id} 1`])
  expect((await job(again.id)).leaseSeq).toBe(2)
})

it('ends an upload, with what became of each document', async () => {
  const { index, settle, job } = await setUp()
  const run = await index(['a', 'b'])
  expect(await settle(run)).toBeUndefined()
  expect(await job(run.job.id)).toMatchObject({
    state: 'completed',
    lease: null,
    finishedAt: wallAt,
    outcomes: [
      { id: 'a', outcome: 'completed' },
      { id: 'b', outcome: 'completed' },
    ],
    times: { index: 1, mark: 1, settle: 2 },
  })
})

it('removes the points of versions that were indexed before, and takes exactly those out of `stale`', async () => {
  const { index, settle, points, item } = await setUp()
  await settle(await index(['a'], 3))
  const second = await index(['a'])
  const { id } = second.job
  expect(await points()).toHaveLength(4)
  expect((await item('a'))?.stale).toHaveLength(1)
  await settle(second)
  expect(await points()).toEqual([`a ${id} 0`])
  expect(await item('a')).toMatchObject({ stale: [], indexed: { version: id } })
})

it('removes its own points where another upload has taken the id meanwhile, and says so', async () => {
  const { index, settle, points, job, store, namespaceId, leased, accepted, deps, entry } = await setUp()
  const run = plainRun(await leased((await accepted(['a'])).id))
  const before = await entry('a', 2)
  const winner = await index([document('a', 'the other text')])
  // A late writer: it read the item before the other upload.
  await indexItems(deps)(run, { space, entries: [before] })
  expect(await points()).toHaveLength(3)
  await settle(run)
  await settle(winner)
  expect(await points()).toEqual([`a ${winner.job.id} 0`])
  expect((await job(run.job.id)).outcomes).toEqual([{ id: 'a', outcome: 'superseded' }])
  expect((await job(run.job.id)).state).toBe('completed')
  expect((await store.items.get(namespaceId, ['a']))[0]?.body.text).toBe('the other text')
})

it('removes its own points where the document was deleted meanwhile', async () => {
  const { index, settle, points, job, store, deleteInput } = await setUp()
  const run = await index(['a', 'b'])
  await store.deleteItems(deleteInput(['a']))
  await settle(run)
  expect(await points()).toEqual([`b ${run.job.id} 0`])
  expect((await job(run.job.id)).outcomes).toEqual([
    { id: 'a', outcome: 'deleted' },
    { id: 'b', outcome: 'completed' },
  ])
})

it('keeps the points of a body that stays searchable because its re-upload failed', async () => {
  const { index, settle, points, item, job, accepted, leased, store, namespaceId } = await setUp()
  const first = await index(['a'])
  await settle(first)
  const second = plainRun(await leased((await accepted([document('a', 'a second text')])).id))
  await store.items.markFailed(namespaceId, second.job.id, [{ id: 'a', reason: 'embedding_refused' }])
  await settle(second)
  expect(await points()).toEqual([`a ${first.job.id} 0`])
  expect(await item('a')).toMatchObject({
    status: 'failed',
    indexed: { version: first.job.id, body: { text: 'text of a' } },
  })
  expect(await job(second.job.id)).toMatchObject({
    state: 'failed',
    outcomes: [{ id: 'a', outcome: 'failed', reason: 'embedding_refused' }],
  })
})

it('comes again for a document that is still processing', async () => {
  const { index, settle, job, accepted, leased, entry, deps } = await setUp()
  await index(['z'])
  const run = plainRun(await leased((await accepted(['a', 'b'])).id))
  await indexItems(deps)(run, { space, entries: [await entry('a', 1)] })
  expect(await settle(run)).toMatchObject({ againMs: 1_000 })
  expect((await job(run.job.id)).state).toBe('running')
})

it('counts an upload as completed when not every document failed, and keeps those that were over quota', async () => {
  const { settle, accepted, leased, store, namespaceId, job } = await setUp()
  const { id } = await leased((await accepted(['a'])).id)
  const overQuota = { id: 'b', outcome: 'failed', reason: 'quota_exceeded' } as const
  const run = plainRun({ ...(await job(id)), outcomes: [overQuota] })
  await store.items.markIndexed(namespaceId, id, [{ id: 'a', passages: 1 }])
  await settle(run)
  expect(await job(id)).toMatchObject({ state: 'completed', outcomes: [{ id: 'a', outcome: 'completed' }, overQuota] })
})

it('settles more documents than one read takes', async () => {
  const { index, settle, job } = await setUp()
  const ids = Array.from({ length: 130 }, (_, number) => `d${number}`)
  const run = await index(ids)
  await settle(run)
  expect((await job(run.job.id)).outcomes.map(({ id, outcome }) => [id, outcome])).toEqual(
    ids.map((id) => [id, 'completed']),
  )
})
