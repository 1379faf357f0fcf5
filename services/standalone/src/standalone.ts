import { events, uploadAccepted } from '@cairn/contracts/events'
import { createDeletionService } from '@cairn/deletion/service'
import { readTiers } from '@cairn/domain/accounts/tiers'
import type { ReadingLimits } from '@cairn/file-pipeline/config'
import { createFilePipelineService, type FilePipelineDeps } from '@cairn/file-pipeline/service'
import { createGatewayService, type Gateway, type GatewayDeps } from '@cairn/gateway/service'
import { createIngestionService } from '@cairn/ingestion/service'
import { createNamespaceService } from '@cairn/namespace/service'
import { every } from '@cairn/runtime/jobs/every'
import { createProcess } from '@cairn/runtime/process/create-process'
import type { Health } from '@cairn/runtime/process/health'
import { createService, type Service } from '@cairn/runtime/process/lifecycle'
import { noTracing } from '@cairn/runtime/tracing/tracing'
import type { DiskSpace } from './disk-space.ts'
import { guardDisk } from './guard-disk.ts'
import type { StoreWatch } from './stores.ts'

type Shared =
  | 'store'
  | 'vectors'
  | 'bus'
  | 'files'
  | 'embedders'
  | 'textWorker'
  | 'answerer'
  | 'reranker'
  | 'clock'
  | 'ids'
  | 'log'
/** `random`: 0 to 1. `tracing`: off by default. */
export type StandalonePorts = Pick<GatewayDeps, Shared | 'tracing'> &
  Pick<FilePipelineDeps, 'lexicalEmbedder' | 'random'>

export type StandaloneOptions = {
  readonly gateway: GatewayDeps['config']
  readonly ingestionConcurrency: number
  readonly deletionConcurrency: number
  readonly fileConcurrency: number
  readonly reading: ReadingLimits
  readonly orphanMs: number
  readonly failedFileMs: number
  readonly scratchDir: string
  /** Set if this process itself receives uploads to signed URLs. */
  readonly signedPuts?: GatewayDeps['signedPuts']
  /** The console gets a code for the first API key. */
  readonly hasConsoleCode?: boolean
  readonly onFirstKey?: GatewayDeps['onFirstKey']
  /** Default: nothing is rejected before the disk is full. */
  readonly disk?: DiskSpace
  /** Default: damage of the data directory is not looked for. */
  readonly stores?: Pick<StoreWatch, 'check' | 'seen'>
  readonly jobRetentionMs: number
  readonly auditEveryMs: number
  /** `reindexEveryMs` and `reindexSettleMs` of ingestion. Defaults: 2 s, and ingestion's default. */
  readonly reindex?: { readonly everyMs: number; readonly settleMs: number }
}

const sweepEveryMs = 5_000
const reserveEveryMs = 500
const checkEveryMs = 60_000
const repeat = (
  ms: number,
  name: string,
  task: () => unknown,
  { clock, log }: Pick<StandalonePorts, 'clock' | 'log'>,
): Service =>
  createService(async (onStop) => {
    const stopped = new AbortController()
    onStop(async () => stopped.abort())
    void every(ms, name, async () => task(), { clock, log, signal: stopped.signal })
  })

/** Reports damage of the data directory and a full disk, and keeps the reserve. */
const watchDirectory = (
  { disk, stores }: Pick<StandaloneOptions, 'disk' | 'stores'>,
  health: Health,
  ports: Pick<StandalonePorts, 'clock' | 'log'>,
): Service[] => {
  const services: Service[] = []
  if (disk) {
    health.dependency('disk', () => {
      const refused = disk.refused().join(' and ')
      return refused === ''
        ? { ok: true }
        : { ok: false, detail: `the disk is nearly full; refused: new ${refused}; deletions are served` }
    })
    services.push(repeat(reserveEveryMs, 'disk reserve', disk.keepReserve, ports))
  }
  if (stores) {
    health.dependency('data-directory', stores.check)
    services.push(repeat(checkEveryMs, 'stores', stores.check, ports))
  }
  return services
}

/** Services are in start order: the gateway is last, so that it stops first. */
export const createStandalone = (
  stores: StandalonePorts,
  options: StandaloneOptions & { readonly configuredEmbedder: string },
): Pick<ReturnType<typeof createProcess>, 'closeAfter'> & {
  readonly services: readonly Service[]
  readonly gateway: Gateway
} => {
  const { disk, stores: watchedStores } = options
  const ports = disk ? { ...stores, ...guardDisk(stores, disk) } : stores
  const { clock, log, tracing = noTracing } = ports
  const made = createProcess(ports, {
    clock,
    log,
    tracing,
    topic: uploadAccepted.topic,
    embedder: options.configuredEmbedder,
    groups: events.map(({ group }) => group),
    onStoreFailed: watchedStores?.seen,
  })
  const { health, metrics } = made
  const shared = { ...made.ports, tracing, countUnreadable: metrics.unreadableMessage }
  const ingestion = createIngestionService({
    ...shared,
    concurrency: options.ingestionConcurrency,
    auditEveryMs: options.auditEveryMs,
    reindexEveryMs: options.reindex?.everyMs ?? 2_000,
    renewAfterMs: 0,
    probeEveryMs: 30_000,
    ...(options.reindex && { reindexSettleMs: options.reindex.settleMs }),
    observe: metrics.observe('ingestion'),
  })
  const deletion = createDeletionService({
    ...shared,
    concurrency: options.deletionConcurrency,
    observe: metrics.observe('deletion'),
  })
  const pipeline = createFilePipelineService({
    ...shared,
    tiers: readTiers(options.gateway.tiersFile),
    scratchDir: options.scratchDir,
    limits: options.reading,
    concurrency: options.fileConcurrency,
    // The gateway receives the files itself.
    objectEventsEnabled: false,
    observe: metrics.observe('file-pipeline'),
    observeReading: metrics.reading,
    orphanMs: options.orphanMs,
    failedFileMs: options.failedFileMs,
    observeOrphans: metrics.orphans,
  })
  const namespace = createNamespaceService({
    ...shared,
    sweepEveryMs,
    auditEveryMs: options.auditEveryMs,
    jobRetentionMs: options.jobRetentionMs,
  })
  const gateway = createGatewayService({
    ...shared,
    config: options.gateway,
    onFirstKey: options.onFirstKey,
    health,
    metrics,
    ...(options.signedPuts ? { signedPuts: options.signedPuts } : {}),
    ...(options.hasConsoleCode ? { hasConsoleCode: true } : {}),
  })
  for (const [service, { jobs }] of Object.entries({ ingestion, deletion, 'file-pipeline': pipeline }))
    made.reportJobs(service, jobs)
  const services = [...watchDirectory(options, health, ports), namespace, deletion, ingestion, pipeline, gateway]
  // No liveness conditions: they end a process for a supervisor to restart it; here a full disk would end it
  // permanently.
  return { services, gateway, closeAfter: made.closeAfter }
}
