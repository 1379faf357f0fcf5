import { deletionRequested } from '@cairn/contracts/events'
import { randomIds } from '@cairn/domain/ids'
import { systemClock } from '@cairn/ports/clock/system'
import { clusterEngines, clusterFiles, clusterSystems } from '@cairn/ports/cluster'
import { clusterRules } from '@cairn/runtime/cluster-config'
import { readConfig } from '@cairn/runtime/config'
import { kafkaConnection } from '@cairn/runtime/kafka-config'
import { runMain } from '@cairn/runtime/run-main'
import { openLog } from '@cairn/runtime/tracing/open-log'
import { runWorker } from '@cairn/runtime/worker-process'
import { deletionConfig } from './config.ts'
import { createDeletionService } from './service.ts'

await runMain(async () => {
  const config = readConfig(deletionConfig, process.env, clusterRules)
  const { log, tracing } = await openLog(config, 'deletion')
  const clock = systemClock()
  const ids = randomIds(clock.now)
  const files = clusterFiles(config)
  await runWorker({
    config,
    queue: { group: 'deletion', topic: deletionRequested.topic },
    clock,
    log,
    tracing,
    systems: clusterSystems,
    open: (events) => {
      const engines = clusterEngines(config, { connection: kafkaConnection(config), clock, log, ...events })
      return { ...engines, closeAfter: [engines.bus, files, engines.vectors, engines.metadata] }
    },
    create: ({ metrics, health: _, watch, ...ports }) => {
      const observe = metrics.observe('deletion')
      return createDeletionService({
        ...ports,
        files: watch.files(files),
        clock,
        ids,
        random: Math.random,
        log,
        concurrency: config.concurrency,
        observe,
      })
    },
  })
})
