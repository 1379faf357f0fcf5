import { limits } from './api-constants.ts'
import { CairnError } from './error.ts'
import type { FileSource } from './file-source.ts'
import { inParallel } from './in-parallel.ts'
import { type CallOptions, inNamespace, type Transport } from './transport.ts'
import type { FileMetadata } from './types.ts'

const mebibyte = 1024 * 1024
/** Sent with one PUT; limited because a failed PUT is repeated as a whole. */
const signedBytes = 64 * mebibyte
/** A stream's size is not known. */
const streamPartBytes = 8 * mebibyte
/** Part URLs expire after 15 minutes, so a few are requested at a time. */
const partsPerRequest = 16

export type UploadMethod = 'form' | 'signed' | 'multipart'
export type FileProgress = { readonly sent: number /** Undefined for a stream. */; readonly total: number | undefined }
export type WrittenFile = { readonly file_name: string; readonly size: number; readonly method: UploadMethod }

type Job = CallOptions & {
  readonly namespace: string
  readonly name: string
  readonly source: FileSource
  readonly concurrency: number
  readonly metadata: FileMetadata | undefined
  readonly onProgress: ((progress: FileProgress) => void) | undefined
}
type Part = { readonly part: number; readonly content: Blob }

/** Allows for links as slow as 20 kB/s. */
const timeoutFor = (bytes: number): number => 60_000 + bytes / 20

/** Default: a form up to 10 MB, one PUT up to 64 MB, else parts. */
export const uploadFile = async (
  transport: Transport,
  job: Job,
  method: UploadMethod | undefined,
): Promise<WrittenFile> => {
  const { size } = job.source
  if (size === undefined) return sendStream(transport, job, method)
  const bySize = size <= limits.directFileBytes ? 'form' : size <= signedBytes ? 'signed' : 'multipart'
  switch (method ?? bySize) {
    case 'form':
      return sendForm(transport, job, await onlyPart(job.source))
    case 'signed':
      return sendSigned(transport, job, await onlyPart(job.source))
    case 'multipart': {
      const partSize = Math.max(streamPartBytes, Math.ceil(size / limits.partNumber))
      return sendParts(transport, job, job.source.parts(partSize), partSize)
    }
  }
}

const onlyPart = async (source: FileSource): Promise<Blob> => {
  for await (const part of source.parts(source.size ?? streamPartBytes)) return part
  return new Blob([])
}

/** Sends a stream that fits into one part as a form by default. */
const sendStream = async (transport: Transport, job: Job, method: UploadMethod | undefined): Promise<WrittenFile> => {
  const parts = job.source.parts(streamPartBytes)
  const first = await parts.next()
  const second = first.done ? first : await parts.next()
  const content = first.done ? new Blob([]) : first.value
  if (second.done && method !== 'multipart')
    return method === 'signed' ? sendSigned(transport, job, content) : sendForm(transport, job, content)
  if (method === 'form' || method === 'signed') {
    await parts.return(undefined)
    throw new CairnError('invalid', 'A stream of more than 8 MB can only be sent in parts: use a Blob')
  }
  const all = async function* () {
    yield content
    if (!second.done) yield second.value
    yield* parts
  }
  return sendParts(transport, job, all(), streamPartBytes)
}

const sendForm = async ({ call }: Transport, job: Job, content: Blob): Promise<WrittenFile> => {
  const { namespace, name, metadata, onProgress, signal, timeoutMs = timeoutFor(content.size) } = job
  const bodySerializer = () => {
    const data = new FormData()
    if (metadata !== undefined) data.append('metadata', JSON.stringify(metadata))
    data.append('file', content, name)
    return data
  }
  const init = { params: inNamespace(namespace), body: { file: name }, bodySerializer }
  const answer = await call('post', '/v1/namespaces/{namespace_name}/upload-file', init, { signal, timeoutMs })
  onProgress?.({ sent: content.size, total: content.size })
  return { file_name: answer.fileName, size: answer.fileSize, method: 'form' }
}

const sendSigned = async ({ call, put }: Transport, job: Job, content: Blob): Promise<WrittenFile> => {
  const { namespace, name, metadata, onProgress, signal, timeoutMs } = job
  const { size } = content
  // The server refuses a size of 0.
  const body = { file_name: name, ...(size > 0 && { file_size: size }), ...(metadata && { metadata }) }
  const init = { params: inNamespace(namespace), body }
  const grant = await call('post', '/v1/namespaces/{namespace_name}/upload-url', init, { signal, timeoutMs })
  await put(grant.upload_url, content, grant.content_type, { signal, timeoutMs: timeoutMs ?? timeoutFor(size) })
  onProgress?.({ sent: size, total: size })
  return { file_name: name, size, method: 'signed' }
}

const requestParts = ({ call }: Transport, job: Job, firstPart: number, uploadId?: string, signal = job.signal) => {
  const { namespace, name, metadata, timeoutMs } = job
  const body = {
    file_name: name,
    first_part: firstPart,
    parts: Math.min(partsPerRequest, limits.partNumber - firstPart + 1),
    ...(uploadId === undefined ? { ...(metadata && { metadata }) } : { upload_id: uploadId }),
  }
  const init = { params: inNamespace(namespace), body }
  return call('post', '/v1/namespaces/{namespace_name}/upload-multipart', init, { signal, timeoutMs })
}

const sendParts = async (
  transport: Transport,
  job: Job,
  parts: AsyncGenerator<Blob>,
  partSize: number,
): Promise<WrittenFile> => {
  const upload = new PartsUpload(transport, job, await requestParts(transport, job, 1), partSize)
  try {
    await inParallel(job.concurrency, numbered(parts), (part, signal) => upload.send(part, signal), job.signal)
    return await upload.complete()
  } catch (error) {
    await upload.abort()
    throw error
  }
}

const numbered = async function* (parts: AsyncGenerator<Blob>): AsyncGenerator<Part> {
  let part = 0
  for await (const content of parts) {
    part += 1
    if (part > limits.partNumber) throw new CairnError('too_large', `A file has at most ${limits.partNumber} parts`)
    yield { part, content }
  }
  if (part === 0) yield { part: 1, content: new Blob([]) }
}

type MultipartUpload = Awaited<ReturnType<typeof requestParts>>

class PartsUpload {
  readonly #transport: Transport
  readonly #job: Job
  readonly #upload: MultipartUpload
  readonly #partSize: number
  readonly #done: { readonly part: number; readonly etag: string }[] = []
  #sent = 0
  /** Signed URLs by group of parts, requested when one of the group is first sent. */
  readonly #groups: Map<number, Promise<MultipartUpload>>

  constructor(transport: Transport, job: Job, upload: MultipartUpload, partSize: number) {
    this.#transport = transport
    this.#job = job
    this.#upload = upload
    this.#partSize = partSize
    this.#groups = new Map([[0, Promise.resolve(upload)]])
  }

  async send({ part, content }: Part, signal: AbortSignal): Promise<void> {
    const timeoutMs = this.#job.timeoutMs ?? timeoutFor(this.#partSize)
    const put = (address: string) =>
      this.#transport.put(address, content, this.#upload.content_type, { signal, timeoutMs })
    const etag = await put(await this.#addressOf(part, signal)).catch(async (error: unknown) => {
      // The URL has expired.
      if (!(error instanceof CairnError && error.status === 403)) throw error
      return put(await this.#addressOf(part, signal, true))
    })
    this.#done.push({ part, etag })
    this.#sent += content.size
    this.#job.onProgress?.({ sent: this.#sent, total: this.#job.source.size })
  }

  /** A retry is refused with 404 if an earlier attempt, whose response was lost, has completed the upload. */
  async complete(): Promise<WrittenFile> {
    const { send, api, call } = this.#transport
    const { namespace, name, signal, timeoutMs } = this.#job
    const options = { signal, timeoutMs, repeat: 'idempotent' } as const
    const parts = [...this.#done].sort((a, b) => a.part - b.part)
    const init = { params: inNamespace(namespace), body: { ...this.#names(), parts } }
    let attempts = 0
    try {
      await send((one) => {
        attempts += 1
        return api.POST('/v1/namespaces/{namespace_name}/upload-multipart/complete', { ...init, signal: one })
      }, options)
    } catch (error) {
      if (attempts === 1 || !(error instanceof CairnError && error.code === 'not_found')) throw error
      const params = { path: { namespace_name: namespace, file_name: name } }
      const path = '/v1/namespaces/{namespace_name}/files/{file_name}/status'
      if ((await call('get', path, { params }, options)).size !== this.#sent) throw error
    }
    return { file_name: name, size: this.#sent, method: 'multipart' }
  }

  /** Parts that are not removed count toward the account's storage for a day. */
  async abort(): Promise<void> {
    const init = { params: inNamespace(this.#job.namespace), body: this.#names() }
    const path = '/v1/namespaces/{namespace_name}/upload-multipart/abort'
    await this.#transport.call('post', path, init, { timeoutMs: 5_000, repeat: 'once' }).catch(() => undefined)
  }

  #names() {
    return { file_name: this.#job.name, upload_id: this.#upload.upload_id }
  }

  async #addressOf(part: number, signal: AbortSignal, isFresh = false): Promise<string> {
    const group = Math.floor((part - 1) / partsPerRequest)
    const found = isFresh ? undefined : this.#groups.get(group)
    const firstPart = group * partsPerRequest + 1
    const answer = found ?? requestParts(this.#transport, this.#job, firstPart, this.#upload.upload_id, signal)
    this.#groups.set(group, answer)
    return (await answer).parts.find((each) => each.part === part)?.upload_url ?? ''
  }
}
