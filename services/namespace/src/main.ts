import { systemClock } from '@cairn/adapters/clock/system'
import { clusterEngines } from '@cairn/adapters/cluster'
import { engineRules } from '@cairn/adapters/cluster-settings'
import { namespaceCreated } from '@cairn/contracts/events'
import { workerMain } from '@cairn/runtime/process/worker-main'
import { namespaceConfig } from './config.ts'
import { createNamespaceService } from './service.ts'

await workerMain({
  name: 'namespace',
  topic: namespaceCreated.topic,
  schema: namespaceConfig,
  env: process.env,
  rules: engineRules,
  clock: systemClock(),
  open: (config, context) => clusterEngines(config, context),
  create: ({ config, ...deps }) =>
    createNamespaceService({
      ...deps,
      sweepEveryMs: 5_000,
      auditEveryMs: config.auditEveryMinutes * 60_000,
      jobRetentionMs: config.jobRetentionDays * 86_400_000,
    }),
})
