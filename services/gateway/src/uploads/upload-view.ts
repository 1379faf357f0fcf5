import type { DocumentOutcome, IndexJob, Upload } from '@cairn/ports/metadata/records'
import { secondsOf } from '@cairn/runtime/timings'
import type { GatewayPorts } from '../deps.ts'
import { iso, isoOrNull } from '../iso.ts'

const processingStatus = {
  accepting: 'in_progress',
  queued: 'in_progress',
  running: 'in_progress',
  completed: 'completed',
  failed: 'failed',
} as const

/** Returns the documents that validation rejected. */
export const rejectedOf = (job: IndexJob): Upload['rejected'] => (job.kind === 'chunks' ? [] : job.rejected)

/** Returns when an upload that is not finished is expected to end, in wall time. `outcomes`: current ones. */
export const estimatedEndOf = async (
  { estimates }: Pick<GatewayPorts, 'estimates'>,
  job: IndexJob,
  outcomes: readonly DocumentOutcome[],
): Promise<number | undefined> => {
  if (job.finishedAt !== null || job.state === 'accepting') return undefined
  const pending = outcomes.filter(({ outcome }) => outcome === 'pending').length
  return estimates.endOf('uploads', job, outcomes.length === 0 ? 0 : 1 - pending / outcomes.length)
}

/**
 * Returns what the state of an upload and the list of uploads have in common. `storeTime`: `metadata.now()`.
 * `estimatedAt`: wall time.
 */
export const uploadFields = (
  { clock }: Pick<GatewayPorts, 'clock'>,
  job: IndexJob,
  outcomes: readonly DocumentOutcome[],
  storeTime: number,
  estimatedAt: number | undefined,
) => {
  // Only deletions are checked again after their end.
  const state = job.state === 'rechecking' ? 'running' : job.state
  return {
    upload_id: job.id,
    kind: job.kind,
    state,
    processing_status: processingStatus[state],
    // The last error of an unfinished job is an engine's own text, which is only logged.
    reason: state === 'failed' ? (outcomes.find(({ reason }) => reason)?.reason ?? 'rejected') : null,
    passages: job.passages ?? null,
    attempts: job.leaseSeq,
    created_at: iso(job.createdAt),
    updated_at: iso(job.updatedAt),
    finished_at: isoOrNull(job.finishedAt),
    estimated_completion: isoOrNull(estimatedAt ?? null),
    // Due times are store time; clients expect wall time.
    next_attempt_at: state === 'queued' ? iso(clock.now() + Math.max(0, job.nextAttemptAt - storeTime)) : null,
    timings: secondsOf(job.times),
  }
}
