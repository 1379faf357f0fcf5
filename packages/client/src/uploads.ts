import { pagesOf } from './pages-of.ts'
import type { CallOptions, Transport } from './transport.ts'
import type { Upload, UploadSummary } from './types.ts'

export type Uploads = {
  /** Returns the state of an upload and of each of its documents, as it is now. */
  get(namespace: string, uploadId: string, options?: CallOptions): Promise<Upload>
  /** Yields every upload of the namespace, newest first. */
  page(
    namespace: string,
    options?: CallOptions & { readonly state?: UploadSummary['state'] },
  ): AsyncGenerator<UploadSummary>
}

export const createUploads = ({ api, send }: Transport): Uploads => ({
  get: (namespace, uploadId, options = {}) =>
    send(
      (signal) =>
        api.GET('/v1/namespaces/{namespace_name}/uploads/{upload_id}', {
          params: { path: { namespace_name: namespace, upload_id: uploadId } },
          signal,
        }),
      { ...options, repeat: 'idempotent' },
    ),
  page: async function* (namespace, { state, ...options } = {}) {
    const path = { namespace_name: namespace }
    const pages = pagesOf((next) => {
      const query = { ...(state && { state }), ...next }
      return send((signal) => api.GET('/v1/namespaces/{namespace_name}/uploads', { params: { path, query }, signal }), {
        ...options,
        repeat: 'idempotent',
      })
    })
    for await (const { uploads } of pages) yield* uploads
  },
})
