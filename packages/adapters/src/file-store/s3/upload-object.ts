import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { AppError, isAppError } from '@cairn/contracts/errors'
import type { S3Clients } from './clients.ts'
import { completeUpload } from './complete-upload.ts'
import { withoutQuotes } from './etag.ts'
import type { PartBuffers } from './part-buffers.ts'
import { translateError } from './translate-error.ts'

export type ObjectUpload = {
  readonly bucket: string
  readonly key: string
  readonly contentType: string
  /** Throws the signal's reason as soon as it is aborted. */
  readonly content: (stop: AbortSignal) => AsyncIterable<Buffer>
  /** Hold one part; see `partSizeOf` for content that may be large. */
  readonly buffers: PartBuffers
  /** Aborts until the last request is sent. */
  readonly signal: AbortSignal
  /** Aborts at any time. */
  readonly closing: AbortSignal
}

const maxParts = 10_000
const mebibyte = 1024 * 1024
export const minPartBytes = 5 * mebibyte
const cleanUpMs = 10_000
/** The abort is repeated until the upload is gone: a part that arrives after the first one would stay. */
const abortTries = 3

/** Returns the minimum of S3, or more if `maxBytes` would need more parts than S3 allows. */
export const partSizeOf = (maxBytes: number | undefined = 0): number =>
  Math.max(minPartBytes, Math.ceil(maxBytes / maxParts / mebibyte) * mebibyte)

const abortUpload = async (
  clients: S3Clients,
  upload: { readonly Bucket: string; readonly Key: string; readonly UploadId: string },
) => {
  for (let tries = 0; tries < abortTries; tries++) {
    try {
      await clients.main.send(new AbortMultipartUploadCommand(upload), { abortSignal: AbortSignal.timeout(cleanUpMs) })
    } catch (error) {
      if (isAppError(translateError(error), 'notFound')) return
      throw error
    }
  }
}

/** When `part` resolves, its buffer may be reused. */
const partSender = (clients: S3Clients, upload: ObjectUpload) => {
  const { bucket: Bucket, key: Key, contentType: ContentType, signal, closing } = upload
  const parts: CompletedPart[] = []
  let uploadId: string | undefined

  // `signal` aborts only parts, not requests that start or complete an upload, so that their outcome is known.
  const begin = async (): Promise<string> => {
    const checksum = clients.addsChecksums ? ({ ChecksumAlgorithm: 'CRC32' } as const) : {}
    const created = await clients.once.send(new CreateMultipartUploadCommand({ Bucket, Key, ContentType, ...checksum }))
    if (created.UploadId === undefined)
      throw new AppError('internal', 'The object store started a multipart upload without an id')
    return created.UploadId
  }
  const part = async (Body: Buffer) => {
    if (parts.length === maxParts) {
      throw new AppError('tooLarge', `The content has more than ${maxParts} parts: set a limit, which sizes the parts`)
    }
    uploadId ??= await begin()
    const PartNumber = parts.length + 1
    const command = new UploadPartCommand({ Bucket, Key, UploadId: uploadId, PartNumber, Body })
    const { ETag, ChecksumCRC32 } = await clients.main.send(command, { abortSignal: signal })
    parts.push({ PartNumber, ETag, ...(ChecksumCRC32 === undefined ? {} : { ChecksumCRC32 }) })
  }
  return {
    part,
    /** The remaining bytes may be the whole content. */
    end: async (Body: Buffer): Promise<string> => {
      if (uploadId === undefined) {
        const { ETag } = await clients.main.send(new PutObjectCommand({ Bucket, Key, ContentType, Body }), {
          abortSignal: closing,
        })
        return withoutQuotes(ETag)
      }
      await part(Body)
      signal.throwIfAborted()
      const { ETag } = await completeUpload(
        clients,
        { Bucket, Key, UploadId: uploadId, MultipartUpload: { Parts: parts } },
        closing,
      )
      return withoutQuotes(ETag)
    },
    abort: async (): Promise<void> => {
      if (uploadId !== undefined) await abortUpload(clients, { Bucket, Key, UploadId: uploadId })
    },
  }
}

/**
 * Holds one part in memory; reading pauses while a part is sent. Content that fits into one part is sent in one
 * request. Returns the etag. Rejects with the content's error, the reason of a signal, or an AppError.
 * @param onLeftover called with the error if a failed upload could not be aborted
 */
export const uploadObject = async (
  clients: S3Clients,
  upload: ObjectUpload,
  onLeftover: (error: unknown) => void,
): Promise<string> => {
  const { signal, buffers } = upload
  const sender = partSender(clients, upload)
  const sendOrTranslate = async <T>(send: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    try {
      return await send()
    } catch (error) {
      signal.throwIfAborted()
      throw translateError(error)
    }
  }
  const buffer = buffers.take()
  try {
    let filled = 0
    for await (const chunk of upload.content(signal)) {
      for (let from = 0; from < chunk.length; ) {
        if (filled === buffer.length) {
          await sendOrTranslate(() => sender.part(buffer))
          filled = 0
        }
        const copied = chunk.copy(buffer, filled, from)
        filled += copied
        from += copied
      }
    }
    const etag = await sendOrTranslate(() => sender.end(buffer.subarray(0, filled)))
    buffers.giveBack(buffer)
    return etag
  } catch (error) {
    await sender.abort().catch(onLeftover)
    throw error
  }
}
