import type { Answerer } from '@cairn/domain/ports/answerer'
import type { Clock } from '@cairn/domain/ports/clock'
import type { Embedders } from '@cairn/domain/ports/embedder'
import type { FileStore } from '@cairn/domain/ports/file-store'
import type { MessageBus } from '@cairn/domain/ports/message-bus'
import type { Reranker } from '@cairn/domain/ports/reranker'
import type { TextWorker } from '@cairn/domain/ports/text-worker'
import type { VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Store } from '@cairn/domain/store'
import type { Jobs } from '../jobs/jobs.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { createPortWatch } from '../tracing/watch-ports.ts'
import { watchEmbedders, watchEngines } from './engine-health.ts'
import { createHealth } from './health.ts'
import { createLanguageCoverage } from './language-coverage.ts'
import type { Logger } from './logger.ts'
import { createMetrics } from './metrics.ts'

export type ProcessPorts = {
  readonly store: Store
  readonly vectors: VectorIndex
  readonly bus: MessageBus
  readonly files?: FileStore
  readonly embedders?: Embedders
  readonly textWorker?: TextWorker
  readonly answerer?: Answerer | undefined
  readonly reranker?: Reranker | undefined
}

export type ProcessOptions = {
  readonly clock: Clock
  readonly log: Logger
  readonly tracing: Tracing
  /** Checked on the bus. */
  readonly topic: string
  /** Stays ready while the bus does not answer. Default: false. */
  readonly servesWithoutBus?: boolean
  /** Provider that is configured for new namespaces. */
  readonly embedder?: string | undefined
  /** Consumer groups whose lag is reported. */
  readonly groups: readonly string[]
  readonly onStoreFailed?: ((port: string, error: unknown) => void) | undefined
}

/**
 * Joins ports, health and metrics: each process of Cairn is made of this and its services, be it one service or all.
 * `ports` are watched: each call is traced and its failure counted. `closeAfter` has the ports in the order to close
 * them, once the services have stopped.
 */
export const createProcess = <P extends ProcessPorts>(opened: P, options: ProcessOptions) => {
  const { clock, log, tracing, topic, servesWithoutBus = false, embedder = '', groups, onStoreFailed } = options
  const { store, vectors, bus, files, embedders, textWorker, answerer, reranker } = opened
  const metrics = createMetrics()
  const health = createHealth({ clock, log })
  const watch = createPortWatch({
    tracing,
    onFailure: (port, reason, error) => {
      metrics.storeFailed(port, reason)
      onStoreFailed?.(port, error)
    },
  })
  watchEngines(health, { store, vectors, bus }, topic, { servesWithoutBus })
  const watchedStore = watch.metadata(store)
  if (embedders) watchEmbedders(health, embedders, embedder, createLanguageCoverage({ store: watchedStore, clock }))
  for (const group of groups) metrics.group(group)
  return {
    health,
    metrics,
    ports: {
      ...opened,
      store: watchedStore,
      vectors: watch.vectors(vectors),
      bus: watch.bus(bus),
      ...(files && { files: watch.files(files) }),
      ...(embedders && { embedders: watch.embedders(embedders) }),
      ...(answerer && { answerer: watch.answerer(answerer) }),
    },
    /** Reports the free slots and due jobs of a service. */
    reportJobs: (service: string, jobs: Pick<Jobs, 'free' | 'due'>): void => {
      metrics.freeSlots(service, jobs.free)
      metrics.dueJobs(service, jobs.due)
    },
    closeAfter: [embedders, textWorker, reranker, bus, vectors, files, store, tracing].filter(
      (each) => each !== undefined,
    ),
  }
}
