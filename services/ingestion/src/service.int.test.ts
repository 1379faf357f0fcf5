import { join } from 'node:path'
import { embedders } from '@cairn/adapters/embedder/registry'
import { inMemoryMessageBus } from '@cairn/adapters/message-bus/in-memory'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { AppError } from '@cairn/contracts/errors'
import { uploadAccepted } from '@cairn/contracts/events'
import type { Upload } from '@cairn/domain/items/record'
import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import { createScene, mint, times, wallAt } from '@cairn/domain/protocol/scene.fixture'
import { directTextWorker } from '@cairn/domain/text/direct-text-worker'
import { publish } from '@cairn/runtime/bus/publish'
import { createLogger } from '@cairn/runtime/process/logger'
import { callsUnderWay } from '@cairn/testing/calls-under-way'
import { eventually } from '@cairn/testing/eventually'
import { forFile } from '@cairn/testing/for-file'
import { createManualClock, type ManualClock } from '@cairn/testing/manual-clock'
import { passTime } from '@cairn/testing/pass-time'
import { stepwiseData, stepwiseStore } from '@cairn/testing/stepwise-store'
import { type StubEmbedderOptions, stubEmbedder } from '@cairn/testing/stub-embedder'
import { expect, it } from 'vitest'
import { createIngestionService } from './service.ts'

const vectorsOfFile = forFile((directory) => sqliteVectorIndex({ file: join(directory, 'vectors.db') }))

const auditEveryMs = 3_600_000
const log = createLogger({ level: 'silent', name: 'test' })

const setUp = async (onEmbed?: (clock: ManualClock['clock']) => StubEmbedderOptions['onEmbed']) => {
  const manual = createManualClock(wallAt)
  const { clock } = manual
  const data = stepwiseData()
  const store = stepwiseStore({ data, now: clock.monotonic })
  const scene = await createScene(store)
  const wait = onEmbed?.(clock)
  const embedder = stubEmbedder(wait ? { onEmbed: wait } : {})
  const ids = { next: mint }
  const { watch, settle } = callsUnderWay()
  const shared = {
    bus: inMemoryMessageBus(),
    store,
    vectors: watch(vectorsOfFile()),
    embedders: embedders({ current: embedder }),
    textWorker: directTextWorker,
    clock,
    ids,
    log,
  }
  const service = createIngestionService({ ...shared, random: () => 1, concurrency: 2, auditEveryMs })
  const job = async (id: string) => (await store.uploads.get(id)) as Upload
  const pass = (ms: number) => passTime(manual, ms, { settle })
  /** Sweeps second by second until the upload is final; resolves to the seconds it took. */
  const untilFinal = async (id: string, seconds: number): Promise<number> => {
    for (let second = 0; second < seconds; second += 1) {
      await service.jobs.sweep()
      await settle()
      if ((await job(id)).finishedAt !== null) return second
      await pass(1_000)
    }
    throw new Error(`not final after ${seconds} s: ${JSON.stringify(await job(id))}`)
  }
  return { ...scene, ...shared, pass, data, service, embedder, job, untilFinal }
}

it('works off an upload as soon as its message comes', async () => {
  const { service, accepted, bus, ids, clock, job, namespaceId } = await setUp()
  await service.start()
  const { id } = await accepted(['a', 'b'])
  await publish(bus, uploadAccepted, { namespaceId, uploadId: id }, { key: id, correlationId: 'request-1', ids, clock })
  expect(
    await eventually(
      () => job(id),
      ({ finishedAt }) => finishedAt !== null,
    ),
  ).toMatchObject({ state: 'completed', attempts: 0, leaseSeq: 1 })
  await service.stop()
})

it('works off an upload that no message announced, and one whose request died', async () => {
  const { untilFinal, accepted, acceptInput, data, clock, job, expectExact, store, namespaceId, pass } = await setUp()
  const { id } = await accepted(['a'])
  await untilFinal(id, 10)
  const dying = stepwiseStore({
    data,
    now: clock.monotonic,
    turn: (step) => {
      if (step === 'accept: queue') throw new AppError('unavailable', 'died')
    },
  })
  const input = acceptInput(['b'])
  await expect(dying.accept(input)).rejects.toThrow('died')
  expect(await untilFinal(input.uploadId, 40)).toBeGreaterThan(25)
  expect((await job(input.uploadId)).outcomes).toEqual([{ id: 'b', outcome: 'completed' }])
  await pass(60_000)
  await store.recoverNamespace(namespaceId, wallAt)
  await expectExact()
})

it('puts the job back while the embedder is away, for as long as it takes', async () => {
  let away = true
  const { untilFinal, accepted, job, service, pass } = await setUp(() => () => {
    if (away) throw new AppError('unavailable', 'the embedder is away')
  })
  const { id } = await accepted(['a'])
  for (let second = 0; second < 300; second += 1) {
    await service.jobs.sweep()
    await pass(1_000)
  }
  expect(await job(id)).toMatchObject({ finishedAt: null, attempts: 0 })
  away = false
  await untilFinal(id, 20)
  expect(await job(id)).toMatchObject({ state: 'completed', attempts: 0 })
})

it('embeds each document once although each takes two minutes, and keeps the lease meanwhile', async () => {
  const { untilFinal, accepted, job, embedder } = await setUp(
    (clock) => (texts, signal) => clock.delay(texts.length * 120_000, signal),
  )
  const { id } = await accepted(times(8, (number) => `d${number}`))
  expect(await untilFinal(id, 1_000)).toBeGreaterThanOrEqual(8 * 120)
  expect(await job(id)).toMatchObject({ state: 'completed', leaseSeq: 1, attempts: 0 })
  expect(embedder.embedded).toHaveLength(8)
})

it('writes lost points again within a pass, in one of two processes, and stops at once', async () => {
  const { service, untilFinal, accepted, vectors, namespace, namespaceId, pass, store, embedder, ...deps } =
    await setUp()
  const other = createIngestionService({ ...deps, store, vectors, random: () => 1, concurrency: 2, auditEveryMs })
  const { id } = await accepted(times(30, (number) => `d${number}`))
  await untilFinal(id, 10)
  await Promise.all([service.start(), other.start()])
  const until = (isSo: () => Promise<boolean>) =>
    eventually(
      async () => {
        await pass(1_000)
        return isSo()
      },
      (so) => so,
    )
  await until(async () => ((await store.tasks.get('index-audit'))?.doneAt ?? null) !== null)
  const space = embeddingSpaceOf(await namespace())
  for (const itemId of ['d3', 'd17']) await vectors.removeVersions(space, [{ namespaceId, itemId, version: id }])
  embedder.embedded.length = 0
  await pass(auditEveryMs - 120_000)
  expect(await vectors.count(space, namespaceId)).toBe(28)
  await until(async () => (await vectors.count(space, namespaceId)) === 30)
  expect(embedder.embedded.toSorted()).toEqual(['text of d17', 'text of d3'])
  const stopping = Promise.all([service.stop(), other.stop()])
  await pass(1_000)
  await stopping
})
