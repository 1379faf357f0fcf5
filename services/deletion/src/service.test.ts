import { join } from 'node:path'
import { inMemoryMessageBus } from '@cairn/adapters/message-bus/in-memory'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { AppError } from '@cairn/contracts/errors'
import { deletionRequested } from '@cairn/contracts/events'
import type { Deletion } from '@cairn/domain/items/record'
import { createScene, mint, wallAt } from '@cairn/domain/protocol/scene.fixture'
import { publish } from '@cairn/runtime/bus/publish'
import { createLogger } from '@cairn/runtime/process/logger'
import { callsUnderWay } from '@cairn/testing/calls-under-way'
import { eventually } from '@cairn/testing/eventually'
import { forFile } from '@cairn/testing/for-file'
import { createManualClock } from '@cairn/testing/manual-clock'
import { memoryFiles } from '@cairn/testing/memory-files'
import { passTime } from '@cairn/testing/pass-time'
import { stepwiseData, stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it } from 'vitest'
import { createDeletionService } from './service.ts'

const space = { key: 'lexical-words-256', dimension: 2 }
const vectorsOfFile = forFile((directory) => sqliteVectorIndex({ file: join(directory, 'vectors.db') }))

const log = createLogger({ level: 'silent', name: 'test' })

const setUp = async () => {
  const manual = createManualClock(wallAt)
  const { clock } = manual
  const data = stepwiseData()
  const store = stepwiseStore({ data, now: clock.monotonic })
  const scene = await createScene(store)
  const { watch, settle } = callsUnderWay()
  const vectors = watch(vectorsOfFile())
  const shared = { bus: inMemoryMessageBus(), store, vectors, files: memoryFiles(), clock, ids: { next: mint }, log }
  const withVectors = (own: typeof vectors) =>
    createDeletionService({ ...shared, vectors: own, random: () => 1, concurrency: 2 })
  const service = withVectors(vectors)
  /** Advances the time, with a sweep each second. */
  const sweepFor = async (seconds: number, by = service) => {
    for (let second = 0; second < seconds; second += 1) {
      await by.jobs.sweep()
      await passTime(manual, 1_000, { settle })
    }
  }
  const index = async (ids: readonly string[]) => {
    const version = await scene.indexed(ids)
    const { namespaceId } = scene
    await vectors.upsert(
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
    return version
  }
  const points = async () =>
    (await vectors.list(space, { namespaceIds: [scene.namespaceId], limit: 100 })).map(
      ({ itemId, version }) => `${itemId} ${version}`,
    )
  const job = async (id: string) => (await store.deletions.get(id)) as Deletion
  return { ...scene, ...shared, data, withVectors, service, sweepFor, index, points, job }
}

it('removes points as soon as the message comes', async () => {
  const { service, index, store, deleteInput, bus, ids, clock, namespaceId, points, job } = await setUp()
  await service.start()
  const version = await index(['a', 'b'])
  const input = deleteInput(['a'], { space })
  await store.deleteItems(input)
  const { deletionId } = input
  await publish(
    bus,
    deletionRequested,
    { namespaceId, deletionId },
    { key: deletionId, correlationId: 'c', ids, clock },
  )
  await eventually(
    () => job(deletionId),
    ({ state }) => state === 'completed',
  )
  expect(await points()).toEqual([`b ${version}`])
  await service.stop()
})

it('finishes a deletion whose request died, with exactly the items it had read', async () => {
  const { data, clock, index, deleteInput, sweepFor, points, item, job, store, namespaceId, expectExact } =
    await setUp()
  await index(['a', 'b', 'c'])
  const dying = stepwiseStore({
    data,
    now: clock.monotonic,
    turn: (step) => {
      if (step === 'delete: remove items') throw new AppError('unavailable', 'died')
    },
  })
  const input = deleteInput(['a', 'b'], { space })
  await expect(dying.deleteItems(input)).rejects.toThrow('died')
  const again = await index(['b'])
  await sweepFor(29)
  expect((await job(input.deletionId)).state).toBe('accepting')
  await sweepFor(3)
  expect(await job(input.deletionId)).toMatchObject({ state: 'completed', itemsDone: true })
  expect([await item('a'), (await item('b'))?.version, (await item('c'))?.id]).toEqual([undefined, again, 'c'])
  expect((await points()).map((point) => point.split(' ')[0])).toEqual(['b', 'c'])
  expect(await points()).toContain(`b ${again}`)
  await sweepFor(31)
  await store.recoverNamespace(namespaceId, wallAt)
  await expectExact()
})

it('never gives a deletion up: it goes on once what kept failing works again', async () => {
  const { store, vectors, index, namespaceId, accountId, name, job, ids, points, sweepFor, withVectors } = await setUp()
  await index(['a'])
  const id = ids.next('del')
  const namespace = await store.beginNamespaceDeletion(namespaceId, id, wallAt)
  if (!namespace) throw new Error('it was not active')
  await store.deletions.insertOfNamespace(namespace, { space, correlationId: 'c', traceparent: null, at: wallAt })
  let failures = 0
  const failing = withVectors({
    ...vectors,
    removeNamespace: async () => {
      failures += 1
      throw new Error('a bug')
    },
  })
  await sweepFor(100, failing)
  expect(failures).toBeGreaterThan(7)
  expect(await job(id)).toMatchObject({ finishedAt: null, attempts: failures })
  await sweepFor(20)
  expect((await job(id)).state).toBe('rechecking')
  expect(await store.namespaces.byName(accountId, name)).toBeUndefined()
  expect(await points()).toEqual([])
})
