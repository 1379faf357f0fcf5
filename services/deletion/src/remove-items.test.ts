import { join } from 'node:path'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import type { Deletion, Upload } from '@cairn/domain/items/record'
import { createScene, mint, newReindex, wallAt } from '@cairn/domain/protocol/scene.fixture'
import { forFile } from '@cairn/testing/for-file'
import { memoryFiles } from '@cairn/testing/memory-files'
import { plainRun, type StepVerdict } from '@cairn/testing/plain-run'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it } from 'vitest'
import { removeItems } from './remove-items.ts'

const space = { key: 'lexical-words-256', dimension: 2 }
const vectorsOfFile = forFile((directory) => sqliteVectorIndex({ file: join(directory, 'vectors.db') }))

const setUp = async () => {
  const vectors = vectorsOfFile()
  const store = stepwiseStore({ now: () => 0 })
  const scene = await createScene(store)
  const { namespaceId } = scene
  const deps = {
    store,
    vectors,
    files: memoryFiles(),
    clock: { now: () => wallAt, monotonic: () => 0, delay: async () => undefined },
  }
  const points = async () =>
    (await vectors.list(space, { namespaceIds: [namespaceId], limit: 1_000 })).map(
      ({ itemId, version }) => `${itemId} ${version}`,
    )
  const write = (version: string, ids: readonly string[]) =>
    vectors.upsert(
      space,
      ids.map((itemId) => ({
        namespaceId,
        itemId,
        version,
        passage: 0,
        vector: Float32Array.of(1, 1),
        terms: [],
        words: [],
      })),
    )
  /** Uploads and indexes items; returns the version. */
  const index = async (ids: readonly string[]): Promise<string> => {
    const version = await scene.indexed(ids)
    await write(version, ids)
    return version
  }
  /** Marks items as removed like a deletion request, then takes the lease of the job. */
  const deleted = async (ids: readonly string[]): Promise<Deletion> => {
    const result = await store.deleteItems(scene.deleteInput(ids, { space }))
    if (result.outcome !== 'deleted' || !result.deletion) throw new Error('nothing was deleted')
    return (await store.deletions.lease(result.deletion.id, mint('lease'))) as Deletion
  }
  const job = async (id: string) => (await store.deletions.get(id)) as Deletion
  return {
    ...scene,
    deps,
    points,
    write,
    index,
    deleted,
    job,
    work: (run: ReturnType<typeof plainRun<Deletion>>) => removeItems(deps)(run),
  }
}

it('removes the points of what was deleted, and of nothing else', async () => {
  const { index, deleted, work, points, job } = await setUp()
  const version = await index(['a', 'b', 'c'])
  const run = plainRun(await deleted(['a', 'b']))
  expect(await work(run)).toBeUndefined()
  expect(await points()).toEqual([`c ${version}`])
  expect(await job(run.job.id)).toMatchObject({
    state: 'completed',
    removed: { points: 2, items: 2 },
    finishedAt: wallAt,
  })
})

it('removes points from the second space of a reindex, also of one that begins after the request or has flipped since', async () => {
  const { index, deleted, work, points, deps, store, namespaceId, namespace } = await setUp()
  const version = await index(['a', 'b', 'c'])
  const second = { key: 'openai-other-64', dimension: 64 }
  const inSecond = async () =>
    (await deps.vectors.list(second, { namespaceIds: [namespaceId], limit: 1_000 })).map(({ itemId }) => itemId)
  const vector = new Float32Array(64).fill(1)
  await deps.vectors.upsert(
    second,
    ['a', 'b', 'c'].map((itemId) => ({ namespaceId, itemId, version, passage: 0, vector, terms: [], words: [] })),
  )
  const [before, after] = [await deleted(['a']), await deleted(['b'])]
  const { embedding } = await namespace()
  if (!embedding) throw new Error('the scene has a text namespace')
  const reindex = newReindex({ phase: 'closing' })
  await store.namespaces.beginReindex(namespaceId, embedding, reindex)
  expect(await work(plainRun(before))).toBeUndefined()
  expect(await inSecond()).toEqual(['b', 'c'])
  expect(await store.namespaces.flipReindex(namespaceId, reindex, wallAt)).toBe(true)
  expect(await work(plainRun(after))).toBeUndefined()
  expect(await inSecond()).toEqual(['c'])
  expect((await points()).map((point) => point.split(' ')[0])).toEqual(['c'])
})

it('removes the points of every version the item had: the latest, the indexed one and stale ones', async () => {
  const { index, accepted, write, deleted, work, points } = await setUp()
  await index(['a'])
  await index(['a'])
  const latest = await accepted(['a'])
  await write(latest.id, ['a'])
  expect(await points()).toHaveLength(3)
  await work(plainRun(await deleted(['a'])))
  expect(await points()).toEqual([])
})

it('keeps the points of an id that was uploaded again since', async () => {
  const { index, deleted, work, points } = await setUp()
  await index(['a', 'b'])
  const run = plainRun(await deleted(['a', 'b']))
  const again = await index(['a'])
  await work(run)
  expect(await points()).toEqual([`a ${again}`])
})

it('keeps the points of an upload of the same id that is still being indexed', async () => {
  const { index, deleted, work, points, accepted, write } = await setUp()
  await index(['a'])
  const run = plainRun(await deleted(['a']))
  const next: Upload = await accepted(['a'])
  await write(next.id, ['a'])
  await work(run)
  expect(await points()).toEqual([`a ${next.id}`])
})

it('goes through more ids than one read takes', async () => {
  const ids = Array.from({ length: 230 }, (_, number) => `d${number}`)
  const { index, deleted, work, points } = await setUp()
  await index(ids)
  const run = plainRun(await deleted(ids.slice(5)))
  await work(run)
  expect((await points()).map((point) => point.split(' ')[0])).toEqual(ids.slice(0, 5))
  expect(run.state.progress).toBe(3)
})

it.each<[StepVerdict]>([['die before'], ['die after']])(
  'ends the same when it is done again after a death (%s) at any step',
  async (verdict) => {
    for (let step = 1, over = false; !over; step += 1) {
      const { index, deleted, work, points, job, expectExact } = await setUp()
      const version = await index(['a', 'b', 'c'])
      const leased = await deleted(['a', 'b'])
      over = await work(plainRun(leased, (number) => (number === step ? verdict : 'go on'))).then(
        () => true,
        () => false,
      )
      if (!over) await work(plainRun(leased))
      expect(await points(), `step ${step}`).toEqual([`c ${version}`])
      expect((await job(leased.id)).state).toBe('completed')
      await expectExact()
      if (over) expect(step).toBe(5)
    }
  },
)
