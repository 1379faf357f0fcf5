import type { MessageBus } from '@cairn/ports/message-bus/port'
import type { Upload } from '@cairn/ports/metadata/records'
import type { Ids } from '@cairn/runtime/ids'
import { createJobs, type Jobs, type JobsOptions } from '@cairn/runtime/jobs'
import { createService, type Service } from '@cairn/runtime/lifecycle'
import type { Logger } from '@cairn/runtime/logger'
import { createMessageRouter } from '@cairn/runtime/message-router'
import type { IndexDeps } from './deps.ts'
import { giveUpUpload, indexUpload } from './index-upload.ts'
import { onUploadAccepted } from './on-upload-accepted.ts'

export type IngestionDeps = IndexDeps & {
  readonly bus: MessageBus
  readonly ids: Ids
  /** 0 to 1. */
  readonly random: () => number
  readonly log: Logger
  /** Uploads worked on at once. */
  readonly concurrency: number
  readonly observe?: JobsOptions<Upload>['observe']
}

/** Passages → embed → index → complete. `jobs` is there for health checks and tests. */
export const createIngestionService = (deps: IngestionDeps): Service & { readonly jobs: Jobs } => {
  const { bus, metadata, clock, ids, random, concurrency, observe } = deps
  const log = deps.log.child({ service: 'ingestion' })
  const jobs = createJobs<Upload>({
    service: 'ingestion',
    store: metadata.uploads,
    concurrency,
    work: indexUpload(deps),
    giveUp: giveUpUpload(deps),
    needsAdoption: (job) => job.state === 'accepting',
    adopt: async (job, token) => {
      const adopted = await metadata.uploads.adopt(job.id, clock.now())
      return adopted?.state === 'queued' ? metadata.uploads.lease(job.id, token) : undefined
    },
    clock,
    ids,
    random,
    log,
    ...(observe ? { observe } : {}),
  })
  const router = createMessageRouter({
    bus,
    log,
    group: 'ingestion',
    handlers: [onUploadAccepted({ jobs })],
    deadLetters: metadata.deadLetters,
    ids,
    clock,
    whenReady: jobs.whenReady,
  })
  const service = createService(async (onStop) => {
    jobs.begin()
    onStop(jobs.stop)
    await router.start()
    // Together: a handler may be waiting for a place in the pool, and only the pool can tell it that there will be none.
    onStop(() => Promise.all([router.stop(), jobs.stop()]))
  })
  return { ...service, jobs }
}
