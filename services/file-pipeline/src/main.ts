import { systemClock } from '@cairn/adapters/clock/system'
import { clusterEngines, clusterFiles } from '@cairn/adapters/cluster'
import { engineRules } from '@cairn/adapters/cluster-settings'
import { configuredEmbedders } from '@cairn/adapters/embedder/configured'
import { lexicalEmbedder } from '@cairn/adapters/embedder/lexical'
import { threadTextWorker } from '@cairn/adapters/text-worker'
import { fileStored } from '@cairn/contracts/events'
import { readTiers } from '@cairn/domain/accounts/tiers'
import { workerMain } from '@cairn/runtime/process/worker-main'
import { filePipelineConfig, readingLimits } from './config.ts'
import { createFilePipelineService } from './service.ts'

await workerMain({
  name: 'file-pipeline',
  topic: fileStored.topic,
  schema: filePipelineConfig,
  env: process.env,
  rules: engineRules,
  clock: systemClock(),
  open: (config, context) => ({
    ...clusterEngines(config, context),
    files: clusterFiles(config),
    embedders: configuredEmbedders(config, context.clock),
    textWorker: threadTextWorker(),
  }),
  create: ({ config, metrics, ...deps }) =>
    createFilePipelineService({
      ...deps,
      tiers: readTiers(config.tiersFile),
      limits: readingLimits(config),
      scratchDir: config.scratchDir,
      lexicalEmbedder: lexicalEmbedder(),
      concurrency: config.fileConcurrency,
      objectEventsEnabled: config.objectEvents !== false,
      observeReading: metrics.reading,
      orphanMs: config.orphanDays * 86_400_000,
      failedFileMs: config.failedFileDays * 86_400_000,
      observeOrphans: metrics.orphans,
    }),
})
