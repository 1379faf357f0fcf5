import { limits } from './api-constants.ts'
import { slices } from './batches.ts'
import type { Documents } from './documents.ts'
import { CairnError } from './error.ts'
import { type FileContent, type FileSource, openSource } from './file-source.ts'
import { inParallel } from './in-parallel.ts'
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

const mebibyte = 1024 * 1024
/** Sent with one PUT; limited because a failed PUT is repeated as a whole. */
const signedBytes = 64 * mebibyte
/** A stream's size is not known. */
const streamPartBytes = 8 * mebibyte
/** Part URLs expire after 15 minutes, so a few are requested at a time. */
const partsPerRequest = 16
const chunksAtOnce = 50

export type UploadMethod = 'form' | 'signed' | 'multipart'
export type FileProgress = { readonly sent: number /** Undefined for a stream. */; readonly total: number | undefined }
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
export type UploadedFile = {
  readonly file_name: string
  readonly size: number
  readonly method: UploadMethod
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

type Job = CallOptions & {
  readonly namespace: string
  readonly name: string
  readonly source: FileSource
  readonly concurrency: number
  readonly metadata: FileMetadata | undefined
  readonly onProgress: FileUploadOptions['onProgress']
}
type Part = { readonly part: number; readonly etag: string }
/** Allows for links as slow as 20 kB/s. */
const timeoutFor = (bytes: number): number => 60_000 + bytes / 20

const onlyPart = async (source: FileSource): Promise<Blob> => {
  for await (const part of source.parts(source.size ?? streamPartBytes)) return part
  return new Blob([])
}

const createUploads = ({ call, send, api, put }: Transport) => {
  const form = async (
    { namespace, name, metadata, onProgress, ...options }: Job,
    content: Blob,
  ): Promise<UploadedFile> => {
    const bodySerializer = () => {
      const data = new FormData()
      if (metadata !== undefined) data.append('metadata', JSON.stringify(metadata))
      data.append('file', content, name)
      return data
    }
    const answer = await call(
      'post',
      '/v1/namespaces/{namespace_name}/upload-file',
      { params: inNamespace(namespace), body: { file: name }, bodySerializer },
      { ...options, timeoutMs: options.timeoutMs ?? timeoutFor(content.size) },
    )
    onProgress?.({ sent: content.size, total: content.size })
    return { file_name: answer.fileName, size: answer.fileSize, method: 'form' }
  }

  const signed = async (
    { namespace, name, metadata, onProgress, ...options }: Job,
    content: Blob,
  ): Promise<UploadedFile> => {
    // The server refuses a size of 0.
    const body = {
      file_name: name,
      ...(content.size > 0 && { file_size: content.size }),
      ...(metadata && { metadata }),
    }
    const init = { params: inNamespace(namespace), body }
    const grant = await call('post', '/v1/namespaces/{namespace_name}/upload-url', init, options)
    const timeoutMs = options.timeoutMs ?? timeoutFor(content.size)
    await put(grant.upload_url, content, grant.content_type, { ...options, timeoutMs })
    onProgress?.({ sent: content.size, total: content.size })
    return { file_name: name, size: content.size, method: 'signed' }
  }

  /** A retry is refused with 404 if an earlier attempt, whose response was lost, has completed the upload. */
  const complete = async (job: Job & { readonly size: number }, uploadId: string, parts: readonly Part[]) => {
    const { namespace, name, size, signal, timeoutMs } = job
    const options = { signal, timeoutMs, repeat: 'idempotent' } as const
    let attempts = 0
    const body = { file_name: name, upload_id: uploadId, parts: [...parts].sort((a, b) => a.part - b.part) }
    try {
      await send((one) => {
        attempts += 1
        return api.POST('/v1/namespaces/{namespace_name}/upload-multipart/complete', {
          params: inNamespace(namespace),
          body,
          signal: one,
        })
      }, options)
    } catch (error) {
      if (attempts === 1 || !(error instanceof CairnError && error.code === 'not_found')) throw error
      const path = { namespace_name: namespace, file_name: name }
      const init = { params: { path } }
      const status = await call('get', '/v1/namespaces/{namespace_name}/files/{file_name}/status', init, options)
      if (status.size !== size) throw error
    }
  }

  const multipart = async (job: Job, parts: AsyncGenerator<Blob>, partSize: number): Promise<UploadedFile> => {
    const { namespace, name, source, concurrency, metadata, onProgress, ...options } = job
    const params = inNamespace(namespace)
    const request = (firstPart: number, uploadId?: string, signal = options.signal) => {
      const body = {
        file_name: name,
        first_part: firstPart,
        parts: Math.min(partsPerRequest, limits.partNumber - firstPart + 1),
        ...(uploadId === undefined ? { ...(metadata && { metadata }) } : { upload_id: uploadId }),
      }
      return call('post', '/v1/namespaces/{namespace_name}/upload-multipart', { params, body }, { ...options, signal })
    }
    const upload = await request(1)
    const done: Part[] = []
    let sent = 0
    /** Signed URLs by group of parts, requested when one of the group is first sent. */
    const groups = new Map<number, ReturnType<typeof request>>([[0, Promise.resolve(upload)]])
    const addressOf = async (part: number, signal: AbortSignal, isFresh = false): Promise<string> => {
      const group = Math.floor((part - 1) / partsPerRequest)
      const found = isFresh ? undefined : groups.get(group)
      const answer = found ?? request(group * partsPerRequest + 1, upload.upload_id, signal)
      groups.set(group, answer)
      return (await answer).parts.find((each) => each.part === part)?.upload_url ?? ''
    }
    const numbered = async function* () {
      let part = 0
      for await (const content of parts) {
        part += 1
        if (part > limits.partNumber) throw new CairnError('too_large', `A file has at most ${limits.partNumber} parts`)
        yield { part, content }
      }
      if (part === 0) yield { part: 1, content: new Blob([]) }
    }
    const sendPart = async ({ part, content }: { part: number; content: Blob }, signal: AbortSignal) => {
      const timeoutMs = options.timeoutMs ?? timeoutFor(partSize)
      const attempt = (address: string) => put(address, content, upload.content_type, { signal, timeoutMs })
      const etag = await attempt(await addressOf(part, signal)).catch(async (error: unknown) => {
        // The URL has expired.
        if (!(error instanceof CairnError && error.status === 403)) throw error
        return attempt(await addressOf(part, signal, true))
      })
      done.push({ part, etag })
      sent += content.size
      onProgress?.({ sent, total: source.size })
    }
    try {
      await inParallel(concurrency, numbered(), sendPart, options.signal)
      await complete({ ...job, size: sent }, upload.upload_id, done)
      return { file_name: name, size: sent, method: 'multipart' }
    } catch (error) {
      // Parts that are not removed count toward the account's storage for a day.
      const body = { file_name: name, upload_id: upload.upload_id }
      await call(
        'post',
        '/v1/namespaces/{namespace_name}/upload-multipart/abort',
        { params, body },
        { timeoutMs: 5_000, repeat: 'once' },
      ).catch(() => undefined)
      throw error
    }
  }

  /** Sends a stream that fits into one part as a form by default. */
  const stream = async (job: Job, method: UploadMethod | undefined): Promise<UploadedFile> => {
    const parts = job.source.parts(streamPartBytes)
    const first = await parts.next()
    const second = first.done ? first : await parts.next()
    const content = first.done ? new Blob([]) : first.value
    if (second.done && method !== 'multipart') return method === 'signed' ? signed(job, content) : form(job, content)
    if (method === 'form' || method === 'signed') {
      await parts.return(undefined)
      throw new CairnError('invalid', 'A stream of more than 8 MB can only be sent in parts: use a Blob')
    }
    const all = async function* () {
      yield content
      if (!second.done) yield second.value
      yield* parts
    }
    return multipart(job, all(), streamPartBytes)
  }

  return async (job: Job, method: UploadMethod | undefined): Promise<UploadedFile> => {
    const { size } = job.source
    if (size === undefined) return stream(job, method)
    const bySize = size <= limits.directFileBytes ? 'form' : size <= signedBytes ? 'signed' : 'multipart'
    switch (method ?? bySize) {
      case 'form':
        return form(job, await onlyPart(job.source))
      case 'signed':
        return signed(job, await onlyPart(job.source))
      case 'multipart': {
        const partSize = Math.max(streamPartBytes, Math.ceil(size / limits.partNumber))
        return multipart(job, job.source.parts(partSize), partSize)
      }
    }
  }
}

export const createFiles = (transport: Transport, documents: Pick<Documents, 'get'>, waitFor: WaitFor): Files => {
  const { call } = transport
  const upload = createUploads(transport)
  const ofFile = (namespace_name: string, file_name: string) => ({ path: { namespace_name, file_name } })
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
      const uploaded = await upload({ ...rest, namespace, name, source, concurrency, metadata, onProgress }, method)
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
    content: (namespace, fileName, { range, etag, ...options } = {}) => {
      const headers = {
        ...(range && { range: `bytes=${range.from}-${range.to ?? ''}` }),
        ...(etag === undefined ? {} : { 'if-match': `"${etag}"` }),
      }
      const init = { params: ofFile(namespace, fileName), headers, parseAs: 'stream' } as const
      const path = '/v1/namespaces/{namespace_name}/files/{file_name}/content'
      return transport.send(
        async (signal) => {
          const { error, response } = await transport.api.GET(path, { ...init, signal })
          return { data: response, error, response }
        },
        { ...options, repeat: 'idempotent' },
      )
    },
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
