import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { AppError, isAppError } from '@cairn/contracts/errors'
import { slices } from '@cairn/contracts/flow/slices'
import type { FileStore, SignedRequest, StoredFile } from '@cairn/domain/ports/file-store'
import { chooseParts } from './choose-parts.ts'
import { guardedFileStore } from './guarded-file-store.ts'
import { measured } from './measured.ts'
import { bodyOf } from './s3/body.ts'
import { headObject, undefinedIfMissing } from './s3/bucket.ts'
import { createS3Clients, type S3Connection, type S3Limits } from './s3/clients.ts'
import { completeUpload } from './s3/complete-upload.ts'
import { withoutQuotes } from './s3/etag.ts'
import { listMultiparts, listParts } from './s3/list-multiparts.ts'
import { listObjects } from './s3/list-objects.ts'
import { createPartBuffers } from './s3/part-buffers.ts'
import { s3SpanOf } from './s3/spans.ts'
import { storedFile, toSeconds } from './s3/stored-file.ts'
import { translateError } from './s3/translate-error.ts'
import { minPartBytes, partSizeOf, uploadObject } from './s3/upload-object.ts'

/** Defaults: 2 s to connect, 30 s without a byte, 3 attempts. */
export type S3FileStoreOptions = S3Connection &
  Partial<S3Limits> & {
    readonly bucket: string
    /** See `FileStore`. */
    readonly prefix: string
    /**
     * Limit, retries included, of a request without content, or of a download until its headers arrive. Uploading
     * content and completing an upload have none. Default 5,000.
     */
    readonly callTimeoutMs?: number
    /** Logs multipart uploads that failed and could not be aborted; `openMultiparts` lists them. */
    readonly log?: { warn(fields: object, message: string): void }
  }

/** Few enough to finish within the time limit at a few milliseconds each. */
const removedAtOnce = 250
/** Concurrent uploads whose buffers are reused. */
const buffersKept = 8
const bufferIdleMs = 10_000

/**
 * One bucket of any S3-compatible store; connects on first use. Requests that are not safe to retry are sent once; a
 * lost response is `unavailable`. Content passes through memory one part at a time: 5 MiB, or more if the content would
 * exceed 10,000 parts. Rejected settings (credentials, region, permissions) are AppError `internal`.
 */
export const s3FileStore = (options: S3FileStoreOptions): FileStore => {
  const { bucket, connectTimeoutMs = 2_000, stallTimeoutMs = 30_000 } = options
  const { callTimeoutMs = 5_000, attempts = 3, log } = options
  const clients = createS3Clients(options, { connectTimeoutMs, stallTimeoutMs, attempts })
  const closing = new AbortController()
  const writing = new Set<Promise<unknown>>()
  const usualBuffers = createPartBuffers(minPartBytes, { keep: buffersKept, idleMs: bufferIdleMs })
  const at = (key: string) => ({ Bucket: bucket, Key: key })
  const toFailure = (error: unknown): unknown =>
    closing.signal.aborted ? closing.signal.reason : translateError(error)
  /** Reading the body may take longer, so the time limit ends with the request. */
  const call = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), callTimeoutMs)
    try {
      return await work(AbortSignal.any([closing.signal, late.signal]))
    } catch (error) {
      if (late.signal.aborted && !isAppError(error)) {
        throw new AppError('unavailable', `The file store did not answer within ${callTimeoutMs} ms`, {
          cause: error,
          retryAfterSeconds: 5,
        })
      }
      throw toFailure(error)
    } finally {
      clearTimeout(timer)
    }
  }

  /** `close` waits for registered writes. */
  const untilDone = async <T>(running: Promise<T>): Promise<T> => {
    writing.add(running)
    try {
      return await running
    } finally {
      writing.delete(running)
    }
  }
  const head = (key: string) => call((signal) => headObject({ clients, bucket, signal }, key))
  /**
   * Reads the modification time, which the response to a write lacks. If the object was replaced or removed meanwhile,
   * the write still succeeded.
   */
  const storedFileOf = async (key: string, etag: string, sizeBytes: number): Promise<StoredFile> => {
    const found = await head(key)
    if (found && withoutQuotes(found.ETag) === etag) return storedFile(key, found)
    return { key, etag, sizeBytes, modifiedAt: toSeconds(found?.LastModified ?? new Date()) }
  }

  const put: FileStore['put'] = async (key, source, { contentType, maxBytes, signal: aborted }) => {
    const signal = aborted ? AbortSignal.any([aborted, closing.signal]) : closing.signal
    let count = 0
    const content = async function* (stop: AbortSignal) {
      for await (const chunk of measured(source, { maxBytes, signal: stop })) {
        count += chunk.length
        yield chunk
      }
    }
    const partBytes = partSizeOf(maxBytes)
    const buffers = partBytes === minPartBytes ? usualBuffers : createPartBuffers(partBytes, { keep: 0, idleMs: 0 })
    const upload = { bucket, key, contentType, content, buffers, signal, closing: closing.signal }
    const etag = await uploadObject(clients, upload, (error) =>
      log?.warn({ err: error }, 'multipart upload not aborted after a failure'),
    )
    return storedFileOf(key, etag, count)
  }

  const removeSome = (keys: readonly string[]) =>
    call(async (signal) => {
      const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true }
      const { Errors = [] } = await clients.main.send(new DeleteObjectsCommand({ Bucket: bucket, Delete }), {
        abortSignal: signal,
      })
      const [first] = Errors.filter(({ Code }) => Code !== 'NoSuchKey')
      if (!first) return
      const message = `The file store did not remove all: ${first.Code}: ${first.Message}`
      throw new AppError(first.Code === 'AccessDenied' ? 'internal' : 'unavailable', message)
    })

  // By default only the host is signed, and the client could choose all other headers.
  const signing = (headers: SignedRequest['headers'], expiresIn: number) => ({
    expiresIn,
    signableHeaders: new Set(['host', ...Object.keys(headers)]),
  })

  const close = async () => {
    closing.abort(new AppError('unavailable', 'The file store is closed'))
    await Promise.allSettled(writing)
    clients.destroy()
  }

  return guardedFileStore({
    prefix: options.prefix,
    spanOf: s3SpanOf,
    ensure: () =>
      call(async (signal) => {
        const isThere = () =>
          clients.main
            .send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal: signal })
            .catch(undefinedIfMissing)
        if (await isThere()) return
        try {
          await clients.once.send(new CreateBucketCommand({ Bucket: bucket }), { abortSignal: signal })
        } catch (error) {
          // Several services may create the bucket at once. A bucket of another account has already failed the check
          // above.
          if (!(await isThere())) throw error
        }
      }),
    put: (key, source, options) => untilDone(put(key, source, options)),
    head: async (key) => {
      const found = await head(key)
      return found && { ...storedFile(key, found), contentType: found.ContentType ?? 'application/octet-stream' }
    },
    get: async (key, range) => {
      const Range = range && `bytes=${range.from}-${range.to}`
      const command = new GetObjectCommand({ ...at(key), Range })
      const found = await call((signal) =>
        clients.reader.send(command, { abortSignal: signal }).catch(undefinedIfMissing),
      )
      if (!found) return undefined
      if (!(found.Body instanceof Readable)) throw new AppError('internal', 'The file store answered without a body')
      const whole = found.ContentRange?.match(/\/(\d+)$/)?.[1]
      const file = storedFile(key, whole === undefined ? found : { ...found, ContentLength: Number(whole) })
      return { file, body: bodyOf(found.Body, stallTimeoutMs) }
    },
    list: (listing) => call((signal) => listObjects({ clients, bucket, signal }, listing)),
    remove: async (keys) => {
      for (const some of slices(keys, removedAtOnce)) await removeSome(some)
    },
    signPut: async (key, { contentType: ContentType, sizeBytes: ContentLength, expiresInSeconds }) => {
      const length = ContentLength === undefined ? {} : { 'content-length': String(ContentLength) }
      const headers = { 'content-type': ContentType, ...length }
      const command = new PutObjectCommand({ ...at(key), ContentType, ContentLength })
      return {
        method: 'PUT',
        url: await getSignedUrl(clients.signer, command, signing(headers, expiresInSeconds)),
        headers,
      }
    },
    startMultipart: (key, { contentType: ContentType }) =>
      call(async (signal) => {
        const command = new CreateMultipartUploadCommand({ ...at(key), ContentType })
        const { UploadId } = await clients.once.send(command, { abortSignal: signal })
        if (UploadId === undefined)
          throw new AppError('internal', 'The object store started a multipart upload without an id')
        return UploadId
      }),
    signPart: async (key, UploadId, PartNumber, { expiresInSeconds }) => {
      const command = new UploadPartCommand({ ...at(key), UploadId, PartNumber })
      const url = await getSignedUrl(clients.signer, command, signing({}, expiresInSeconds))
      return { method: 'PUT', url, headers: {} }
    },
    completeMultipart: async (key, UploadId, listed, options) => {
      // Some stores report success if the key has an object but the upload does not exist.
      const parts = chooseParts(
        await call((signal) => listParts({ clients, bucket, signal }, key, UploadId)),
        listed,
        options,
      )
      const Parts = parts.map(({ part, etag }) => ({ PartNumber: part, ETag: etag }))
      const completing = completeUpload(clients, { ...at(key), UploadId, MultipartUpload: { Parts } }, closing.signal)
      const { ETag } = await untilDone(completing).catch((error: unknown) => {
        throw toFailure(error)
      })
      return storedFileOf(
        key,
        withoutQuotes(ETag),
        parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      )
    },
    multipartBytes: async (key, uploadId) => {
      const parts = await call((signal) =>
        listParts({ clients, bucket, signal }, key, uploadId).catch(undefinedIfMissing),
      )
      return parts && [...parts.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    },
    abortMultipart: (key, UploadId) =>
      call(async (signal) => {
        const command = new AbortMultipartUploadCommand({ ...at(key), UploadId })
        await clients.main.send(command, { abortSignal: signal }).catch(undefinedIfMissing)
      }),
    openMultiparts: (listing) => call((signal) => listMultiparts({ clients, bucket, signal }, listing)),
    close,
  })
}
