// The product in one process, composed as `npm start` composes it, with commands for benchmarks.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { systemClock } from '@cairn/adapters/clock/system'
import { configuredEmbedders } from '@cairn/adapters/embedder/configured'
import { lexicalEmbedder } from '@cairn/adapters/embedder/lexical'
import { embedders as embeddersOf } from '@cairn/adapters/embedder/registry'
import { localFileStore } from '@cairn/adapters/file-store/local'
import { signedPutsFor } from '@cairn/adapters/file-store/signed-puts-for'
import { inMemoryMessageBus } from '@cairn/adapters/message-bus/in-memory'
import { sqliteStore } from '@cairn/adapters/store/sqlite'
import { threadTextWorker } from '@cairn/adapters/text-worker'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { randomIds } from '@cairn/domain/ids'
import type { Answerer } from '@cairn/domain/ports/answerer'
import type { Embedders } from '@cairn/domain/ports/embedder'
import { readingLimits } from '@cairn/file-pipeline/config'
import { readConfig } from '@cairn/runtime/config/config'
import { generateApiKey, hashSecret } from '@cairn/runtime/http/api-key'
import { deriveKey } from '@cairn/runtime/process/derive-key'
import { createLogger } from '@cairn/runtime/process/logger'
import { standaloneConfig } from '@cairn/standalone/config'
import { createStandalone } from '@cairn/standalone/standalone'
import { stubEmbedder } from '@cairn/testing/stub-embedder'
import { answerQuestions, optionsOf } from '../harness/subject.ts'

export type ProductOptions = {
  readonly directory: string
  readonly embedder: 'lexical' | 'local' | 'stub'
  /** Drops every message, so that jobs are found only by the poll for due jobs. */
  readonly messagesLost?: boolean
  /** Accepts uploads but does not process them. */
  readonly ingestionPaused?: boolean
  /** Writes answers with a stub model whose output is always the same. */
  readonly answersWritten?: boolean
  /** Embedding server whose model can be chosen for a namespace. */
  readonly openai?: { readonly url: string; readonly model: string; readonly dimension: number }
  readonly reindex?: { readonly everyMs: number; readonly settleMs: number }
  /** API key of the first account. Default: a new key, for a new folder. */
  readonly apiKey?: string
}
export type ProductAddress = { readonly port: number; readonly apiKey: string }
export type Model = { readonly state: string; readonly maxTokens: number }
export type Embedded = { readonly passages: number; readonly seconds: number }

const {
  directory,
  embedder,
  messagesLost = false,
  ingestionPaused = false,
  answersWritten = false,
  openai,
  reindex,
  apiKey = generateApiKey().apiKey,
} = optionsOf<ProductOptions>()
const config = readConfig(standaloneConfig, {
  CAIRN_EMBEDDER: openai ? 'openai' : embedder === 'local' ? 'local' : 'lexical',
  CAIRN_OPENAI_URL: openai?.url,
  CAIRN_OPENAI_MODEL: openai?.model,
  CAIRN_OPENAI_DIMENSION: openai && String(openai.dimension),
  CAIRN_MODEL_DIR: process.env['CAIRN_MODEL_DIR'],
  CAIRN_CACHE_DIR: process.env['CAIRN_CACHE_DIR'],
})
const clock = systemClock()
const log = createLogger({ level: config.logLevel, name: 'bench' })
/** Shared by all processes, so that one can continue with the data of another. */
const secret = 'of benchmarks, which have nothing to hide'

const store = sqliteStore({ file: join(directory, 'metadata.db') })
const fullBus = inMemoryMessageBus({ log })
const bus = messagesLost ? { ...fullBus, publish: async () => undefined } : fullBus
const vectors = sqliteVectorIndex({ file: join(directory, 'vectors.db') })
const signingKey = randomBytes(32)
const files = localFileStore({
  directory: join(directory, 'files'),
  publicUrl: () => `http://127.0.0.1:${gateway.port()}`,
  signingKey,
  clock,
})
// A passage of the stub is as long as a document here, so that a document has one point.
const models: Embedders =
  embedder === 'stub'
    ? embeddersOf({ current: stubEmbedder({ maxTokens: 1_000 }) })
    : configuredEmbedders(config, clock)
const sameAnswer: Answerer = {
  modelFor: () => ({ id: 'same', credits: 1, writes: true }),
  write: async function* () {
    yield '{"answer":"the same"}'
  },
}
const delays = monitorEventLoopDelay({ resolution: 5 })
delays.enable()
const { services, gateway } = createStandalone(
  {
    store,
    vectors,
    bus,
    files,
    lexicalEmbedder: lexicalEmbedder(),
    answerer: answersWritten ? sameAnswer : undefined,
    embedders: models,
    textWorker: threadTextWorker(),
    clock,
    ids: randomIds(clock.now),
    random: Math.random,
    log,
  },
  {
    gateway: {
      ...config,
      checksResponses: false,
      port: 0,
      host: '127.0.0.1',
      secret,
      adminKey: undefined,
      firstApiKey: apiKey,
    },
    configuredEmbedder: config.embedder,
    // With a pool of 0 slots, the service runs but takes no job.
    ingestionConcurrency: ingestionPaused ? 0 : config.ingestionConcurrency,
    deletionConcurrency: config.deletionConcurrency,
    fileConcurrency: config.fileConcurrency,
    reading: readingLimits(config),
    scratchDir: join(directory, 'scratch'),
    signedPuts: signedPutsFor(files, { signingKey, clock }),
    jobRetentionMs: config.jobRetentionDays * 86_400_000,
    auditEveryMs: config.auditEveryMinutes * 60_000,
    orphanMs: 7 * 86_400_000,
    failedFileMs: 30 * 86_400_000,
    ...(reindex && { reindex }),
  },
)
for (const service of services) await service.start()

answerQuestions(
  {
    /** Returns the longest event loop delay since the last call, in milliseconds. */
    loopDelay: () => {
      const maxMs = delays.max / 1e6
      delays.reset()
      return maxMs
    },
    /** Adds an account; resolves to the API key. */
    addAccount: async (name: string): Promise<string> => {
      const { apiKey: added, ...key } = generateApiKey()
      const createdAt = clock.now()
      const account = { id: `acc_${name}`, name, tier: 'enterprise', subscriptionEndsAt: null, createdAt }
      await store.accounts.insert(account)
      const hmac = hashSecret(deriveKey(secret, 'api-key'), key)
      const scopes = ['read', 'write', 'admin'] as const
      await store.keys.insert({
        id: key.keyId,
        accountId: account.id,
        name,
        hmac,
        state: 'active',
        scopes,
        expiresAt: null,
        lastUsedAt: null,
        createdAt,
      })
      return added
    },
    address: (): ProductAddress => ({ port: gateway.port(), apiKey }),
    model: async (): Promise<Model> => {
      const embedding = models.current()
      await embedding.settled()
      return { state: embedding.status().state, maxTokens: embedding.maxTokens }
    },
    tokens: async (texts: readonly string[]) => (await models.current().tokens(texts)).map(({ length }) => length),
    embed: async (texts: readonly string[]): Promise<Embedded> => {
      const from = performance.now()
      const { length } = await models.current().embed(texts, { kind: 'document' })
      return { passages: length, seconds: (performance.now() - from) / 1_000 }
    },
  },
  async () => {
    for (const service of services.toReversed()) await service.stop()
    for (const closable of [models, bus, vectors, store]) await closable.close()
  },
)
