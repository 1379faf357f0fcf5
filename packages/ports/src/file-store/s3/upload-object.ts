import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { AppError, isAppError } from '@cairn/contracts/errors'
import type { S3Clients } from './clients.ts'
import { completeUpload } from './complete-upload.ts'
import { withoutQuotes } from './etag.ts'
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
 * Content of any length, in memory no more than the parts under way and the next one. What fits into one part goes in one
 * request. Resolves to the etag; rejects with what the content throws, with the reason of a signal, or with an AppError.
 *
 * @param onLeftover hears why an upload that failed could not be cleaned up
 */
export const uploadObject = async (clients: S3Clients, upload: ObjectUpload, onLeftover: (error: unknown) => void): Promise<string> => {
  const { bucket: Bucket, key: Key, contentType: ContentType, signal, closing } = upload
  const broken = new AbortController()
  const stop = AbortSignal.any([signal, broken.signal])
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

  /** A signal cuts off parts, while what begins or ends an upload is waited for, so that its outcome is known. */
  const request = (command: unknown): Promise<unknown> => {
    if (command instanceof UploadPartCommand) return clients.main.send(command, { abortSignal: signal })
    if (command instanceof CreateMultipartUploadCommand) {
      return clients.once.send(command).then((created) => {
        uploadId = created.UploadId
        return created
      })
    }
    if (command instanceof CompleteMultipartUploadCommand) return completeUpload(clients, command.input, closing)
    if (command instanceof PutObjectCommand) return clients.main.send(command, { abortSignal: closing })
    throw new AppError('internal', 'The upload sends a request that nobody expects')
  }
  const send = async (command: unknown): Promise<unknown> => {
    signal.throwIfAborted()
    try {
      return await request(command)
    } catch (error) {
      // The helper would wait for the content's next part before it gives up, and that may never come.
      broken.abort(error)
      throw error
    }
  }

  const helper = new Upload({
    client: Object.create(clients.main, { send: { value: send } }) as S3Client,
    params: { Bucket, Key, ContentType, Body: Readable.from(content(), { objectMode: false }) },
    partSize: partSizeOf(upload),
    queueSize: upload.partsAtOnce,
    // It would do so once, without waiting for what is under way, and report that failure instead of ours.
    leavePartsOnError: true,
  })
  try {
    const { ETag } = await helper.done()
    return withoutQuotes(ETag)
  } catch (error) {
    if (uploadId !== undefined) await abandon(clients, { Bucket, Key, UploadId: uploadId }).catch(onLeftover)
    if (failure) throw failure.error
    signal.throwIfAborted()
    if (error instanceof Error && error.message.startsWith('Exceeded ')) {
      throw new AppError('tooLarge', `The content has more than ${mostParts} parts: its size has to be known`, { cause: error })
    }
    throw translated(error)
  }
}
