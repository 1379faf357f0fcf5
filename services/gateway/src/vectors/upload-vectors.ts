import { itemLimitReached, namespaceNotFound, noValidVector } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { type CheckedVector, checkVectors, type VectorFailure } from '@cairn/contracts/documents/vector-rules'
import { slices } from '@cairn/contracts/flow/slices'
import { tierOf } from '@cairn/domain/accounts/tiers'
import { indexItems, settleUpload } from '@cairn/domain/items/index-items'
import type { Item, Upload } from '@cairn/domain/items/record'
import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import { accountEndpoint } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { iso } from '../iso.ts'
import { inlineRun } from './run-inline.ts'

const vectorsAtOnce = 250

const plural = (count: number) => `${count} ${count === 1 ? 'vector' : 'vectors'}`

/** Ingestion does this for documents; here the response promises it. */
const indexNow = async (
  deps: GatewayPorts,
  job: Upload,
  token: string,
  items: readonly Item[],
  space: ReturnType<typeof embeddingSpaceOf>,
) => {
  const run = inlineRun(deps, job, token)
  const index = indexItems(deps)
  for (const some of slices(items, vectorsAtOnce)) {
    const entries = some.map((item) => ({
      item,
      passages: [{ text: item.body.text, vector: item.body.vector as Float32Array }],
    }))
    await index(run, { space, entries })
  }
  await settleUpload(deps)(run, [space])
}

export const uploadVectors = (deps: GatewayPorts) =>
  accountEndpoint(operations.uploadVectors, async (call) => {
    const { store, clock, ids, tiers } = deps
    const { account, requestId: correlationId, traceparent } = call
    const namespace = await call.readable.namespace(call.params.namespace_name, 'vector')
    const dimension = namespace.dimension ?? 0
    const { vectors } = call.body()
    const checked = checkVectors(vectors, dimension)
    const [first] = checked.failed
    if (checked.accepted.length === 0 && first) {
      throw noValidVector({
        message: first.message,
        namespaceDimension: dimension,
        providedDimensions: checked.failed.map((failure) => failure.provided_dimension),
        failedAt: checked.failedAt,
      })
    }
    const limit = tierOf(tiers, account.tier).vectors
    const uploadId = ids.next('upload_vec')
    const leaseToken = ids.next('lease')
    const at = clock.now()
    const result = await store.accept({
      uploadId,
      kind: 'vectors',
      accountId: account.id,
      namespaceId: namespace.id,
      documents: checked.accepted.map(({ id, text, metadataJson, vector }) => ({
        id,
        body: { text, metadata: metadataJson, vector },
      })),
      rejected: checked.failed.map(({ id, error, message }) => ({ id, error, message })),
      limit,
      correlationId,
      traceparent,
      at,
      leaseToken,
    })
    if (result.outcome === 'namespaceGone') throw namespaceNotFound(namespace.name, 'vector')
    if (result.outcome === 'overLimit') {
      throw itemLimitReached({
        tier: account.tier,
        currentCount: result.current,
        tierLimit: limit ?? 0,
        kind: 'vectors',
        attempted: checked.accepted.length,
      })
    }
    const overQuota = new Set(result.overQuota)
    const stored = checked.accepted.filter(({ id }) => !overQuota.has(id))
    const items = stored.map((vector) => itemOf(namespace.id, uploadId, vector, at))
    if (items.length > 0) await indexNow(deps, result.job, leaseToken, items, embeddingSpaceOf(namespace))
    const failed = [
      ...checked.failed,
      ...checked.accepted.filter(({ id }) => overQuota.has(id)).map(({ id }) => quotaFailure(id, dimension)),
    ]
    const fields = {
      upload_id: uploadId,
      namespace_name: namespace.name,
      vectors_processed: stored.length,
      processing_status: 'completed' as const,
      uploaded_vectors: stored.map(({ id }) => ({
        id,
        status: 'completed' as const,
        dimension,
        created_at: iso(at),
      })),
      vector_ids_processed: stored.map(({ id }) => id),
      errors: failed.map(({ id, message }) => ({ id, error: message })),
    }
    if (failed.length === 0)
      return { status: 201, body: { status: 'success', message: `${plural(stored.length)} stored`, ...fields } }
    const message = `${plural(stored.length)} stored, ${plural(failed.length)} failed validation`
    return {
      status: 207,
      body: { status: 'partial_success', message, ...fields, vectors_failed: failed.length, failed_vectors: failed },
    }
  })

/** Returns the item as `accept` wrote it. */
const itemOf = (
  namespaceId: string,
  version: string,
  { id, text, metadataJson, vector }: CheckedVector,
  at: number,
): Item => ({
  namespaceId,
  id,
  kind: 'vector',
  body: { text, metadata: metadataJson, vector },
  version,
  insertedBy: version,
  status: 'processing',
  reason: null,
  indexed: null,
  stale: [],
  createdAt: at,
  updatedAt: at,
})

const quotaFailure = (id: string, dimension: number): VectorFailure => ({
  id,
  error: 'Quota exceeded',
  message: "the tier's vector limit was reached while this request was under way",
  expected_dimension: dimension,
  provided_dimension: dimension,
})
