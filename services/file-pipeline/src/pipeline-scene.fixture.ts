import { lexicalEmbedder } from '@cairn/adapters/embedder/lexical'
import { embedders } from '@cairn/adapters/embedder/registry'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { defaultTiers, tierOf } from '@cairn/domain/accounts/tiers'
import { createFileScene } from '@cairn/domain/files/file-scene.fixture'
import { objectKey } from '@cairn/domain/files/object-keys'
import type { Clock } from '@cairn/domain/ports/clock'
import type { FileStore } from '@cairn/domain/ports/file-store'
import type { MessageBus } from '@cairn/domain/ports/message-bus'
import { mint, wallAt } from '@cairn/domain/protocol/scene.fixture'
import { directTextWorker } from '@cairn/domain/text/direct-text-worker'
import { createLogger } from '@cairn/runtime/process/logger'
import { createManualClock } from '@cairn/testing/manual-clock'
import { memoryFiles } from '@cairn/testing/memory-files'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { temporaryDirectory, temporaryFile } from '@cairn/testing/temporary'
import { onTestFinished } from 'vitest'
import { createFilePipelineService } from './service.ts'

const words = lexicalEmbedder()

/** Returns a bus that delivers nothing, and the handlers of its subscribers by topic. */
export const createBus = () => {
  const handlers = new Map<string, Parameters<MessageBus['subscribe']>[1]>()
  const bus: MessageBus = {
    system: 'test',
    publish: async () => undefined,
    subscribe: ({ topic }, handle) => {
      handlers.set(topic, handle)
      return { close: async () => void handlers.delete(topic) }
    },
    check: async () => undefined,
    close: async () => undefined,
  }
  return { handlers, bus }
}

type SceneOptions = {
  /** Whether object events are enabled. Default true. */
  readonly objectEventsEnabled?: boolean
  readonly bus: MessageBus
  /** Creates the object store. Default: in memory. */
  readonly files?: (clock: Clock) => FileStore
  /** Bytes that the account may store. Default: unlimited. */
  readonly limit?: number
}

/**
 * Creates a pipeline that reads no files: tests check the records. Its clock is manual, so it sweeps only on request.
 */
export const createPipelineScene = async ({ objectEventsEnabled = true, bus, limit, ...given }: SceneOptions) => {
  const manual = createManualClock(wallAt)
  const { clock } = manual
  const store = stepwiseStore({ now: clock.monotonic })
  const scene = await createFileScene(store)
  const files = given.files?.(clock) ?? memoryFiles(clock.now)
  const vectors = sqliteVectorIndex({ file: temporaryFile('vectors.db') })
  onTestFinished(vectors.close)
  const deps: Parameters<typeof createFilePipelineService>[0] = {
    store,
    vectors,
    files,
    bus,
    embedders: embedders({ current: words }),
    textWorker: directTextWorker,
    clock,
    ids: { next: mint },
    tiers: { community: { ...tierOf(defaultTiers, 'enterprise'), bytes: limit ?? null } },
    log: createLogger({ level: 'silent', name: 'test' }),
    limits: { memoryMegabytes: 128, minutes: 1, ocrLanguages: ['eng'] },
    scratchDir: temporaryDirectory(),
    lexicalEmbedder: words,
    extract: async function* () {},
    random: () => 1,
    concurrency: 1,
    orphanMs: 7 * 86_400_000,
    failedFileMs: 30 * 86_400_000,
    objectEventsEnabled,
  }
  /**
   * Creates a service like another process would; `onOrphans` receives the number of orphans that the service reports.
   */
  const createService = (onOrphans: (objects: number) => void = () => undefined) => {
    const service = createFilePipelineService({ ...deps, observeOrphans: ({ objects }) => onOrphans(objects) })
    onTestFinished(service.stop)
    return service
  }
  const service = createService()
  const { accountId, namespaceId, name: namespaceName } = scene
  const keyOf = (name: string) => objectKey(files, { id: namespaceId, accountId, name: namespaceName }, name)
  /** Opens an upload permission for a file, for one PUT or for parts; resolves to the object key. */
  const permit = async (name: string, uploadId: string | null = null): Promise<string> => {
    const key = keyOf(name)
    const permission = { namespaceId, accountId, name, key, contentType: 'text/plain', uploadId, traceparent: null }
    await store.grants.open({
      ...permission,
      expiresAt: clock.now() + 900_000,
      correlationId: 'request-1',
      createdAt: clock.now(),
    })
    return key
  }
  const isRegistered = async (name: string) => (await store.files.byName(namespaceId, name)) !== undefined
  return { ...scene, service, createService, manual, store, files, keyOf, permit, isRegistered }
}
