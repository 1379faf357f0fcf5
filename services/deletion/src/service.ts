import { deletionRequested } from '@cairn/contracts/events'
import type { Deletion } from '@cairn/domain/items/record'
import { on } from '@cairn/runtime/bus/message-router'
import { createJobService, type JobServiceDeps } from '@cairn/runtime/jobs/job-service'
import { removeFile } from './remove-file.ts'
import { type DeletionDeps as RemoveDeps, removeItems } from './remove-items.ts'
import { recheckNamespace, removeNamespace } from './remove-namespace.ts'

export type DeletionDeps = RemoveDeps & JobServiceDeps<Deletion>

/** Retries a deletion without limit. */
export const createDeletionService = (deps: DeletionDeps) => {
  return createJobService<Deletion>(deps, {
    name: 'deletion',
    jobStore: deps.store.deletions,
    handlers: (jobs) => [on(deletionRequested, () => void jobs.wake())],
    work: (run) => {
      if (run.job.target === 'items') return removeItems(deps)(run)
      if (run.job.target === 'file') return removeFile(deps)(run)
      return (run.job.state === 'rechecking' ? recheckNamespace : removeNamespace)(deps)(run)
    },
    needsTakingOver: (job) => job.target !== 'namespace' && !job.itemsDone,
    takeOver: (job, token) => deps.store.deletions.takeOver(job.id, token),
  })
}
