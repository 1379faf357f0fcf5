import type { DocumentOutcome, IndexJob, Upload } from '@cairn/domain/items/record'
import { secondsOf } from '@cairn/runtime/process/timings'
import type { GatewayPorts } from '../deps.ts'
import { iso, isoOrNull } from '../iso.ts'

const processingStatus = {
  accepting: 'in_progress',
  queued: 'in_progress',
  running: 'in_progress',
  completed: 'completed',
  failed: 'failed',
} as const

export const rejectedOf = (job: IndexJob): Upload['rejected'] => (job.kind === 'chunks' ? [] : job.rejected)

/** Clients expect wall times. `storeTime`: `store.now()`. */
export const wallTimesOf = ({ clock }: Pick<GatewayPorts, 'clock'>, job: IndexJob, storeTime: number) => {
  const { startedAt, nextAttemptAt, state } = job
  const now = clock.now()
  return {
    startedAt: typeof startedAt === 'number' ? now + Math.min(0, startedAt - storeTime) : null,
    nextAttemptAt: state === 'queued' ? now + Math.max(0, nextAttemptAt - storeTime) : null,
  }
}

/** Returns wall time. `outcomes`: current ones. */
export const estimatedEndOf = async (
  { estimates }: Pick<GatewayPorts, 'estimates'>,
  job: IndexJob,
  outcomes: readonly DocumentOutcome[],
): Promise<number | undefined> => {
  if (job.finishedAt !== null || job.state === 'accepting') return undefined
  const pending = outcomes.filter(({ outcome }) => outcome === 'pending').length
  return estimates.endOf('uploads', job, outcomes.length === 0 ? 0 : 1 - pending / outcomes.length)
}

/** Returns what the state and the list of uploads share. `storeTime`: `store.now()`. `estimatedAt`: wall time. */
export const uploadFields = (
  deps: Pick<GatewayPorts, 'clock'>,
  job: IndexJob,
  outcomes: readonly DocumentOutcome[],
  storeTime: number,
  estimatedAt: number | undefined,
) => {
  const { startedAt, nextAttemptAt } = wallTimesOf(deps, job, storeTime)
  // Only deletions are in `rechecking`.
  const state = job.state === 'rechecking' ? 'running' : job.state
  return {
    upload_id: job.id,
    kind: job.kind,
    state,
    processing_status: processingStatus[state],
    // The last error of an unfinished job is an engine's message, which is only logged.
    reason: state === 'failed' ? (outcomes.find(({ reason }) => reason)?.reason ?? 'rejected') : null,
    passages: job.passages ?? null,
    attempts: job.leaseSeq,
    created_at: iso(job.createdAt),
    started_at: isoOrNull(startedAt),
    updated_at: iso(job.updatedAt),
    finished_at: isoOrNull(job.finishedAt),
    estimated_completion: isoOrNull(estimatedAt ?? null),
    next_attempt_at: isoOrNull(nextAttemptAt),
    timings: secondsOf(job.times),
  }
}
