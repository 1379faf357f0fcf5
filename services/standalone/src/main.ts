// node services/standalone/src/main.ts                                    serves
// node services/standalone/src/main.ts rebuild [--reembed] [namespace…]   writes the vector index again from the stored items, and ends
import { join } from 'node:path'
import { configuredAnswerer } from '@cairn/adapters/answerer/configured'
import { systemClock } from '@cairn/adapters/clock/system'
import { configuredEmbedders } from '@cairn/adapters/embedder/configured'
import { lexicalEmbedder } from '@cairn/adapters/embedder/lexical'
import { localFileStore } from '@cairn/adapters/file-store/local'
import { signedPutsFor } from '@cairn/adapters/file-store/signed-puts-for'
import { rebuildFileIndex } from '@cairn/adapters/file-store/sqlite-index-rebuild'
import { inMemoryMessageBus } from '@cairn/adapters/message-bus/in-memory'
import { configuredReranker } from '@cairn/adapters/reranker/configured'
import {
  hasRows,
  headerIn,
  headerOf,
  isSound,
  migrateFiles,
  migrateStore,
  reusableBytes,
  setAside,
} from '@cairn/adapters/sqlite-files'
import { sqliteStore } from '@cairn/adapters/store/sqlite'
import { threadTextWorker } from '@cairn/adapters/text-worker'
import { sqliteVectorIndex } from '@cairn/adapters/vector-index/sqlite'
import { claimObjects } from '@cairn/domain/files/claim-objects'
import { randomIds } from '@cairn/domain/ids'
import { readingLimits } from '@cairn/file-pipeline/config'
import { markLost, rebuildCommand, restoreMarked } from '@cairn/ingestion/rebuild-command'
import { answererRule } from '@cairn/runtime/config/answerer-config'
import { readConfig } from '@cairn/runtime/config/config'
import { embedderRule } from '@cairn/runtime/config/embedder-config'
import { rerankerRule } from '@cairn/runtime/config/reranker-config'
import { generateApiKey } from '@cairn/runtime/http/api-key'
import { deriveKey } from '@cairn/runtime/process/derive-key'
import { runProcess } from '@cairn/runtime/process/lifecycle'
import type { Logger } from '@cairn/runtime/process/logger'
import { printError, runMain } from '@cairn/runtime/process/run-main'
import { openLog } from '@cairn/runtime/tracing/open-log'
import { tracingRule } from '@cairn/runtime/tracing/tracing-config'
import { buildConsole } from './build-console.ts'
import { standaloneConfig } from './config.ts'
import { type DataDirectory, openDataDirectory, randomSecret } from './data-directory.ts'
import { type DiskSpace, diskSpace } from './disk-space.ts'
import { createStandalone } from './standalone.ts'
import { checkSecret, checkStores, markStore, unmarkStore, watchStores } from './stores.ts'
import { welcome } from './welcome.ts'

const clock = systemClock()
const write = (text: string) => void process.stdout.write(text)
const settings = () =>
  readConfig(standaloneConfig, process.env, [embedderRule, answererRule, rerankerRule, tracingRule])

/**
 * Migrates the stores; lost ones are made again. Nothing is changed before all checks have passed, and a store stays
 * marked until it is made again: this may be interrupted anywhere.
 */
const openStores = async (data: DataDirectory, secret: string | undefined, options: { mayRebuild?: boolean } = {}) => {
  const [storeFile, vectorsFile] = [data.at('metadata.db'), data.at('vectors.db')]
  const log = (line: string) => write(`${line}\n`)
  const { tag, lost } = checkStores({ ...data, headerOf, isSound: (file) => isSound(file, log), hasRows }, options)
  migrateStore(storeFile, log)
  checkSecret({ ...data, hasRows }, secret)
  const kept = new Map([...lost.keys()].map((name) => [name, markStore(data, name)]))
  const [keptVectors, keptIndex] = [kept.get('vectors.db'), kept.get('files/index.db')]
  for (const [name, fault] of lost)
    log(`${name} ${fault}. It is made again; its former file, if there is one, is kept as ${kept.get(name)}.`)
  if (keptVectors) setAside(vectorsFile, keptVectors)
  if (keptIndex) {
    const files = await rebuildFileIndex(data.at('files'), storeFile, keptIndex)
    log(`files/index.db made again: ${JSON.stringify(files)}`)
  }
  const others = { vectors: vectorsFile, fileIndex: data.at('files/index.db') }
  migrateFiles({ metadata: storeFile, ...others }, tag, log)
  const store = sqliteStore({ file: storeFile })
  if (keptVectors) await markLost({ store, clock })
  for (const name of lost.keys()) unmarkStore(data, name)
  return { store, vectors: sqliteVectorIndex({ file: vectorsFile }), tag }
}

const rebuild = async (args: readonly string[]) => {
  const config = settings()
  const { log } = await openLog(config, 'standalone')
  const data = openDataDirectory(config.dataDir)
  const { store, vectors } = await openStores(data, config.secret, { mayRebuild: true })
  const embedders = configuredEmbedders(config, clock)
  const textWorker = threadTextWorker()
  const deps = { store, vectors, embedders, textWorker, clock, log, write, configuredEmbedder: config.embedder }
  process.exitCode = await rebuildCommand(deps, args)
  for (const port of [embedders, textWorker, vectors, store, data]) await port.close()
}

const dayMs = 86_400_000
const limitsOf = (config: ReturnType<typeof settings>) => ({
  configuredEmbedder: config.embedder,
  ingestionConcurrency: config.ingestionConcurrency,
  deletionConcurrency: config.deletionConcurrency,
  fileConcurrency: config.fileConcurrency,
  reading: readingLimits(config),
  orphanMs: config.orphanDays * dayMs,
  failedFileMs: config.failedFileDays * dayMs,
  jobRetentionMs: config.jobRetentionDays * dayMs,
  auditEveryMs: config.auditEveryMinutes * 60_000,
})

const spaceOf = ({ dataDir, diskReserveMegabytes }: ReturnType<typeof settings>): DiskSpace =>
  diskSpace({
    directory: dataDir,
    reserveBytes: diskReserveMegabytes * 1024 * 1024,
    // Takes the smaller value, because a document needs space in both files.
    reusableBytes: () => Math.min(...['metadata.db', 'vectors.db'].map((name) => reusableBytes(join(dataDir, name)))),
    now: clock.monotonic,
  })

/** What starts once requests are served, and may fail without ending the process. */
const afterStart = (
  deps: Parameters<typeof restoreMarked>[0] & { readonly log: Logger },
  data: DataDirectory,
  address: string,
): void => {
  const { log } = deps
  void restoreMarked(deps).catch((error: unknown) =>
    log.warn({ err: error }, 'index not restored; the audit continues'),
  )
  try {
    data.publishAddress(address)
  } catch (error) {
    // The disk may be full; the server must still start, so that deletions are served.
    log.warn({ err: error }, 'address not written')
  }
}

const start = async () => {
  const config = settings()
  const { log, tracing } = await openLog(config, 'standalone')
  const space = spaceOf(config)
  const data = openDataDirectory(config.dataDir, space.keepReserve)
  const { store, vectors, tag } = await openStores(data, config.secret)
  const secret = config.secret ?? data.secretFile('secret', randomSecret)
  const adminKey = config.adminKey ?? data.secretFile('admin-key', randomSecret)
  const apiKey = data.secretFile('api-key', () => generateApiKey().apiKey)
  const stores = watchStores({ ...data, headerIn }, tag, secret)
  const bus = inMemoryMessageBus({ log })
  const embedders = configuredEmbedders(config, clock)
  const configured = embedders.current()
  const lexical = lexicalEmbedder()
  const disk: DiskSpace = {
    ...space,
    admit: (content, bytes) => {
      stores.admit()
      space.admit(content, bytes)
    },
  }
  const textWorker = threadTextWorker()
  const signingKey = deriveKey(secret, 'signed-url')
  const files = localFileStore({
    directory: data.at('files'),
    publicUrl: () => config.publicUrl ?? gateway.address(),
    signingKey,
    clock,
    admit: () => disk.admit('files'),
  })
  const ids = randomIds(clock.now)
  await claimObjects({ store, files, ids })
  stores.begin()
  let isFirst = false
  const { services, gateway, closeAfter } = createStandalone(
    {
      store,
      vectors,
      bus,
      files,
      embedders,
      textWorker,
      lexicalEmbedder: lexical,
      answerer: configuredAnswerer(config, clock),
      reranker: configuredReranker(config, { clock, log }),
      clock,
      ids,
      random: Math.random,
      log,
      tracing,
    },
    {
      gateway: { ...config, secret, adminKey, firstApiKey: apiKey },
      ...limitsOf(config),
      scratchDir: config.scratchDir ?? data.at('scratch'),
      hasConsoleCode: true,
      onFirstKey: () => {
        isFirst = true
      },
      disk,
      stores,
      signedPuts: signedPutsFor(files, { signingKey, clock }),
    },
  )
  await runProcess(services, { closeAfter: [...closeAfter, stores, data], log, onFatal: printError })
  afterStart({ store, vectors, embedders, textWorker, clock, log }, data, gateway.address())
  welcome({
    address: gateway.address(),
    host: config.host,
    port: gateway.port(),
    publicUrl: config.publicUrl,
    consoleCode: gateway.consoleCode(),
    mcp: config.mcp,
    dataDir: config.dataDir,
    newApiKey: isFirst ? apiKey : undefined,
    configured,
    embedders,
    write,
  })
  if (config.console) buildConsole((detail) => log.warn({ detail }, 'console not built'))
}

const [command, ...args] = process.argv.slice(2)
await runMain(command === 'rebuild' ? () => rebuild(args) : start)
