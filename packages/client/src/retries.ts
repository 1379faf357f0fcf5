import { pagesOf } from './pages-of.ts'
import { type CallOptions, inNamespace, type Transport } from './transport.ts'
import type { Retried, RetryFailed, RetryUpload, SentId, UploadDocumentOutcome } from './types.ts'

/** Selection of failed items. Without a field: everything in the namespace that failed for a transient reason. */
export type RetrySelection =
  | { readonly ids: readonly SentId[]; readonly reason?: readonly string[]; readonly dry_run?: boolean }
  | (RetryUpload & { readonly upload_id: string })
  | Omit<RetryFailed, 'ids' | 'next_token'>

export type Retries = {
  /** Retries failed items, with several requests if needed. Resolves to the summed counts. May be repeated. */
  retry(namespace: string, selection?: RetrySelection, options?: CallOptions): Promise<Retried>
  /** Yields the state of each document of an upload. */
  documents(
    namespace: string,
    uploadId: string,
    options?: CallOptions & { readonly state?: NonNullable<UploadDocumentOutcome['state']> },
  ): AsyncGenerator<UploadDocumentOutcome>
}

const added = (sum: Retried, next: Retried): Retried => {
  const refused = sum.refused.map((one) => ({ ...one }))
  for (const one of next.refused) {
    const same = refused.find(
      ({ kind, reason, remedy }) => kind === one.kind && reason === one.reason && remedy === one.remedy,
    )
    if (same) {
      same.count += one.count
      if (one.names) same.names = [...(same.names ?? []), ...one.names]
    } else refused.push(one)
  }
  return {
    ...next,
    documents: sum.documents + next.documents,
    files: sum.files + next.files,
    upload_ids: [...sum.upload_ids, ...next.upload_ids],
    file_names: [...sum.file_names, ...next.file_names],
    refused,
  }
}

export const createRetries = ({ call }: Transport): Retries => ({
  retry: async (namespace, selection = {}, options) => {
    if ('upload_id' in selection) {
      const { upload_id, ...body } = selection
      const params = { path: { namespace_name: namespace, upload_id } }
      return call('post', '/v1/namespaces/{namespace_name}/uploads/{upload_id}/retry', { params, body }, options)
    }
    const request = (token?: string) => {
      const body = { ...selection, ...(token === undefined ? {} : { next_token: token }) } as RetryFailed
      return call('post', '/v1/namespaces/{namespace_name}/retry', { params: inNamespace(namespace), body }, options)
    }
    let sum: Retried = await request()
    while (sum.next_token !== null) sum = added(sum, await request(sum.next_token))
    return sum
  },
  documents: async function* (namespace, uploadId, { state, ...options } = {}) {
    const path = { namespace_name: namespace, upload_id: uploadId }
    const pages = pagesOf((next) => {
      const params = { path, query: { ...(state && { state }), ...next } }
      return call('get', '/v1/namespaces/{namespace_name}/uploads/{upload_id}/documents', { params }, options)
    })
    for await (const { documents } of pages) yield* documents
  },
})
