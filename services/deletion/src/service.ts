import type { MessageBus } from '@cairn/ports/message-bus/port'
import type { Deletion } from '@cairn/ports/metadata/records'
import type { Ids } from '@cairn/runtime/ids'
import { createJobs, type Jobs, type JobsOptions } from '@cairn/runtime/jobs'
import { createService, type Service } from '@cairn/runtime/lifecycle'
import type { Logger } from '@cairn/runtime/logger'
import { createMessageRouter } from '@cairn/runtime/message-router'
import { onDeletionRequested } from './on-deletion-requested.ts'
import { removeFile } from './remove-file.ts'
import { type DeletionDeps as RemoveDeps, removeItems } from './remove-items.ts'
import { recheckNamespace, removeNamespace } from './remove-namespace.ts'

export type DeletionDeps = RemoveDeps & {
  readonly bus: MessageBus
  readonly ids: Ids
  /** 0 to 1. */
  readonly random: () => number
  readonly log: Logger
  /** Deletions worked on at once. */
  readonly concurrency: number
  readonly observe?: JobsOptions<Deletion>['observe']
}

/** Removes points and records, verifies, frees the name. A deletion is never given up. */
export const createDeletionService = (deps: DeletionDeps): Service & { readonly jobs: Jobs } => {
  const { bus, metadata, clock, ids, random, concurrency, observe } = deps
  const log = deps.log.child({ service: 'deletion' })
  const [byId, file, whole, again] = [removeItems(deps), removeFile(deps), removeNamespace(deps), recheckNamespace(deps)]
  const jobs = createJobs<Deletion>({
    service: 'deletion',
    store: metadata.deletions,
    concurrency,
    work: (run) => {
      if (run.job.target === 'items') return byId(run)
      if (run.job.target === 'file') return file(run)
      return run.job.state === 'rechecking' ? again(run) : whole(run)
    },
    needsAdoption: (job) => job.target !== 'namespace' && !job.itemsDone,
    adopt: (job, token) => metadata.deletions.adopt(job.id, token),
    clock,
    ids,
    random,
    log,
    ...(observe ? { observe } : {}),
  })
  const router = createMessageRouter({
    bus,
    log,
    group: 'deletion',
    handlers: [onDeletionRequested({ jobs })],
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
