import { namespaceCreated } from '@cairn/contracts/events'
import { randomIds } from '@cairn/domain/ids'
import { systemClock } from '@cairn/ports/clock/system'
import { clusterEngines, clusterSystems } from '@cairn/ports/cluster'
import { clusterRules } from '@cairn/runtime/cluster-config'
import { readConfig } from '@cairn/runtime/config'
import { kafkaConnection } from '@cairn/runtime/kafka-config'
import { runMain } from '@cairn/runtime/run-main'
import { openLog } from '@cairn/runtime/tracing/open-log'
import { runWorker } from '@cairn/runtime/worker-process'
import { namespaceConfig } from './config.ts'
import { createNamespaceService } from './service.ts'

await runMain(async () => {
  const config = readConfig(namespaceConfig, process.env, clusterRules)
  const { log, tracing } = await openLog(config, 'namespace')
  const clock = systemClock()
  const ids = randomIds(clock.now)
  await runWorker({
    config,
    queue: { group: 'namespace', topic: namespaceCreated.topic },
    clock,
    log,
    tracing,
    systems: clusterSystems,
    open: (events) => {
      const engines = clusterEngines(config, { connection: kafkaConnection(config), clock, log, ...events })
      return { ...engines, closeAfter: [engines.bus, engines.vectors, engines.metadata] }
    },
    create: ({ metadata, vectors, bus }) =>
      createNamespaceService({
        metadata,
        vectors,
        bus,
        clock,
        ids,
        log,
        sweepEveryMs: 5_000,
        auditEveryMs: config.auditEveryMinutes * 60_000,
        jobRetentionMs: config.jobRetentionDays * 86_400_000,
      }),
  })
})
