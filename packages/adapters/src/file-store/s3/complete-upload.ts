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
import { translateError } from './translate-error.ts'

const pausesMs = [200, 1_000]

/** Determines the outcome of an upload that is gone: completed by a request with a lost response, or aborted. */
const outcomeOf = async (
  clients: S3Clients,
  { Bucket, Key, MultipartUpload }: CompleteMultipartUploadCommandInput,
  signal: AbortSignal,
): Promise<CompleteMultipartUploadCommandOutput> => {
  const expected = etagOfParts((MultipartUpload?.Parts ?? []).map(({ ETag = '' }) => ETag))
  const { ETag, $metadata } = await clients.main.send(new HeadObjectCommand({ Bucket, Key }), { abortSignal: signal })
  if (ETag !== undefined && withoutQuotes(ETag) === expected) return { ETag, $metadata }
  throw new AppError('unavailable', 'The object store did not confirm whether the multipart upload was completed', {
    retryAfterSeconds: 5,
  })
}

/** Completes an upload once: a plain retry fails with `NoSuchUpload` after a success whose response was lost. */
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
      const failure = translateError(error)
      if (attempt > 0 && isAppError(failure, 'notFound')) return await outcomeOf(clients, input, signal)
      const pauseMs = pausesMs[attempt]
      if (!isAppError(failure, 'unavailable') || pauseMs === undefined) throw failure
      await pause(pauseMs, undefined, { signal })
    }
  }
}
