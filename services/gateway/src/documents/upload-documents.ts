import { itemLimitReached, namespaceNotFound } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { type CheckedDocument, checkDocuments, type DocumentFailure } from '@cairn/contracts/documents/document-rules'
import { uploadAccepted } from '@cairn/contracts/events'
import { tierOf } from '@cairn/domain/accounts/tiers'
import { sendEvent } from '@cairn/runtime/bus/send-event'
import { accountEndpoint, causeOf } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { iso } from '../iso.ts'

/** Assumes a duration until a first upload is measured: the Moorcheh API always has a time here. */
const assumedMs = (documents: number): number => 2_000 + 100 * documents

const plural = (count: number) => `${count} ${count === 1 ? 'document' : 'documents'}`

const overQuotaText = "the tier's document limit was reached while this request was under way"
const takenText = 'this id belongs to a chunk of a file of the namespace; use another, or delete the file'
const failure =
  (error: DocumentFailure['error'], message: string) =>
  ({ id, characterCount }: CheckedDocument): DocumentFailure => ({
    id,
    error,
    message,
    provided_length: characterCount,
  })

export const uploadDocuments = (deps: GatewayPorts & { readonly minTextLength: number }) =>
  accountEndpoint(operations.uploadDocuments, async (call) => {
    const { store, clock, ids, tiers, minTextLength } = deps
    const { account, requestId: correlationId, traceparent } = call
    const namespace = await call.readable.namespace(call.params.namespace_name, 'text')
    const { documents } = call.body()
    const checked = checkDocuments(documents, { minTextLength })
    const limit = tierOf(tiers, account.tier).documents
    const uploadId = ids.next('upload')
    const at = clock.now()
    const result = await store.accept({
      uploadId,
      kind: 'text',
      accountId: account.id,
      namespaceId: namespace.id,
      documents: checked.accepted.map(({ id, text, metadataJson }) => ({ id, body: { text, metadata: metadataJson } })),
      rejected: checked.failed.map(({ id, error, message }) => ({ id, error, message })),
      limit,
      correlationId,
      traceparent,
      at,
    })
    if (result.outcome === 'namespaceGone') throw namespaceNotFound(namespace.name, 'text')
    if (result.outcome === 'overLimit') {
      throw itemLimitReached({
        tier: account.tier,
        currentCount: result.current,
        tierLimit: limit ?? 0,
        kind: 'documents',
        attempted: checked.accepted.length,
      })
    }
    if (result.job.state === 'queued')
      await sendEvent(deps, uploadAccepted, { namespaceId: namespace.id, uploadId }, uploadId, causeOf(call))
    const [overQuota, taken] = [new Set(result.overQuota), new Set(result.taken)]
    const accepted = checked.accepted.filter(({ id }) => !overQuota.has(id) && !taken.has(id))
    const failed = [
      ...checked.failed,
      ...checked.accepted.filter(({ id }) => overQuota.has(id)).map(failure('Quota exceeded', overQuotaText)),
      ...checked.accepted.filter(({ id }) => taken.has(id)).map(failure('Document id taken', takenText)),
    ]
    const end = result.job.state === 'queued' ? await deps.estimates.endOf('uploads', result.job) : at
    const fields = {
      upload_id: uploadId,
      namespace_name: namespace.name,
      documents_processed: accepted.length,
      processing_status: accepted.length === 0 ? ('failed' as const) : ('in_progress' as const),
      estimated_completion: iso(end ?? at + assumedMs(accepted.length)),
      uploaded_documents: accepted.map(({ id, characterCount }) => ({
        id,
        status: 'processing' as const,
        character_count: characterCount,
      })),
      submitted_ids: accepted.map(({ id }) => id),
    }
    if (failed.length === 0) {
      return {
        status: 202,
        body: { status: 'success', message: `${plural(accepted.length)} accepted and being processed`, ...fields },
      }
    }
    const message = `${plural(accepted.length)} accepted, ${plural(failed.length)} failed validation`
    return {
      status: 207,
      body: {
        status: 'partial_success',
        message,
        ...fields,
        documents_failed: failed.length,
        failed_documents: failed,
      },
    }
  })
