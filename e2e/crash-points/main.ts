import { systemClock } from '@cairn/adapters/clock/system'
import { lexicalEmbedder } from '@cairn/adapters/embedder/lexical'
import { embedders } from '@cairn/adapters/embedder/registry'
import { inMemoryMessageBus } from '@cairn/adapters/message-bus/in-memory'
import { sqliteStore } from '@cairn/adapters/store/sqlite'
import { threadTextWorker } from '@cairn/adapters/text-worker'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { randomIds } from '@cairn/domain/ids'
import { readingLimits } from '@cairn/file-pipeline/config'
import { readConfig } from '@cairn/runtime/config/config'
import { runProcess } from '@cairn/runtime/process/lifecycle'
import { createLogger } from '@cairn/runtime/process/logger'
import { standaloneConfig } from '@cairn/standalone/config'
import { openDataDirectory, randomSecret } from '@cairn/standalone/data-directory'
import { createStandalone } from '@cairn/standalone/standalone'
import { memoryFiles } from '@cairn/testing/memory-files'
import { type AroundWrite, aroundWrites } from '@cairn/testing/port-writes'

/**
 * The single process with a crash point: at its k-th write (CRASH_AT, from 1) it exits as after `kill -9`, before the
 * write or after it but before the result is visible (CRASH_WHEN). Every write is reported on standard output, so that
 * a run without a crash shows how many writes there are.
 */
const config = readConfig(standaloneConfig, process.env)
const log = createLogger({ level: config.logLevel, name: 'crash-points' })
const data = openDataDirectory(config.dataDir)
const clock = systemClock()

const crashAt = Number(process.env['CRASH_AT'] || Number.POSITIVE_INFINITY)
const crashWhen = process.env['CRASH_WHEN']
let writes = 0

const dying: AroundWrite = async ({ name, call }) => {
  writes += 1
  const isLast = writes === crashAt
  process.stdout.write(`write ${writes} ${name}\n`)
  if (isLast && crashWhen === 'before') process.kill(process.pid, 'SIGKILL')
  const answer = await call()
  if (isLast) process.kill(process.pid, 'SIGKILL')
  return answer
}

const stores = {
  store: sqliteStore({ file: data.at('metadata.db') }),
  bus: inMemoryMessageBus({ log }),
  vectors: sqliteVectorIndex({ file: data.at('vectors.db') }),
}
// No files are uploaded in this test, so deletions find none.
const files = memoryFiles(clock.now)
const embedder = embedders({ current: lexicalEmbedder() })
const { services, gateway } = createStandalone(
  {
    ...aroundWrites(stores, dying),
    files,
    lexicalEmbedder: lexicalEmbedder(),
    answerer: undefined,
    embedders: embedder,
    textWorker: threadTextWorker(),
    clock,
    ids: randomIds(clock.now),
    random: Math.random,
    log,
  },
  {
    gateway: {
      ...config,
      secret: data.secretFile('secret', randomSecret),
      adminKey: undefined,
      firstApiKey: data.secretFile('api-key', () => process.env['CRASH_API_KEY'] ?? ''),
    },
    configuredEmbedder: 'lexical',
    ingestionConcurrency: config.ingestionConcurrency,
    deletionConcurrency: config.deletionConcurrency,
    fileConcurrency: config.fileConcurrency,
    reading: readingLimits(config),
    scratchDir: data.at('scratch'),
    jobRetentionMs: config.jobRetentionDays * 86_400_000,
    auditEveryMs: config.auditEveryMinutes * 60_000,
    orphanMs: 7 * 86_400_000,
    failedFileMs: 30 * 86_400_000,
  },
)
await runProcess(services, { closeAfter: [embedder, stores.bus, stores.vectors, stores.store, data], log })
process.stdout.write(`listening on http://localhost:${gateway.port()}\n`)
