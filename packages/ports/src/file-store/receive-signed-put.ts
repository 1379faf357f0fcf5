import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { isAppError } from '@cairn/contracts/errors'
import { type S3Response, s3Error, s3Unavailable } from '@cairn/contracts/s3-error'
import type { LocalFileStore } from './local.ts'
import { type SignedPut, verifySignedPut } from './signed-put.ts'

/** What S3 takes in one PUT. */
const mostBytes = 5 * 1024 ** 3

const failure = (error: unknown): S3Response | undefined => {
  if (isAppError(error, 'tooLarge')) return s3Error(400, 'EntityTooLarge', error.message)
  if (isAppError(error, 'invalid')) return s3Error(400, 'InvalidRequest', error.message)
  if (isAppError(error, 'notFound')) return s3Error(404, 'NoSuchUpload', error.message)
  if (isAppError(error, 'unavailable')) return s3Unavailable(error)
  return undefined
}

const store = (files: Pick<LocalFileStore, 'put' | 'putPart'>, put: SignedPut, body: Readable) => {
  const limits = { maxBytes: mostBytes, ...(put.sizeBytes === undefined ? {} : { sizeBytes: put.sizeBytes }) }
  if (put.upload) return files.putPart(put.key, put.upload.id, put.upload.part, body, limits)
  return files.put(put.key, body, { contentType: put.contentType ?? 'application/octet-stream', ...limits })
}

/**
 * The receiving end of the local store's signed requests: what S3 itself does in a cluster. Rejects with what is no fault of the
 * request and no AppError, as a broken connection is.
 *
 * @param now milliseconds since the epoch
 */
export const receiveSignedPut = async (
  request: Pick<IncomingMessage, 'method' | 'url' | 'headers'> & Readable,
  options: { readonly files: Pick<LocalFileStore, 'put' | 'putPart'>; readonly signingKey: Uint8Array; readonly now: number },
): Promise<S3Response> => {
  const checked = verifySignedPut(request, options)
  if ('refused' in checked) return s3Error(checked.refused.status, checked.refused.code, checked.refused.message)
  if (request.headers['content-length'] === undefined) return s3Error(411, 'MissingContentLength', 'The request needs a Content-Length.')
  // The store destroys a source it does not read to the end, and with the request its answer would be lost.
  const body = Readable.from(request.iterator({ destroyOnReturn: false }), { objectMode: false })
  try {
    const { etag } = await store(options.files, checked.put, body)
    return { status: 200, headers: { etag: `"${etag}"` }, body: '' }
  } catch (error) {
    const answer = failure(error)
    if (!answer) throw error
    return answer
  }
}
