import { systemClock } from '@cairn/adapters/clock/system'
import { clusterEngines } from '@cairn/adapters/cluster'
import { namespaceCreated } from '@cairn/contracts/events'
import { kafkaConnection } from '@cairn/runtime/kafka-config'
import { workerMain } from '@cairn/runtime/worker-main'
import { namespaceConfig } from './config.ts'
import { createNamespaceService } from './service.ts'

await workerMain({
  name: 'namespace',
  topic: namespaceCreated.topic,
  schema: namespaceConfig,
  env: process.env,
  clock: systemClock(),
  open: (config, context) => clusterEngines(config, { connection: kafkaConnection(config), ...context }),
  create: ({ config, ...deps }) =>
    createNamespaceService({
      ...deps,
      sweepEveryMs: 5_000,
      auditEveryMs: config.auditEveryMinutes * 60_000,
      jobRetentionMs: config.jobRetentionDays * 86_400_000,
    }),
})
