import { systemClock } from '@cairn/adapters/clock/system'
import { clusterEngines, clusterFiles } from '@cairn/adapters/cluster'
import { deletionRequested } from '@cairn/contracts/events'
import { kafkaConnection } from '@cairn/runtime/kafka-config'
import { workerMain } from '@cairn/runtime/worker-main'
import { deletionConfig } from './config.ts'
import { createDeletionService } from './service.ts'

await workerMain({
  name: 'deletion',
  topic: deletionRequested.topic,
  schema: deletionConfig,
  env: process.env,
  clock: systemClock(),
  open: (config, context) => ({
    ...clusterEngines(config, { connection: kafkaConnection(config), ...context }),
    files: clusterFiles(config),
  }),
  create: ({ config, ...deps }) => createDeletionService({ ...deps, concurrency: config.concurrency }),
})
