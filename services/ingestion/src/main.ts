import { engineRules } from '@cairn/adapters/cluster-settings'
import { processRules } from '@cairn/runtime/config/process-config'
// node services/ingestion/src/main.ts                      processes uploads
// node services/ingestion/src/main.ts rebuild [--reembed] [namespace…] writes the vector index again from the stored items, and ends

import { systemClock } from '@cairn/adapters/clock/system'
import { clusterEngines } from '@cairn/adapters/cluster'
import { configuredEmbedders } from '@cairn/adapters/embedder/configured'
import { threadTextWorker } from '@cairn/adapters/text-worker'
import { uploadAccepted } from '@cairn/contracts/events'
import { readConfig } from '@cairn/runtime/config/config'
import { runMain } from '@cairn/runtime/process/run-main'
import { workerMain } from '@cairn/runtime/process/worker-main'
import { openLog } from '@cairn/runtime/tracing/open-log'
import { ingestionConfig } from './config.ts'
import { rebuildCommand } from './rebuild-command.ts'
import { createIngestionService } from './service.ts'

const clock = systemClock()

const rebuild = async (args: readonly string[]) => {
  const config = readConfig(ingestionConfig, process.env, [...engineRules, ...processRules])
  const { log } = await openLog(config, 'ingestion')
  const embedders = configuredEmbedders(config, clock)
  const { store, vectors, bus } = clusterEngines(config, { clock, log })
  const textWorker = threadTextWorker()
  const write = (text: string) => void process.stdout.write(text)
  const deps = { store, vectors, embedders, textWorker, clock, log, write, configuredEmbedder: config.embedder }
  process.exitCode = await rebuildCommand(deps, args)
  for (const port of [embedders, textWorker, bus, vectors, store]) await port.close()
}

const work = () =>
  workerMain({
    name: 'ingestion',
    topic: uploadAccepted.topic,
    schema: ingestionConfig,
    env: process.env,
    rules: engineRules,
    clock,
    open: (config, context) => ({
      ...clusterEngines(config, context),
      embedders: configuredEmbedders(config, context.clock),
      textWorker: threadTextWorker(),
    }),
    create: ({ config, ...deps }) =>
      createIngestionService({
        ...deps,
        concurrency: config.concurrency,
        auditEveryMs: config.auditEveryMinutes * 60_000,
        reindexEveryMs: 2_000,
        renewAfterMs: 3_600_000,
        probeEveryMs: 30_000,
      }),
  })

const [command, ...args] = process.argv.slice(2)
await (command === 'rebuild' ? runMain(() => rebuild(args)) : work())
