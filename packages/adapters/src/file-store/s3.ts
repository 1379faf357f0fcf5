import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { AppError, isAppError } from '@cairn/contracts/errors'
import { slices } from '@cairn/contracts/flow/slices'
import type { FileStore, PutOptions, StoredFile } from '@cairn/domain/ports/file-store'
import { chooseParts } from './choose-parts.ts'
import { guardedFileStore } from './guarded-file-store.ts'
import { measured } from './measured.ts'
import { bodyOf } from './s3/body.ts'
import { type Bucket, ensureBucket, headObject, removeObjects, undefinedIfMissing } from './s3/bucket.ts'
import { createS3Clients, type S3Clients, type S3Connection } from './s3/clients.ts'
import { completeUpload } from './s3/complete-upload.ts'
import { withoutQuotes } from './s3/etag.ts'
import { listMultiparts, listParts } from './s3/list-multiparts.ts'
import { listObjects } from './s3/list-objects.ts'
import { createPartBuffers } from './s3/part-buffers.ts'
import { s3SpanOf } from './s3/spans.ts'
import { storedFile, toSeconds } from './s3/stored-file.ts'
import { translateError } from './s3/translate-error.ts'
import { minPartBytes, partSizeOf, uploadObject } from './s3/upload-object.ts'

export type S3FileStoreOptions = S3Connection & {
  readonly bucket: string
  /** See `FileStore`. */
  readonly prefix: string
  /**
   * Limit, retries included, of a request without content, or of a download until its headers arrive. Uploading
   * content and completing an upload have none. Default 5,000.
   */
  readonly callTimeoutMs?: number
  /** Longest time without a byte from or to the store. Default 30,000. */
  readonly stallTimeoutMs?: number
  /** For a request that is safe to retry. Default 3. */
  readonly attempts?: number
  /** Logs multipart uploads that failed and could not be aborted; `openMultiparts` lists them. */
  readonly log?: { warn(fields: object, message: string): void }
}

/** Few enough to finish within the time limit at a few milliseconds each. */
const removedAtOnce = 250
/** Concurrent uploads whose buffers are reused. */
const buffersKept = 8
const bufferIdleMs = 10_000

const bytesOf = (parts: readonly { readonly sizeBytes: number }[]): number =>
  parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)

/** Its methods are fields, because callers spread ports. */
class S3FileStore implements FileStore {
  readonly prefix: string
  readonly spanOf = s3SpanOf
  readonly #options: S3FileStoreOptions
  readonly #stallTimeoutMs: number
  readonly #callTimeoutMs: number
  readonly #clients: S3Clients
  readonly #closing = new AbortController()
  readonly #writing = new Set<Promise<unknown>>()
  readonly #usualBuffers = createPartBuffers(minPartBytes, { keep: buffersKept, idleMs: bufferIdleMs })

  constructor(options: S3FileStoreOptions) {
    const { prefix, stallTimeoutMs = 30_000, callTimeoutMs = 5_000 } = options
    this.prefix = prefix
    this.#options = options
    this.#stallTimeoutMs = stallTimeoutMs
    this.#callTimeoutMs = callTimeoutMs
    this.#clients = createS3Clients(options, stallTimeoutMs, options.attempts)
  }

  readonly ensure = (): Promise<void> => this.#call((signal) => ensureBucket(this.#bucketWith(signal)))

  readonly put: FileStore['put'] = (key, source, options) => this.#untilDone(this.#upload(key, source, options))

  readonly head: FileStore['head'] = async (key) => {
    const found = await this.#headObject(key)
    return found && { ...storedFile(key, found), contentType: found.ContentType ?? 'application/octet-stream' }
  }

  readonly get: FileStore['get'] = async (key, range) => {
    const Range = range && `bytes=${range.from}-${range.to}`
    const command = new GetObjectCommand({ ...this.#at(key), Range })
    const found = await this.#call((signal) =>
      this.#clients.reader.send(command, { abortSignal: signal }).catch(undefinedIfMissing),
    )
    if (!found) return undefined
    if (!(found.Body instanceof Readable)) throw new AppError('internal', 'The file store answered without a body')
    const whole = found.ContentRange?.match(/\/(\d+)$/)?.[1]
    const file = storedFile(key, whole === undefined ? found : { ...found, ContentLength: Number(whole) })
    return { file, body: bodyOf(found.Body, this.#stallTimeoutMs) }
  }

  readonly list: FileStore['list'] = (listing) => this.#call((signal) => listObjects(this.#bucketWith(signal), listing))

  readonly remove: FileStore['remove'] = async (keys) => {
    for (const some of slices(keys, removedAtOnce))
      await this.#call((signal) => removeObjects(this.#bucketWith(signal), some))
  }

  readonly signPut: FileStore['signPut'] = (key, { contentType, sizeBytes: ContentLength, expiresInSeconds }) => {
    const command = new PutObjectCommand({ ...this.#at(key), ContentType: contentType, ContentLength })
    // By default only the host is signed, and the client could choose all other headers.
    const signableHeaders = new Set(['host', 'content-type', 'content-length'])
    return getSignedUrl(this.#clients.signer, command, { expiresIn: expiresInSeconds, signableHeaders })
  }

  readonly startMultipart: FileStore['startMultipart'] = (key, { contentType: ContentType }) =>
    this.#call(async (signal) => {
      const command = new CreateMultipartUploadCommand({ ...this.#at(key), ContentType })
      const { UploadId } = await this.#clients.once.send(command, { abortSignal: signal })
      if (UploadId === undefined)
        throw new AppError('internal', 'The object store started a multipart upload without an id')
      return UploadId
    })

  readonly signPart: FileStore['signPart'] = (key, UploadId, PartNumber, { expiresInSeconds: expiresIn }) => {
    const command = new UploadPartCommand({ ...this.#at(key), UploadId, PartNumber })
    return getSignedUrl(this.#clients.signer, command, { expiresIn, signableHeaders: new Set(['host']) })
  }

  readonly completeMultipart: FileStore['completeMultipart'] = async (key, UploadId, listed, options) => {
    // Some stores report success if the key has an object but the upload does not exist.
    const parts = chooseParts(
      await this.#call((signal) => listParts(this.#bucketWith(signal), key, UploadId)),
      listed,
      options,
    )
    const Parts = parts.map(({ part, etag }) => ({ PartNumber: part, ETag: etag }))
    const completing = completeUpload(
      this.#clients,
      { ...this.#at(key), UploadId, MultipartUpload: { Parts } },
      this.#closing.signal,
    )
    const { ETag } = await this.#untilDone(completing).catch((error: unknown) => {
      throw this.#toFailure(error)
    })
    return this.#storedFileOf(key, withoutQuotes(ETag), bytesOf(parts))
  }

  readonly multipartBytes: FileStore['multipartBytes'] = async (key, uploadId) => {
    const parts = await this.#call((signal) =>
      listParts(this.#bucketWith(signal), key, uploadId).catch(undefinedIfMissing),
    )
    return parts && bytesOf([...parts.values()])
  }

  readonly abortMultipart: FileStore['abortMultipart'] = (key, UploadId) =>
    this.#call(async (signal) => {
      const command = new AbortMultipartUploadCommand({ ...this.#at(key), UploadId })
      await this.#clients.main.send(command, { abortSignal: signal }).catch(undefinedIfMissing)
    })

  readonly openMultiparts: FileStore['openMultiparts'] = (listing) =>
    this.#call((signal) => listMultiparts(this.#bucketWith(signal), listing))

  readonly close = async (): Promise<void> => {
    this.#closing.abort(new AppError('unavailable', 'The file store is closed'))
    await Promise.allSettled(this.#writing)
    this.#clients.destroy()
  }

  /** Reading the body may take longer, so the time limit ends with the request. */
  async #call<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), this.#callTimeoutMs)
    try {
      return await work(AbortSignal.any([this.#closing.signal, late.signal]))
    } catch (error) {
      if (late.signal.aborted && !isAppError(error)) {
        throw new AppError('unavailable', `The file store did not answer within ${this.#callTimeoutMs} ms`, {
          cause: error,
          retryAfterSeconds: 5,
        })
      }
      throw this.#toFailure(error)
    } finally {
      clearTimeout(timer)
    }
  }

  /** `close` waits for registered writes. */
  async #untilDone<T>(running: Promise<T>): Promise<T> {
    this.#writing.add(running)
    try {
      return await running
    } finally {
      this.#writing.delete(running)
    }
  }

  /**
   * Reads the modification time, which the response to a write lacks. If the object was replaced or removed meanwhile,
   * the write still succeeded.
   */
  async #storedFileOf(key: string, etag: string, sizeBytes: number): Promise<StoredFile> {
    const found = await this.#headObject(key)
    if (found && withoutQuotes(found.ETag) === etag) return storedFile(key, found)
    return { key, etag, sizeBytes, modifiedAt: toSeconds(found?.LastModified ?? new Date()) }
  }

  async #upload(
    key: string,
    source: Readable | Uint8Array,
    { contentType, maxBytes, signal: aborted }: PutOptions,
  ): Promise<StoredFile> {
    const signal = aborted ? AbortSignal.any([aborted, this.#closing.signal]) : this.#closing.signal
    let count = 0
    const content = async function* (stop: AbortSignal) {
      for await (const chunk of measured(source, { maxBytes, signal: stop })) {
        count += chunk.length
        yield chunk
      }
    }
    const partBytes = partSizeOf(maxBytes)
    const buffers =
      partBytes === minPartBytes ? this.#usualBuffers : createPartBuffers(partBytes, { keep: 0, idleMs: 0 })
    const { bucket } = this.#options
    const upload = { bucket, key, contentType, content, buffers, signal, closing: this.#closing.signal }
    const etag = await uploadObject(this.#clients, upload, (error) =>
      this.#options.log?.warn({ err: error }, 'multipart upload not aborted after a failure'),
    )
    return this.#storedFileOf(key, etag, count)
  }

  #bucketWith(signal: AbortSignal): Bucket {
    return { clients: this.#clients, bucket: this.#options.bucket, signal }
  }

  #at(key: string) {
    return { Bucket: this.#options.bucket, Key: key }
  }

  #headObject(key: string) {
    return this.#call((signal) => headObject(this.#bucketWith(signal), key))
  }

  #toFailure(error: unknown): unknown {
    return this.#closing.signal.aborted ? this.#closing.signal.reason : translateError(error)
  }
}

/**
 * One bucket of any S3-compatible store; connects on first use. Requests that are not safe to retry are sent once; a
 * lost response is `unavailable`. Content passes through memory one part at a time: 5 MiB, or more if the content would
 * exceed 10,000 parts. Rejected settings (credentials, region, permissions) are AppError `internal`.
 */
export const s3FileStore = (options: S3FileStoreOptions): FileStore => guardedFileStore(new S3FileStore(options))
