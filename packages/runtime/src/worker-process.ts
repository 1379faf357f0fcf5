import type { Clock } from '@cairn/ports/clock/port'
import type { MessageBus } from '@cairn/ports/message-bus/port'
import type { Metadata } from '@cairn/ports/metadata/port'
import type { VectorIndex } from '@cairn/ports/vector-index/port'
import { type Queue, waitForEngines, watchEngines } from './engine-health.ts'
import { createHealth, type Health, watchLiveness } from './health.ts'
import type { Jobs } from './jobs.ts'
import { type RunningProcess, runProcess, type Service } from './lifecycle.ts'
import type { Logger } from './logger.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createOpsServer } from './ops-server.ts'
import { stalledJobs } from './stalled-jobs.ts'
import type { Tracing } from './tracing/tracing.ts'
import { createPortWatch, type PortWatch, type Systems } from './tracing/watch-ports.ts'
import { within } from './within.ts'

export type WorkerPorts = {
  readonly metadata: Metadata
  readonly vectors: VectorIndex
  readonly bus: MessageBus
  /** Closed after the service has stopped, in this order. */
  readonly closeAfter: readonly { close(): Promise<void> }[]
}

export type WorkerOptions = {
  readonly config: { readonly host: string; readonly port: number }
  readonly queue: Queue
  /** Connects to nothing yet. `onRebalance` is called for each new share of the partitions. */
  readonly open: (events: { readonly onRebalance: () => void }) => WorkerPorts
  readonly clock: Clock
  readonly log: Logger
  readonly tracing: Tracing
  readonly systems: Systems
  /** What the process is for. `metadata` counts the dead letters that pass it. */
  readonly create: (
    shared: Pick<WorkerPorts, 'metadata' | 'vectors' | 'bus'> & {
      readonly metrics: Metrics
      readonly health: Health
      readonly tracing: Tracing
      /** For the ports the service has beside these. */
      readonly watch: PortWatch
    },
  ) => Service & { readonly jobs?: Jobs }
}

/** Less than a check of health may take: a bus that is slow says as little about this process as one that is away. */
const answerWithinMs = 1_500

const soon = <T>(clock: Clock, answer: Promise<T>): Promise<T> =>
  within(clock, answerWithinMs, `no answer within ${answerWithinMs} ms`, answer)

/**
 * A process of the cluster that takes messages: health and metrics at its port, then, once its engines answer, its service.
 * It ends by itself when only a new start can put it right.
 */
export const runWorker = async (options: WorkerOptions): Promise<RunningProcess> => {
  const { config, queue, clock, log, tracing, systems } = options
  const metrics = createMetrics()
  const health = createHealth({ clock, log })
  let running: RunningProcess | undefined
  const ports = options.open({
    onRebalance: () => metrics.rebalance(queue.group),
  })
  const watch = createPortWatch({ tracing, systems, onFailure: metrics.storeFailed })
  const watched = watch.metadata(ports.metadata)
  const metadata = { ...watched, deadLetters: metrics.countDeadLetters(watched.deadLetters) }
  watchEngines(health, ports, queue)
  metrics.group(queue.group)
  const service = options.create({
    vectors: watch.vectors(ports.vectors),
    bus: watch.bus(ports.bus),
    metadata,
    metrics,
    health,
    tracing,
    watch,
  })
  const { jobs } = service
  if (jobs) {
    health.liveness('leases', () => ({ ok: jobs.healthy() }))
    health.liveness('jobs', stalledJobs({ clock, jobs: { ...jobs, due: () => soon(clock, jobs.due()) } }))
    metrics.freeSlots(queue.group, jobs.free)
    metrics.dueJobs(queue.group, jobs.due)
  }
  const ops = createOpsServer({ ...config, health, metrics, clock, log })
  const liveness = watchLiveness({ health, clock, onDead: (why) => running?.end(why) })
  // The bus is not waited for: the store tells of work too, and handlers join when the bus is there. Nor is the embedder: jobs wait for it.
  const needed = waitForEngines({ health, clock, log, except: ['message-bus', 'embedder'] })
  running = await runProcess([ops, needed, service, liveness], { closeAfter: [...ports.closeAfter, tracing], log })
  log.info({ port: ops.port() }, 'ready')
  return running
}
