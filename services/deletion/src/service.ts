import type { Deletion } from '@cairn/domain/metadata/records'
import { createJobService, type JobServiceDeps } from '@cairn/runtime/job-service'
import { onDeletionRequested } from './on-deletion-requested.ts'
import { removeFile } from './remove-file.ts'
import { type DeletionDeps as RemoveDeps, removeItems } from './remove-items.ts'
import { recheckNamespace, removeNamespace } from './remove-namespace.ts'

export type DeletionDeps = RemoveDeps & JobServiceDeps<Deletion>

/**
 * Creates the service that removes points and records, verifies, and frees names. It retries a deletion without limit.
 */
export const createDeletionService = (deps: DeletionDeps) => {
  const [byId, file, whole, again] = [
    removeItems(deps),
    removeFile(deps),
    removeNamespace(deps),
    recheckNamespace(deps),
  ]
  return createJobService<Deletion>(deps, {
    name: 'deletion',
    store: deps.metadata.deletions,
    handlers: (jobs) => [onDeletionRequested({ jobs })],
    work: (run) => {
      if (run.job.target === 'items') return byId(run)
      if (run.job.target === 'file') return file(run)
      return run.job.state === 'rechecking' ? again(run) : whole(run)
    },
    needsAdoption: (job) => job.target !== 'namespace' && !job.itemsDone,
    adopt: (job, token) => deps.metadata.deletions.adopt(job.id, token),
  })
}
