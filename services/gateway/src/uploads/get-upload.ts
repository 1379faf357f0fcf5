import { notFound } from '@cairn/contracts/failures'
import { waitQuery } from '@cairn/contracts/http/common'
import type { Metadata } from '@cairn/ports/metadata/port'
import type { DocumentOutcome, IndexJob, Upload } from '@cairn/ports/metadata/records'
import { parse } from '@cairn/runtime/parse'
import type { Call, Reply } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { findNamespace } from '../find-namespace.ts'
import { waitFor } from '../wait-for.ts'
import { estimatedEndOf, rejectedOf, uploadFields } from './upload-view.ts'

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

const isFinished = ({ finishedAt }: IndexJob): boolean => finishedAt !== null

/** Addition to the published API: the outcome of every document of an upload, with the reason. */
export const getUpload =
  (deps: GatewayPorts) =>
  async (call: Call): Promise<Reply> => {
    const { metadata } = deps
    const { wait } = parse(waitQuery, call.query)
    const namespace = await findNamespace(metadata, call.account.id, call.params['namespace_name'] ?? '')
    const readJob = async () => {
      const job = await metadata.uploads.get(call.params['upload_id'] ?? '')
      if (job?.namespaceId !== namespace.id) throw notFound('upload')
      return job
    }
    const job = await waitFor(deps, { seconds: wait, signal: call.signal }, readJob, isFinished)
    const outcomes = await currentOutcomes(metadata, job)
    const documents = [...outcomes.map(outcomeView), ...rejectedOf(job).map(rejectionView)]
    const counts = { pending: 0, completed: 0, failed: 0, superseded: 0, deleted: 0 }
    for (const { outcome } of documents) counts[outcome] += 1
    return {
      status: 200,
      body: {
        ...uploadFields(deps, job, outcomes, await metadata.now(), await estimatedEndOf(deps, job, outcomes)),
        namespace_name: namespace.name,
        documents,
        counts,
      },
    }
  }
