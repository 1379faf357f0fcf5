import { notFound } from '@cairn/contracts/failures'
import type { Metadata } from '@cairn/ports/metadata/port'
import type { DocumentOutcome, IndexJob, Upload } from '@cairn/ports/metadata/records'
import { secondsOf } from '@cairn/runtime/timings'
import type { Call, Reply } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { findNamespace } from '../find-namespace.ts'
import { iso, isoOrNull } from '../iso.ts'

/** The meaning of each reason for users, and the remedy. */
const messages: Readonly<Record<string, string>> = {
  embedding_refused: 'The embedding model refused the text; change it and upload the document again.',
  quota_exceeded:
    "The tier's limit was reached while the request was under way; delete something or upgrade, then upload again.",
  crashed_worker:
    'Processing ended several times without an error message. Upload the document again, and report it to the operator if it happens again.',
  internal: 'Internal error while processing; see the server log under this upload id.',
}

/**
 * Outcomes of a job that is not final are read from the items, so that a document is completed as soon as it is
 * indexed.
 */
const currentOutcomes = async (metadata: Metadata, job: IndexJob): Promise<readonly DocumentOutcome[]> => {
  if (job.finishedAt !== null) return job.outcomes
  const states = new Map(
    (await metadata.items.states(job.namespaceId, job.ids)).map((current) => [current.id, current]),
  )
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

const statusViews = {
  pending: 'processing',
  completed: 'completed',
  failed: 'failed',
  superseded: 'completed',
  deleted: 'completed',
} as const
const processingStatus = {
  accepting: 'in_progress',
  queued: 'in_progress',
  running: 'in_progress',
  completed: 'completed',
  failed: 'failed',
} as const

const outcomeView = ({ id, outcome, reason }: DocumentOutcome) => ({
  id,
  status: statusViews[outcome],
  outcome,
  reason: reason ?? null,
  message: (reason && messages[reason]) ?? null,
})

const rejectionView = ({ id, error, message }: Upload['rejected'][number]) => ({
  id,
  status: statusViews.failed,
  outcome: 'failed' as const,
  reason: error,
  message,
})

/** Addition to the published API: the outcome of every document of an upload, with the reason. */
export const getUpload =
  ({ metadata, clock }: GatewayPorts) =>
  async (call: Call): Promise<Reply> => {
    const namespace = await findNamespace(metadata, call.account.id, call.params['namespace_name'] ?? '')
    const job = await metadata.uploads.get(call.params['upload_id'] ?? '')
    if (job?.namespaceId !== namespace.id) throw notFound('upload')
    const outcomes = await currentOutcomes(metadata, job)
    const rejected = job.kind === 'chunks' ? [] : job.rejected
    const documents = [...outcomes.map(outcomeView), ...rejected.map(rejectionView)]
    const counts = { pending: 0, completed: 0, failed: 0, superseded: 0, deleted: 0 }
    for (const { outcome } of documents) counts[outcome] += 1
    // Only deletions are checked again after their end.
    const state = job.state === 'rechecking' ? 'running' : job.state
    const storeTime = await metadata.now()
    return {
      status: 200,
      body: {
        upload_id: job.id,
        namespace_name: namespace.name,
        kind: job.kind,
        state,
        processing_status: processingStatus[state],
        // The last error of an unfinished job is an engine's own text, which is only logged.
        reason: state === 'failed' ? (outcomes.find(({ reason }) => reason)?.reason ?? 'rejected') : null,
        documents,
        counts,
        passages: job.passages ?? null,
        attempts: job.leaseSeq,
        created_at: iso(job.createdAt),
        updated_at: iso(job.updatedAt),
        finished_at: isoOrNull(job.finishedAt),
        // Due times are store time; clients expect wall time.
        next_attempt_at: state === 'queued' ? iso(clock.now() + Math.max(0, job.nextAttemptAt - storeTime)) : null,
        timings: secondsOf(job.times),
      },
    }
  }
