import type { ConfigRule } from '@cairn/contracts/settings'
import { type Ids, randomIds } from '@cairn/domain/ids'
import type { Clock } from '@cairn/domain/ports/clock'
import type * as z from 'zod'
import { readConfig } from '../config/config.ts'
import { processRules } from '../config/process-config.ts'
import { createOpsServer } from '../http/ops-server.ts'
import type { Jobs, JobsOptions } from '../jobs/jobs.ts'
import { stalledJobs } from '../jobs/stalled-jobs.ts'
import { openLog } from '../tracing/open-log.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { TracingSettings } from '../tracing/tracing-config.ts'
import { createProcess, type ProcessPorts } from './create-process.ts'
import { waitForEngines } from './engine-health.ts'
import { watchLiveness } from './health.ts'
import { type RunningProcess, runProcess, type Service } from './lifecycle.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import { runMain } from './run-main.ts'

type WorkerConfig = TracingSettings & {
  readonly host: string
  readonly port: number
  readonly logLevel: Parameters<typeof openLog>[0]['logLevel']
  readonly embedder?: string
}

type WorkerDeps<C, P> = P & {
  readonly config: C
  readonly clock: Clock
  readonly ids: Ids
  readonly random: () => number
  readonly log: Logger
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly observe: NonNullable<JobsOptions<never>['observe']>
  readonly countUnreadable: Metrics['unreadableMessage']
}

export type WorkerOptions<C, P> = {
  /** Also its consumer group. */
  readonly name: string
  readonly topic: string
  readonly schema: z.ZodObject & z.ZodType<C>
  readonly env: NodeJS.ProcessEnv
  readonly rules: readonly ConfigRule[]
  readonly clock: Clock
  /** Opens without connecting. `onRebalance`: called for each new assignment of partitions. */
  readonly open: (
    config: C,
    context: { readonly clock: Clock; readonly log: Logger; readonly onRebalance: () => void },
  ) => P
  readonly create: (deps: WorkerDeps<C, P>) => Service & { readonly jobs?: Jobs }
}

const runWorker = async <C extends WorkerConfig, P extends ProcessPorts>(
  options: WorkerOptions<C, P>,
): Promise<RunningProcess> => {
  const { name, topic, clock } = options
  const config = readConfig(options.schema, options.env, [...options.rules, ...processRules]) as C
  const { log, tracing } = await openLog(config, name)
  let running: RunningProcess | undefined
  const opened = options.open(config, { clock, log, onRebalance: () => metrics.rebalance(name) })
  const { embedder } = config
  const made = createProcess(opened, { clock, log, tracing, topic, embedder, groups: [name] })
  const { ports, health, metrics, closeAfter } = made
  const service = options.create({
    ...ports,
    config,
    clock,
    ids: randomIds(clock.now),
    random: Math.random,
    log,
    metrics,
    tracing,
    observe: metrics.observe(name),
    countUnreadable: metrics.unreadableMessage,
  })
  const { jobs } = service
  if (jobs) {
    health.liveness('leases', () => ({ ok: jobs.healthy() }))
    health.liveness('jobs', stalledJobs({ clock, jobs }))
    made.reportJobs(name, jobs)
  }
  const ops = createOpsServer({ ...config, health, metrics, clock, log })
  const liveness = watchLiveness({ health, clock, onDead: (why) => running?.end(why) })
  // Jobs start without the bus, and wait for the embedder themselves.
  const engines = waitForEngines({ health, clock, log, except: ['message-bus', 'embedder'] })
  running = await runProcess([ops, engines, service, liveness], { closeAfter, log })
  log.info({ port: ops.port() }, 'ready')
  return running
}

/** Serves health and metrics while it waits for the engines. Ends the process when only a restart helps. */
export const workerMain = <C extends WorkerConfig, P extends ProcessPorts>(
  options: WorkerOptions<C, P>,
): Promise<void> => runMain(async () => void (await runWorker(options)))
