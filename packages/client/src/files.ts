import { limits } from './api-constants.ts'
import { slices } from './batches.ts'
import type { Documents } from './documents.ts'
import { CairnError } from './error.ts'
import { type FileContent, openSource } from './file-source.ts'
import { type FileProgress, type UploadMethod, uploadFile, type WrittenFile } from './file-upload.ts'
import { pagesOf } from './pages-of.ts'
import { type CallOptions, inNamespace, keyed, type Transport } from './transport.ts'
import type {
  CairnDocument,
  DownloadUrl,
  FileDeletion,
  FileList,
  FileMetadata,
  FileStatus,
  ListedFile,
  RetryFile,
} from './types.ts'
import type { WaitFor } from './wait-for.ts'

const chunksAtOnce = 50

export type FileUploadOptions = CallOptions & {
  /** Required for a stream and for a Blob that is not a File. May contain folders: `reports/2026/summary.pdf`. */
  readonly name?: string
  /** Default: a form up to 10 MB, one PUT to a signed URL up to 64 MB, else parts, retried one by one. */
  readonly method?: UploadMethod
  /** Parts sent concurrently. Default: 4. */
  readonly concurrency?: number
  /** Metadata of the file, added to that of each chunk. Default: the file keeps what it has. */
  readonly metadata?: FileMetadata | undefined
  /** Whether to wait until the file is searchable, or has failed. Default: false. */
  readonly wait?: boolean
  readonly onProgress?: (progress: FileProgress) => void
}
export type FileContentOptions = CallOptions & {
  /** First and last byte, both inclusive. Default: the whole file. */
  readonly range?: { readonly from: number; readonly to?: number }
  /** Reject with the code `conflict` if the file has another etag. */
  readonly etag?: string
}
export type UploadedFile = WrittenFile & {
  /** Only with `wait`: the final state, `completed` or `failed`. */
  readonly status?: FileStatus
}

export type Files = {
  /**
   * Uploads a file. The server then processes it; with `wait`, the call resolves when processing has ended.
   *
   * @example
   * const { status } = await cairn.files.upload('handbook', 'guide.pdf', { wait: true })
   * if (status?.state === 'failed') console.error(status.message, status.remedy)
   */
  upload(namespace: string, content: FileContent, options?: FileUploadOptions): Promise<UploadedFile>
  /** Lists all files at once, and pending uploads; without metadata. */
  list(namespace: string, options?: CallOptions): Promise<FileList>
  /** Yields every file by name, with its metadata. */
  page(namespace: string, options?: CallOptions & { readonly prefix?: string }): AsyncGenerator<ListedFile>
  status(namespace: string, fileName: string, options?: CallOptions): Promise<FileStatus>
  /**
   * Returns the uploaded bytes, as a `Response` of `fetch`; the headers have type, length and ETag. Read its body to the
   * end, or cancel it.
   *
   * @example
   * const pdf = await (await cairn.files.content('handbook', 'guide.pdf')).blob()
   * const start = await cairn.files.content('handbook', 'guide.pdf', { range: { from: 0, to: 99 } })
   */
  content(namespace: string, fileName: string, options?: FileContentOptions): Promise<Response>
  /** Returns a URL that downloads the file without an API key, for 15 minutes or until the file is deleted. */
  downloadUrl(namespace: string, fileName: string, options?: CallOptions): Promise<DownloadUrl>
  /**
   * Replaces a file's metadata without a new upload. Search returns the former ones until all chunks have the new ones;
   * `waitFor.file` waits for that.
   */
  update(
    namespace: string,
    fileName: string,
    change: { readonly metadata: FileMetadata },
    options?: CallOptions,
  ): Promise<FileStatus>
  /** Yields every chunk of a file in reading order, starting at chunk number `from`. */
  chunks(
    namespace: string,
    fileName: string,
    options?: CallOptions & { readonly from?: number },
  ): AsyncGenerator<CairnDocument>
  /** Deletes any number of files. Resolves to the outcome per file; for a missing file, the outcome is an `error`. */
  delete(namespace: string, fileNames: readonly string[], options?: CallOptions): Promise<FileDeletion[]>
  /** Processes a file again, with other options. */
  retry(namespace: string, fileName: string, settings?: RetryFile, options?: CallOptions): Promise<FileStatus>
}

const ofFile = (namespace_name: string, file_name: string) => ({ path: { namespace_name, file_name } })

const contentOf =
  ({ send, api }: Transport): Files['content'] =>
  (namespace, fileName, { range, etag, ...options } = {}) => {
    const headers = {
      ...(range && { range: `bytes=${range.from}-${range.to ?? ''}` }),
      ...(etag === undefined ? {} : { 'if-match': `"${etag}"` }),
    }
    const init = { params: ofFile(namespace, fileName), headers, parseAs: 'stream' } as const
    const path = '/v1/namespaces/{namespace_name}/files/{file_name}/content'
    return send(
      async (signal) => {
        const { error, response } = await api.GET(path, { ...init, signal })
        return { data: response, error, response }
      },
      { ...options, repeat: 'idempotent' },
    )
  }

export const createFiles = (transport: Transport, documents: Pick<Documents, 'get'>, waitFor: WaitFor): Files => {
  const { call } = transport
  const status: Files['status'] = (namespace, fileName, options) => {
    const params = ofFile(namespace, fileName)
    return call('get', '/v1/namespaces/{namespace_name}/files/{file_name}/status', { params }, options)
  }
  return {
    upload: async (namespace, content, options = {}) => {
      const { name: given, method, concurrency = 4, metadata, wait = false, onProgress, ...rest } = options
      const source = await openSource(content)
      const name = given ?? source.name
      if (name === undefined || name === '') throw new CairnError('invalid', 'The file has no name: set `name`')
      const job = { ...rest, namespace, name, source, concurrency, metadata, onProgress }
      const uploaded = await uploadFile(transport, job, method)
      if (!wait) return uploaded
      const { signal } = rest
      return { ...uploaded, status: await waitFor.file(namespace, uploaded.file_name, { signal }) }
    },
    list: (namespace, options) =>
      call('get', '/v1/namespaces/{namespace_name}/list-files', { params: inNamespace(namespace) }, options),
    page: async function* (namespace, { prefix, ...options } = {}) {
      const query = { limit: limits.filesPerPage, ...(prefix === undefined ? {} : { prefix }) }
      const path = '/v1/namespaces/{namespace_name}/files'
      const read = (next: { readonly next_token?: string }) =>
        call('get', path, { params: { ...inNamespace(namespace), query: { ...query, ...next } } }, options)
      for await (const { files } of pagesOf(read)) yield* files
    },
    status,
    content: contentOf(transport),
    downloadUrl: (namespace, fileName, options) => {
      const path = '/v1/namespaces/{namespace_name}/files/{file_name}/download-url'
      return call('post', path, { params: ofFile(namespace, fileName) }, options)
    },
    update: (namespace, fileName, change, options) => {
      const path = '/v1/namespaces/{namespace_name}/files/{file_name}'
      return call('patch', path, { params: ofFile(namespace, fileName), body: change }, options)
    },
    chunks: async function* (namespace, fileName, { from = 0, ...options } = {}) {
      const { chunks, chunk_id_prefix: prefix } = await status(namespace, fileName, options)
      for (let start = from; prefix && start < chunks; start += chunksAtOnce) {
        const length = Math.min(chunksAtOnce, chunks - start)
        const ids = Array.from({ length }, (_, index) => `${prefix}${start + index}`)
        const found = new Map((await documents.get(namespace, ids, options)).items.map((item) => [item.id, item]))
        for (const id of ids) {
          const chunk = found.get(id)
          // The model rejected the chunk, or the file was replaced meanwhile.
          if (chunk) yield chunk
        }
      }
    },
    delete: async (namespace, fileNames, options) => {
      const results: FileDeletion[] = []
      for (const some of slices(fileNames, limits.fileNamesPerDelete)) {
        const init = { params: inNamespace(namespace), body: { file_names: some } }
        results.push(...(await call('delete', '/v1/namespaces/{namespace_name}/delete-file', init, options)).results)
      }
      return results
    },
    retry: (namespace, fileName, settings = {}, options = {}) => {
      const init = { params: ofFile(namespace, fileName), body: settings }
      const path = '/v1/namespaces/{namespace_name}/files/{file_name}/retry'
      // Without an idempotency key, a retry after a lost response would be refused: the file is already being
      // processed.
      return call('post', path, init, keyed(options))
    },
  }
}
