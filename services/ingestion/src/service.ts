import type { Upload } from '@cairn/ports/metadata/records'
import { createJobService, type JobServiceDeps } from '@cairn/runtime/job-service'
import type { IndexDeps } from './deps.ts'
import { giveUpUpload, indexUpload } from './index-upload.ts'
import { onUploadAccepted } from './on-upload-accepted.ts'

export type IngestionDeps = IndexDeps & JobServiceDeps<Upload>

/** Passages → embed → index → complete. */
export const createIngestionService = (deps: IngestionDeps) =>
  createJobService<Upload>(deps, {
    name: 'ingestion',
    store: deps.metadata.uploads,
    handlers: (jobs) => [onUploadAccepted({ jobs })],
    work: indexUpload(deps),
    giveUp: giveUpUpload(deps),
    needsAdoption: (job) => job.state === 'accepting',
    adopt: async (job, token) => {
      const adopted = await deps.metadata.uploads.adopt(job.id, deps.clock.now())
      return adopted?.state === 'queued' ? deps.metadata.uploads.lease(job.id, token) : undefined
    },
  })
