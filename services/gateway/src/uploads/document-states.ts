import { documentReasonOf, rejectedRemedy } from '@cairn/contracts/documents/document-reasons'
import type { DocumentOutcome, IndexJob, Outcome, Upload } from '@cairn/domain/items/record'
import type { GatedStore, ReadableUpload } from '../gate.ts'
import { iso, isoOrNull } from '../iso.ts'
import { rejectedOf } from './upload-view.ts'

/** Reads the items of a job that is not final, so that a document is completed as soon as it is indexed. */
export const currentOutcomes = async (store: GatedStore, job: ReadableUpload): Promise<readonly DocumentOutcome[]> => {
  if (job.finishedAt !== null) return job.outcomes
  const states = new Map((await store.items.states(job.namespaceId, job.ids)).map((current) => [current.id, current]))
  const live = job.ids.map((id): DocumentOutcome => {
    const current = states.get(id)
    // A job in `accepting` may not have written the item yet.
    if (!current) return { id, outcome: job.state === 'accepting' ? 'pending' : 'deleted' }
    if (current.version !== job.id) return { id, outcome: job.state === 'accepting' ? 'pending' : 'superseded' }
    if (current.status === 'processing') return { id, outcome: 'pending' }
    return { id, outcome: current.status, ...(current.reason === null ? {} : { reason: current.reason }) }
  })
  return [...live, ...job.outcomes]
}

const statuses = {
  pending: 'processing',
  completed: 'completed',
  failed: 'failed',
  superseded: 'completed',
  deleted: 'completed',
} as const satisfies Record<Outcome, string>

/** Wall times, common to all documents of an upload. */
type Shared = { readonly startedAt: number | null; readonly nextAttemptAt: number | null }

const acceptedView = (job: IndexJob, { startedAt, nextAttemptAt }: Shared) => {
  const pendingState = job.state === 'running' ? ('running' as const) : ('queued' as const)
  return ({ id, outcome, reason }: DocumentOutcome) => {
    const why = outcome === 'failed' && reason !== undefined ? documentReasonOf(reason) : undefined
    // The texts were not stored.
    const isRefused = why?.retry === 'notStored'
    return {
      id,
      status: statuses[outcome],
      outcome,
      state: outcome === 'pending' ? pendingState : outcome,
      reason: reason ?? null,
      message: why?.message ?? null,
      remedy: why?.remedy ?? null,
      attempts: isRefused ? 0 : job.leaseSeq,
      next_attempt_at: outcome === 'pending' ? isoOrNull(nextAttemptAt) : null,
      accepted_at: isRefused ? null : iso(job.createdAt),
      started_at: isRefused ? null : isoOrNull(startedAt),
      finished_at: outcome === 'pending' ? null : isoOrNull(job.finishedAt),
    }
  }
}

const rejectionView = ({ id, error, message }: Upload['rejected'][number]) => ({
  id,
  status: statuses.failed,
  outcome: 'failed' as const,
  state: 'failed' as const,
  reason: error,
  message,
  remedy: rejectedRemedy,
  attempts: 0,
  next_attempt_at: null,
  accepted_at: null,
  started_at: null,
  finished_at: null,
})

/** Returns the accepted ones, then the rejected ones. */
export const documentViews = (job: IndexJob, outcomes: readonly DocumentOutcome[], shared: Shared) => [
  ...outcomes.map(acceptedView(job, shared)),
  ...rejectedOf(job).map(rejectionView),
]
