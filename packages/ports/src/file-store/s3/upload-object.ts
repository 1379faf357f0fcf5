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
import { type Part, type PartMemory, partsOf } from './part-memory.ts'
import { translated } from './translated.ts'

export type ObjectUpload = {
  readonly bucket: string
  readonly key: string
  readonly contentType: string
  /** Throws the reason of the signal as soon as that is aborted. */
  readonly content: (stop: AbortSignal) => AsyncIterable<Buffer>
  /** The most there can be, where that is known: of a larger content the parts are larger. */
  readonly mostBytes: number | undefined
  /** Of a part, in memory; at least 5 MiB. */
  readonly partBytes: number
  readonly partsAtOnce: number
  readonly memory: PartMemory
  /** Gives up, as long as the last request is not sent. */
  readonly signal: AbortSignal
  /** Gives up at once. */
  readonly closing: AbortSignal
}

const mostParts = 10_000
const mebibyte = 1024 * 1024
const cleanUpMs = 10_000
/** A part that was under way may arrive after the upload was aborted, and would then stay: so it is aborted until it is unknown. */
const abortTries = 3

/** No more parts than S3 takes. */
export const partSizeOf = ({ mostBytes = 0, partBytes }: Pick<ObjectUpload, 'mostBytes' | 'partBytes'>): number =>
  Math.max(partBytes, Math.ceil(mostBytes / mostParts / mebibyte) * mebibyte)

const abandon = async (clients: S3Clients, upload: { readonly Bucket: string; readonly Key: string; readonly UploadId: string }) => {
  for (let tries = 0; tries < abortTries; tries++) {
    try {
      await clients.main.send(new AbortMultipartUploadCommand(upload), { abortSignal: AbortSignal.timeout(cleanUpMs) })
    } catch (error) {
      if (isAppError(translated(error), 'notFound')) return
      throw error
    }
  }
}

/**
 * Content of any length, in memory no more than the parts under way. What fits into one part goes in one request. Resolves to the
 * etag; rejects with what the content throws, with the reason of a signal, or with an AppError.
 *
 * @param onLeftover hears why an upload that failed could not be cleaned up
 */
export const uploadObject = async (clients: S3Clients, upload: ObjectUpload, onLeftover: (error: unknown) => void): Promise<string> => {
  const { bucket: Bucket, key: Key, contentType: ContentType, signal, closing, partsAtOnce, memory } = upload
  const broken = new AbortController()
  const stop = AbortSignal.any([signal, broken.signal])
  const underWay = new Set<Promise<void>>()
  const sent: CompletedPart[] = []
  let uploadId: string | undefined
  let failure: { readonly error: unknown } | undefined

  const content = async function* () {
    try {
      yield* upload.content(stop)
    } catch (error) {
      if (!broken.signal.aborted) failure = { error }
      throw error
    }
  }

  const put = async ({ bytes, done }: Part): Promise<string | undefined> => {
    signal.throwIfAborted()
    const command = new PutObjectCommand({ Bucket, Key, ContentType, Body: bytes })
    const { ETag } = await clients.main.send(command, { abortSignal: closing })
    done()
    return ETag
  }
  /** A signal cuts off parts, while what begins or ends an upload is waited for, so that its outcome is known. */
  const begin = async (): Promise<string | undefined> => {
    signal.throwIfAborted()
    const { UploadId } = await clients.once.send(new CreateMultipartUploadCommand({ Bucket, Key, ContentType, ChecksumAlgorithm: 'CRC32' }))
    return UploadId
  }
  const sendPart = async ({ number: PartNumber, bytes: Body, done }: Part): Promise<void> => {
    signal.throwIfAborted()
    const command = new UploadPartCommand({ Bucket, Key, UploadId: uploadId, PartNumber, Body })
    const { ETag, ChecksumCRC32 } = await clients.main.send(command, { abortSignal: signal })
    if (ETag === undefined) throw new AppError('internal', 'The file store names no etag of a part')
    sent.push({ PartNumber, ETag, ...(ChecksumCRC32 === undefined ? {} : { ChecksumCRC32 }) })
    done()
  }
  const startPart = (part: Part) => {
    const sending = sendPart(part)
      .catch((error: unknown) => {
        // The content may keep its next bytes waiting for ever.
        broken.abort(error)
        throw error
      })
      .finally(() => underWay.delete(sending))
    sending.catch(() => undefined)
    underWay.add(sending)
  }
  const complete = async (): Promise<string | undefined> => {
    signal.throwIfAborted()
    const Parts = sent.toSorted((left, right) => (left.PartNumber ?? 0) - (right.PartNumber ?? 0))
    const { ETag } = await completeUpload(clients, { Bucket, Key, UploadId: uploadId, MultipartUpload: { Parts } }, closing)
    return ETag
  }
  const sendAll = async (): Promise<string | undefined> => {
    for await (const part of partsOf(content(), partSizeOf(upload), memory)) {
      if (part.number === 1 && part.isLast) return put(part)
      if (part.number > mostParts) {
        throw new AppError('tooLarge', `The content has more than ${mostParts} parts: its size has to be known`)
      }
      uploadId ??= await begin()
      startPart(part)
      // Before the next is read: that is what keeps the memory.
      if (underWay.size >= partsAtOnce) await Promise.race(underWay)
    }
    await Promise.all(underWay)
    return complete()
  }

  try {
    return withoutQuotes(await sendAll())
  } catch (error) {
    await Promise.allSettled(underWay)
    if (uploadId !== undefined) await abandon(clients, { Bucket, Key, UploadId: uploadId }).catch(onLeftover)
    if (failure) throw failure.error
    signal.throwIfAborted()
    throw translated(broken.signal.aborted ? broken.signal.reason : error)
  }
}
