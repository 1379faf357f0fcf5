import { batches } from './batches.ts'
import { type BatchOptions, batchBytes, createDeletion, type ItemSelection } from './documents.ts'
import { CairnError } from './error.ts'
import { inParallel } from './in-parallel.ts'
import { type CallOptions, inNamespace, type Transport } from './transport.ts'
import type { FailedVector, ItemsDeleted, SentVector } from './types.ts'

export type VectorUpload = {
  /** Vectors that the server stored. */
  readonly stored: number
  /** Vectors that the server rejected. */
  readonly failed: readonly Pick<FailedVector, 'id' | 'error' | 'message'>[]
}
export type VectorUploadOptions = BatchOptions & {
  /** Called after each request, with the sums until then. */
  readonly onProgress?: (progress: { readonly stored: number; readonly failed: number }) => void
}

type RefusedVectors = { readonly namespace_dimension?: number; readonly invalid_vectors?: readonly string[] }

export type Vectors = {
  /**
   * Uploads vectors in batches. They are searchable immediately. A vector with an existing id is replaced.
   *
   * @example
   * await cairn.vectors.upload('my-vectors', [{ id: '1', vector: [0.12, -0.4, 0.83], color: 'red' }])
   */
  upload(
    namespace: string,
    vectors: Iterable<SentVector> | AsyncIterable<SentVector>,
    options?: VectorUploadOptions,
  ): Promise<VectorUpload>
  /** Deletes ids, or vectors that match a filter: then repeat the call while the response has `has_more`. */
  delete(namespace: string, selection: ItemSelection, options?: CallOptions): Promise<ItemsDeleted>
}

/** A batch is refused as a whole if no vector is valid. Rethrows other errors. */
const failuresOf = (error: unknown, batch: readonly SentVector[]): VectorUpload['failed'] => {
  const body = error instanceof CairnError ? error.body : undefined
  const details = (body as { readonly details?: RefusedVectors } | undefined)?.details
  if (!details?.invalid_vectors) throw error
  return batch.map(({ id, vector }) => ({
    id: String(id),
    error: vector.length === details.namespace_dimension ? 'Invalid vector' : 'Dimension mismatch',
    message: (error as CairnError).message,
  }))
}

export const createVectors = (transport: Transport): Vectors => ({
  upload: async (namespace, vectors, options = {}) => {
    const { batchSize = 200, concurrency = 4, onProgress, signal, ...rest } = options
    const failed: VectorUpload['failed'][number][] = []
    let stored = 0
    const upload = async (batch: SentVector[], whileGoing: AbortSignal) => {
      try {
        const answer = await transport.call(
          'post',
          '/v1/namespaces/{namespace_name}/vectors',
          { params: inNamespace(namespace), body: { vectors: batch }, ...transport.asInit },
          { ...rest, signal: whileGoing },
        )
        stored += answer.vectors_processed
        if ('failed_vectors' in answer) failed.push(...answer.failed_vectors)
      } catch (error) {
        failed.push(...failuresOf(error, batch))
      }
      onProgress?.({ stored, failed: failed.length })
    }
    await inParallel(concurrency, batches(vectors, batchSize, batchBytes), upload, signal)
    return { stored, failed }
  },
  delete: createDeletion(transport, '/v1/namespaces/{namespace_name}/vectors/delete'),
})
