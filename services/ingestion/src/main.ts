// node services/ingestion/src/main.ts                      takes uploads
// node services/ingestion/src/main.ts rebuild [namespace…] writes the vector index anew from what is indexed, and ends
import { uploadAccepted } from '@cairn/contracts/events'
import { randomIds } from '@cairn/domain/ids'
import { systemClock } from '@cairn/ports/clock/system'
import { clusterEngines, clusterSystems } from '@cairn/ports/cluster'
import { configuredEmbedders } from '@cairn/ports/embedder/configured'
import { clusterRules } from '@cairn/runtime/cluster-config'
import { readConfig } from '@cairn/runtime/config'
import { watchEmbedders } from '@cairn/runtime/engine-health'
import { kafkaConnection } from '@cairn/runtime/kafka-config'
import { runMain } from '@cairn/runtime/run-main'
import { openLog } from '@cairn/runtime/tracing/open-log'
import { runWorker, type WorkerOptions } from '@cairn/runtime/worker-process'
import { ingestionConfig } from './config.ts'
import { rebuildIndex } from './rebuild-index.ts'
import { createIngestionService } from './service.ts'

await runMain(async () => {
  const config = readConfig(ingestionConfig, process.env, clusterRules)
  const { log, tracing } = await openLog(config, 'ingestion')
  const clock = systemClock()
  const ids = randomIds(clock.now)
  const embedders = configuredEmbedders(config, clock)
  const open = (events: Partial<Parameters<WorkerOptions['open']>[0]> = {}) =>
    clusterEngines(config, { connection: kafkaConnection(config), clock, log, ...events })

  const [command, ...namespaces] = process.argv.slice(2)
  if (command === 'rebuild') {
    const { metadata, vectors, bus } = open()
    const rebuilt = await rebuildIndex({ metadata, vectors, embedders, clock, log })(namespaces)
    process.stdout.write(`${JSON.stringify(rebuilt)}\n`)
    for (const port of [embedders, bus, vectors, metadata]) await port.close()
    process.exitCode = rebuilt.skipped.length > 0 ? 1 : 0
    return
  }
  await runWorker({
    config,
    queue: { group: 'ingestion', topic: uploadAccepted.topic },
    clock,
    log,
    tracing,
    systems: clusterSystems,
    open: (events) => {
      const engines = open(events)
      return { ...engines, closeAfter: [embedders, engines.bus, engines.vectors, engines.metadata] }
    },
    create: ({ metrics, health, watch, ...ports }) => {
      watchEmbedders(health, embedders, config.embedder)
      const observe = metrics.observe('ingestion')
      return createIngestionService({
        ...ports,
        embedders: watch.embedders(embedders),
        clock,
        ids,
        random: Math.random,
        log,
        concurrency: config.concurrency,
        auditEveryMs: config.auditEveryMinutes * 60_000,
        observe,
      })
    },
  })
})
