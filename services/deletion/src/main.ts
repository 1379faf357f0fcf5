import { systemClock } from '@cairn/adapters/clock/system'
import { clusterEngines, clusterFiles } from '@cairn/adapters/cluster'
import { engineRules } from '@cairn/adapters/cluster-settings'
import { deletionRequested } from '@cairn/contracts/events'
import { workerMain } from '@cairn/runtime/process/worker-main'
import { deletionConfig } from './config.ts'
import { createDeletionService } from './service.ts'

await workerMain({
  name: 'deletion',
  topic: deletionRequested.topic,
  schema: deletionConfig,
  env: process.env,
  rules: engineRules,
  clock: systemClock(),
  open: (config, context) => ({
    ...clusterEngines(config, context),
    files: clusterFiles(config),
  }),
  create: ({ config, ...deps }) => createDeletionService({ ...deps, concurrency: config.concurrency }),
})
