import { join } from 'node:path'
import { AppError } from '@cairn/contracts/errors'
import { objectEventsTopic } from '@cairn/contracts/events'
import { lexicalEmbedder } from '@cairn/ports/embedder/lexical'
import { embedders } from '@cairn/ports/embedder/registry'
import type { MessageBus } from '@cairn/ports/message-bus/port'
import { createFileScene } from '@cairn/ports/metadata/contract/file-scene'
import { mint, wallAt } from '@cairn/ports/metadata/contract/scene'
import { sqliteVectorIndex } from '@cairn/ports/vector-index/sqlite'
import { createLogger } from '@cairn/runtime/logger'
import { objectKey } from '@cairn/runtime/object-keys'
import { defaultTiers } from '@cairn/runtime/tiers'
import { forFile } from '@cairn/testing/for-file'
import { createManualClock } from '@cairn/testing/manual-clock'
import { memoryFiles } from '@cairn/testing/memory-files'
import { stepwiseMetadata } from '@cairn/testing/stepwise-metadata'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it, onTestFinished } from 'vitest'
import { createFilePipelineService } from './service.ts'

const vectorsOfFile = forFile((directory) => sqliteVectorIndex({ file: join(directory, 'vectors.db') }))
const words = lexicalEmbedder()

/** A bus that may be away, and says to which topics somebody is subscribed. */
const createBus = () => {
  const state = { isAway: false }
  const handlers = new Map<string, Parameters<MessageBus['subscribe']>[1]>()
  const bus: MessageBus = {
    publish: async () => undefined,
    subscribe: async ({ topic }, handle) => {
      if (state.isAway) throw new AppError('unavailable', 'the bus is away')
      handlers.set(topic, handle)
      return { close: async () => void handlers.delete(topic) }
    },
    backlog: async () => ({ messages: 0, oldestAgeMs: 0 }),
    close: async () => undefined,
  }
  return { state, handlers, bus }
}

const setUp = async ({ hears = true, isAway = false } = {}) => {
  const manual = createManualClock(wallAt)
  const { clock } = manual
  const { state, handlers, bus } = createBus()
  state.isAway = isAway
  const metadata = stepwiseMetadata({ now: clock.monotonic })
  const scene = await createFileScene(metadata)
  const files = memoryFiles(clock.now)
  const service = createFilePipelineService({
    metadata,
    vectors: vectorsOfFile(),
    files,
    bus,
    embedders: embedders({ current: words }),
    clock,
    ids: { next: mint },
    tiers: defaultTiers,
    log: createLogger({ level: 'silent', name: 'test' }),
    memoryMegabytes: 128,
    scratchDir: temporaryDirectory(),
    words,
    // What arrives is seen by its record; it is not read here.
    extract: async function* () {},
    random: () => 1,
    concurrency: 1,
    hears,
  })
  onTestFinished(service.stop)
  /** A file that has arrived under a permission, and what the store says of it. */
  const arrive = async (name: string) => {
    const { accountId, namespaceId, name: namespaceName } = scene
    const key = objectKey(accountId, namespaceName, name)
    const permission = { namespaceId, accountId, name, key, contentType: 'text/plain', uploadId: null, traceparent: null }
    await metadata.grants.open({ ...permission, expiresAt: clock.now() + 900_000, correlationId: 'request-1', createdAt: clock.now() })
    await files.put(key, Buffer.from('some text'), { contentType: 'text/plain' })
    return JSON.stringify({ Records: [{ s3: { object: { key: encodeURIComponent(key) } } }] })
  }
  const say = (data: unknown) =>
    handlers.get(objectEventsTopic)?.({ id: 'm-1', type: 'unreadable', key: '', correlationId: '', occurredAt: '', data })
  const isNoticed = async (name: string) => (await metadata.files.byName(scene.namespaceId, name)) !== undefined
  return { service, manual, state, handlers, arrive, say, isNoticed }
}

it('starts while the bus is away, and hears of new objects once it is there', async () => {
  const { service, manual, state, handlers, arrive, say, isNoticed } = await setUp({ isAway: true })
  await service.start()
  expect([...handlers.keys()]).toEqual([])
  state.isAway = false
  manual.pass(2_000)
  await expect.poll(() => [...handlers.keys()].toSorted()).toEqual(['cairn.files', objectEventsTopic])
  await say(await arrive('a.txt'))
  expect(await isNoticed('a.txt')).toBe(true)
})

it('hears of an object before it would look for it', async () => {
  const { service, arrive, say, isNoticed } = await setUp()
  await service.start()
  await say(await arrive('a b/ü.txt'))
  expect(await isNoticed('a b/ü.txt')).toBe(true)
})

it('finds an object that nobody told of, when it looks', async () => {
  const { service, manual, handlers, arrive, isNoticed } = await setUp({ hears: false })
  await service.start()
  expect([...handlers.keys()]).toEqual(['cairn.files'])
  await arrive('a.txt')
  expect(await isNoticed('a.txt')).toBe(false)
  manual.pass(6_000)
  await expect.poll(() => isNoticed('a.txt')).toBe(true)
})

it('stops while the bus is away, and hears nothing when it comes back', async () => {
  const { service, manual, state, handlers } = await setUp({ isAway: true })
  await service.start()
  await service.stop()
  state.isAway = false
  manual.pass(60_000)
  expect(manual.waiting()).toBe(0)
  expect([...handlers.keys()]).toEqual([])
})
