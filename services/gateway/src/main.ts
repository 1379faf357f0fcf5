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
import { createProcess } from '@cairn/runtime/process/create-process'
import { runProcess } from '@cairn/runtime/process/lifecycle'
import { runMain } from '@cairn/runtime/process/run-main'
import { openLog } from '@cairn/runtime/tracing/open-log'
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
  const opened = {
    ...clusterEngines(config, { clock, log }),
    files: clusterFiles(config),
    embedders: configuredEmbedders(config, clock),
    answerer: configuredAnswerer(config, clock),
    reranker: configuredReranker(config, { clock, log }),
    textWorker: threadTextWorker(),
  }
  const { store, files } = opened
  const ids = randomIds(clock.now)
  const { ports, health, metrics, closeAfter } = createProcess(opened, {
    clock,
    log,
    tracing,
    topic: uploadAccepted.topic,
    servesWithoutBus: true,
    embedder: config.embedder,
    groups: events.map(({ group }) => group),
  })
  const queues = { ingestion: store.uploads, 'file-pipeline': store.files, deletion: store.deletions }
  for (const [service, { dueCount }] of Object.entries(queues)) metrics.dueJobs(service, dueCount)
  const created = config.apiKey === undefined && config.bootstrap ? generateApiKey().apiKey : undefined
  const firstApiKey = config.apiKey ?? created
  const gateway = createGatewayService({
    ...ports,
    lexicalEmbedder: lexicalEmbedder(),
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
  const running = await runProcess([gateway], { closeAfter, log })
  log.info({ port: gateway.port() }, 'ready')
  // Not awaited: requests without files are served while the object store is unavailable.
  refuseForeignObjects({ store, files, ids }).catch((error: unknown) => void running.end(error))
})
