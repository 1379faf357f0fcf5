import { join } from 'node:path'
import { systemClock } from '@cairn/adapters/clock/system'
import { lexicalEmbedder } from '@cairn/adapters/embedder/lexical'
import { embedders } from '@cairn/adapters/embedder/registry'
import { inMemoryMessageBus } from '@cairn/adapters/message-bus/in-memory'
import { sqliteStore } from '@cairn/adapters/store/sqlite'
import { threadTextWorker } from '@cairn/adapters/text-worker'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { randomIds } from '@cairn/domain/ids'
import type { MessageBus } from '@cairn/domain/ports/message-bus'
import { generateApiKey } from '@cairn/runtime/http/api-key'
import { createLogger } from '@cairn/runtime/process/logger'
import { collectedSpans } from '@cairn/runtime/tracing/collected-spans.fixture'
import { eventually } from '@cairn/testing/eventually'
import { memoryFiles } from '@cairn/testing/memory-files'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { onTestFinished } from 'vitest'
import { createStandalone } from './standalone.ts'

const yearMs = 365 * 86_400_000
/** Interval of the services' sweeps for work without a message. */
const sweepMs = 5_000

/**
 * Starts the services of one process on embedded adapters, over HTTP, with spans kept in memory. Sweeps run every 50 ms
 * instead of every 5 s. `wrap` replaces the bus.
 */
export const tracedSystem = async (wrap: (bus: MessageBus) => MessageBus = (bus) => bus) => {
  const directory = temporaryDirectory()
  const at = (name: string) => join(directory, name)
  const system = systemClock()
  const clock = {
    ...system,
    delay: (ms: number, signal?: AbortSignal) => system.delay(ms === sweepMs ? 50 : ms, signal),
  }
  const store = sqliteStore({ file: at('metadata.db') })
  const vectors = sqliteVectorIndex({ file: at('vectors.db') })
  const bus = wrap(inMemoryMessageBus())
  const collected = collectedSpans()
  const { tracing } = collected
  const words = lexicalEmbedder()
  const lines: string[] = []
  const { apiKey } = generateApiKey()
  const { services, gateway } = createStandalone(
    {
      store,
      vectors,
      bus,
      files: memoryFiles(),
      lexicalEmbedder: words,
      answerer: undefined,
      embedders: embedders({ current: words }),
      textWorker: threadTextWorker(),
      clock,
      ids: randomIds(clock.now),
      random: Math.random,
      log: createLogger({ level: 'info', name: 'test', facts: tracing.ids, write: (line) => lines.push(line) }),
      tracing,
    },
    {
      gateway: {
        host: '127.0.0.1',
        port: 0,
        secret: 'a secret of an installation that nobody guesses',
        adminKey: undefined,
        minTextLength: 10,
        legacyCamelCase: true,
        corsOrigins: [],
        tiersFile: undefined,
        firstApiKey: apiKey,
      },
      configuredEmbedder: 'lexical',
      ingestionConcurrency: 2,
      deletionConcurrency: 2,
      fileConcurrency: 1,
      reading: { memoryMegabytes: 256, minutes: 60, ocrLanguages: ['eng'] },
      scratchDir: at('scratch'),
      jobRetentionMs: yearMs,
      auditEveryMs: yearMs,
      orphanMs: 7 * 86_400_000,
      failedFileMs: 30 * 86_400_000,
    },
  )
  for (const service of services) await service.start()
  let ended: Promise<void> | undefined
  const endAll = async () => {
    for (const service of services.toReversed()) await service.stop()
    for (const port of [bus, vectors, store, tracing]) await port.close()
  }
  const end = () => {
    ended ??= endAll()
    return ended
  }
  onTestFinished(end)

  const url = () => `http://127.0.0.1:${gateway.port()}`
  const call = async (
    method: string,
    path: string,
    body?: object | FormData,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const isForm = body instanceof FormData
    const response = await fetch(`${url()}/v1/${path}`, {
      method,
      headers: { 'x-api-key': apiKey, ...(body && !isForm ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return {
    ...collected,
    apiKey,
    lines,
    call,
    url,
    /** Stops the services and closes the stores; then all spans have arrived. */
    end,
    uploaded: async (
      namespace: string,
      documents: readonly object[],
      headers: Readonly<Record<string, string>> = {},
    ) => {
      const { body } = await call('POST', `namespaces/${namespace}/documents`, { documents }, headers)
      const uploadId = String(body['upload_id'])
      await eventually(
        () => store.uploads.get(uploadId),
        (upload) => upload?.state === 'completed',
        { withinMs: 15_000 },
      )
      return uploadId
    },
  }
}
