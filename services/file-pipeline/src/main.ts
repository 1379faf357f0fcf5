import { fileStored } from '@cairn/contracts/events'
import { randomIds } from '@cairn/domain/ids'
import { readTiers } from '@cairn/domain/tiers'
import { systemClock } from '@cairn/ports/clock/system'
import { clusterEngines, clusterFiles, clusterSystems } from '@cairn/ports/cluster'
import { configuredEmbedders } from '@cairn/ports/embedder/configured'
import { lexicalEmbedder } from '@cairn/ports/embedder/lexical'
import { clusterRules } from '@cairn/runtime/cluster-config'
import { readConfig } from '@cairn/runtime/config'
import { watchEmbedders } from '@cairn/runtime/engine-health'
import { kafkaConnection } from '@cairn/runtime/kafka-config'
import { runMain } from '@cairn/runtime/run-main'
import { openLog } from '@cairn/runtime/tracing/open-log'
import { runWorker } from '@cairn/runtime/worker-process'
import { filePipelineConfig, readingLimits } from './config.ts'
import { createFilePipelineService } from './service.ts'

await runMain(async () => {
  const config = readConfig(filePipelineConfig, process.env, clusterRules)
  const { log, tracing } = await openLog(config, 'file-pipeline')
  const clock = systemClock()
  const ids = randomIds(clock.now)
  const embedders = configuredEmbedders(config, clock)
  const files = clusterFiles(config)
  await runWorker({
    config,
    queue: { group: 'file-pipeline', topic: fileStored.topic },
    clock,
    log,
    tracing,
    systems: clusterSystems,
    open: (events) => {
      const engines = clusterEngines(config, { connection: kafkaConnection(config), clock, log, ...events })
      return { ...engines, closeAfter: [embedders, engines.bus, files, engines.vectors, engines.metadata] }
    },
    create: ({ metrics, health, watch, ...ports }) => {
      watchEmbedders(health, embedders, config.embedder)
      return createFilePipelineService({
        ...ports,
        files: watch.files(files),
        embedders: watch.embedders(embedders),
        clock,
        ids,
        random: Math.random,
        log,
        tiers: readTiers(config.tiersFile),
        limits: readingLimits(config),
        scratchDir: config.scratchDir,
        lexicalEmbedder: lexicalEmbedder(),
        concurrency: config.fileConcurrency,
        objectEventsEnabled: config.objectEvents !== false,
        observe: metrics.observe('file-pipeline'),
        observeReading: metrics.reading,
        orphanMs: config.orphanDays * 86_400_000,
        failedFileMs: config.failedFileDays * 86_400_000,
        observeOrphans: metrics.orphans,
      })
    },
  })
})
