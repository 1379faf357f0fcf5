import { topics, uploadAccepted } from '@cairn/contracts/events'
import { createDeletionService } from '@cairn/deletion/service'
import { createGatewayService, type Gateway, type GatewayDeps } from '@cairn/gateway/service'
import { createIngestionService } from '@cairn/ingestion/service'
import { createNamespaceService } from '@cairn/namespace/service'
import type { Clock } from '@cairn/ports/clock/port'
import type { Embedders } from '@cairn/ports/embedder/port'
import type { MessageBus } from '@cairn/ports/message-bus/port'
import type { Metadata } from '@cairn/ports/metadata/port'
import type { VectorIndex } from '@cairn/ports/vector-index/port'
import { watchEmbedders, watchEngines } from '@cairn/runtime/engine-health'
import { createHealth } from '@cairn/runtime/health'
import type { Ids } from '@cairn/runtime/ids'
import type { Service } from '@cairn/runtime/lifecycle'
import type { Logger } from '@cairn/runtime/logger'
import { createMetrics } from '@cairn/runtime/metrics'

export type StandalonePorts = {
  readonly metadata: Metadata
  readonly vectors: VectorIndex
  readonly bus: MessageBus
  readonly embedders: Embedders
  readonly clock: Clock
  readonly ids: Ids
  /** 0 to 1. */
  readonly random: () => number
  readonly log: Logger
}

export type StandaloneOptions = {
  readonly gateway: GatewayDeps['config']
  readonly ingestionConcurrency: number
  readonly deletionConcurrency: number
  readonly jobRetentionMs: number
  readonly auditEveryMs: number
}

const sweepEveryMs = 5_000
/** The services of one process over given stores, in the order they start: the gateway last, so that it stops first. */
export const createStandalone = (
  ports: StandalonePorts,
  options: StandaloneOptions & { readonly configuredEmbedder: string },
): { readonly services: readonly Service[]; readonly gateway: Gateway } => {
  const { clock, bus, vectors, embedders } = ports
  const metrics = createMetrics()
  const metadata = { ...ports.metadata, deadLetters: metrics.countDeadLetters(ports.metadata.deadLetters) }
  const shared = { ...ports, metadata }
  const health = createHealth({ clock, log: ports.log })
  const ingestion = createIngestionService({ ...shared, concurrency: options.ingestionConcurrency, observe: metrics.observe('ingestion') })
  const deletion = createDeletionService({ ...shared, concurrency: options.deletionConcurrency, observe: metrics.observe('deletion') })
  const namespace = createNamespaceService({
    ...shared,
    sweepEveryMs,
    auditEveryMs: options.auditEveryMs,
    jobRetentionMs: options.jobRetentionMs,
  })
  const gateway = createGatewayService({ ...shared, config: options.gateway, health, metrics })
  for (const from of topics) metrics.queue(from.group, () => bus.backlog(from))
  watchEngines(health, { metadata, vectors, bus }, { group: 'ingestion', topic: uploadAccepted.topic })
  watchEmbedders(health, embedders, options.configuredEmbedder)
  // No liveness conditions: they end a process that somebody starts anew, and here a full disk would end it for good.
  return { services: [namespace, deletion, ingestion, gateway], gateway }
}
