import { configuredAnswerer } from '@cairn/adapters/answerer/configured'
import { systemClock } from '@cairn/adapters/clock/system'
import { clusterEngines, clusterFiles } from '@cairn/adapters/cluster'
import { engineRules } from '@cairn/adapters/cluster-settings'
import { configuredEmbedders } from '@cairn/adapters/embedder/configured'
import { lexicalEmbedder } from '@cairn/adapters/embedder/lexical'
import { configuredReranker } from '@cairn/adapters/reranker/configured'
import { threadTextWorker } from '@cairn/adapters/text-worker'
import { events, uploadAccepted } from '@cairn/contracts/events'
import { refuseForeignObjects } from '@cairn/domain/files/claim-objects'
import { randomIds } from '@cairn/domain/ids'
import { answererRule } from '@cairn/runtime/config/answerer-config'
import { readConfig } from '@cairn/runtime/config/config'
import { processRules } from '@cairn/runtime/config/process-config'
import { rerankerRule } from '@cairn/runtime/config/reranker-config'
import { generateApiKey } from '@cairn/runtime/http/api-key'
import { watchEmbedders, watchEngines } from '@cairn/runtime/process/engine-health'
import { createHealth } from '@cairn/runtime/process/health'
import { createLanguageCoverage } from '@cairn/runtime/process/language-coverage'
import { runProcess } from '@cairn/runtime/process/lifecycle'
import { createMetrics } from '@cairn/runtime/process/metrics'
import { runMain } from '@cairn/runtime/process/run-main'
import { openLog } from '@cairn/runtime/tracing/open-log'
import { createPortWatch } from '@cairn/runtime/tracing/watch-ports'
import { gatewayProcessConfig } from './process-config.ts'
import { createGatewayService } from './service.ts'

await runMain(async () => {
  const config = readConfig(gatewayProcessConfig, process.env, [
    ...engineRules,
    ...processRules,
    answererRule,
    rerankerRule,
  ])
  const { log, tracing } = await openLog(config, 'gateway')
  const clock = systemClock()
  const metrics = createMetrics()
  const health = createHealth({ clock, log })
  const embedders = configuredEmbedders(config, clock)
  const { store, vectors, bus } = clusterEngines(config, { clock, log })
  const files = clusterFiles(config)
  const reranker = configuredReranker(config, { clock, log })
  const lexical = lexicalEmbedder()
  const textWorker = threadTextWorker()
  const ids = randomIds(clock.now)
  watchEngines(health, { store, vectors, bus }, uploadAccepted.topic, { servesWithoutBus: true })
  watchEmbedders(health, embedders, config.embedder, createLanguageCoverage({ store, clock }))
  for (const { group } of events) metrics.group(group)
  const queues = { ingestion: store.uploads, 'file-pipeline': store.files, deletion: store.deletions }
  for (const [service, { dueCount }] of Object.entries(queues)) metrics.dueJobs(service, dueCount)
  const watch = createPortWatch({ tracing, onFailure: metrics.storeFailed })
  const created = config.apiKey === undefined && config.bootstrap ? generateApiKey().apiKey : undefined
  const firstApiKey = config.apiKey ?? created
  const gateway = createGatewayService({
    store: watch.metadata(store),
    vectors: watch.vectors(vectors),
    bus: watch.bus(bus),
    files: watch.files(files),
    embedders: watch.embedders(embedders),
    answerer: watch.answerer(configuredAnswerer(config, clock)),
    reranker,
    textWorker,
    lexicalEmbedder: lexical,
    clock,
    ids,
    log,
    health,
    metrics,
    tracing,
    config: { ...config, firstApiKey },
    // Printed once. Not logged, because logs must not hold keys.
    onFirstKey: () => {
      if (created !== undefined) process.stdout.write(`The first API key: ${created}\n`)
    },
  })
  const running = await runProcess([gateway], {
    closeAfter: [embedders, textWorker, ...(reranker ? [reranker] : []), bus, vectors, files, store, tracing],
    log,
  })
  log.info({ port: gateway.port() }, 'ready')
  // Not awaited: requests without files are served while the object store is unavailable.
  refuseForeignObjects({ store, files, ids }).catch((error: unknown) => void running.end(error))
})
