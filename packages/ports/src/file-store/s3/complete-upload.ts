import { setTimeout as pause } from 'node:timers/promises'
import {
  CompleteMultipartUploadCommand,
  type CompleteMultipartUploadCommandInput,
  type CompleteMultipartUploadCommandOutput,
  HeadObjectCommand,
} from '@aws-sdk/client-s3'
import { AppError, isAppError } from '@cairn/contracts/errors'
import type { S3Clients } from './clients.ts'
import { etagOfParts, withoutQuotes } from './etag.ts'
import { translated } from './translated.ts'

const pausesMs = [200, 1_000]

/** The upload is gone: because it was completed by a request whose answer never came, or because somebody has aborted it. */
const outcomeOf = async (
  clients: S3Clients,
  { Bucket, Key, MultipartUpload }: CompleteMultipartUploadCommandInput,
  signal: AbortSignal,
): Promise<CompleteMultipartUploadCommandOutput> => {
  const expected = etagOfParts((MultipartUpload?.Parts ?? []).map(({ ETag = '' }) => ETag))
  const { ETag, $metadata } = await clients.main.send(new HeadObjectCommand({ Bucket, Key }), { abortSignal: signal })
  if (ETag !== undefined && withoutQuotes(ETag) === expected) return { ETag, $metadata }
  throw new AppError('unavailable', 'The object store did not confirm whether the multipart upload was completed', { retryAfterSeconds: 5 })
}

/**
 * Completes an upload in parts once, whatever happens to the answer. Repeated as it is, the request would get `NoSuchUpload`
 * after a success nobody heard of.
 */
export const completeUpload = async (
  clients: S3Clients,
  input: CompleteMultipartUploadCommandInput,
  signal: AbortSignal,
): Promise<CompleteMultipartUploadCommandOutput> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await clients.once.send(new CompleteMultipartUploadCommand(input), { abortSignal: signal })
    } catch (error) {
      signal.throwIfAborted()
      const failure = translated(error)
      if (attempt > 0 && isAppError(failure, 'notFound')) return await outcomeOf(clients, input, signal)
      const pauseMs = pausesMs[attempt]
      if (!isAppError(failure, 'unavailable') || pauseMs === undefined) throw failure
      await pause(pauseMs, undefined, { signal })
    }
  }
}
