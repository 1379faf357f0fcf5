import { pagesOf } from './pages-of.ts'
import { type CallOptions, inNamespace, type Transport } from './transport.ts'
import type { Upload, UploadSummary } from './types.ts'

export type Uploads = {
  /** Returns the current state of an upload and of each of its documents. */
  get(namespace: string, uploadId: string, options?: CallOptions): Promise<Upload>
  /** Yields every upload of the namespace, or those in one `state`, newest first. */
  page(
    namespace: string,
    options?: CallOptions & { readonly state?: UploadSummary['state'] },
  ): AsyncGenerator<UploadSummary>
}

export const createUploads = ({ call }: Transport): Uploads => ({
  get: (namespace, uploadId, options) => {
    const params = { path: { namespace_name: namespace, upload_id: uploadId } }
    return call('get', '/v1/namespaces/{namespace_name}/uploads/{upload_id}', { params }, options)
  },
  page: async function* (namespace, { state, ...options } = {}) {
    const pages = pagesOf((next) => {
      const params = { ...inNamespace(namespace), query: { ...(state && { state }), ...next } }
      return call('get', '/v1/namespaces/{namespace_name}/uploads', { params }, options)
    })
    for await (const { uploads } of pages) yield* uploads
  },
})
