import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { type S3Response, s3Error } from '@cairn/contracts/api/s3-error'
import type { Clock } from '@cairn/domain/ports/clock'
import type { LocalFileStore } from './local.ts'
import { type SignedPut, verifySignedPut } from './signed-put.ts'

/** S3's maximum. */
const maxPutBytes = 5 * 1024 ** 3

const store = (files: Pick<LocalFileStore, 'put' | 'putPart'>, put: SignedPut, body: Readable) => {
  const limits = { maxBytes: put.sizeBytes ?? maxPutBytes }
  if (put.upload) return files.putPart(put.key, put.upload.id, put.upload.part, body, limits)
  return files.put(put.key, body, { contentType: put.contentType ?? 'application/octet-stream', ...limits })
}

export const signedPutsFor = (
  files: Pick<LocalFileStore, 'put' | 'putPart'>,
  { signingKey, clock }: { readonly signingKey: Uint8Array; readonly clock: Pick<Clock, 'now'> },
) => {
  const verify = (request: IncomingMessage) => verifySignedPut(request, { signingKey, now: clock.now() })
  return {
    /** Returns undefined if the request will be rejected. Does not read the body. */
    allows: (request: IncomingMessage): { readonly key: string; readonly uploadId: string | undefined } | undefined => {
      const checked = verify(request)
      return 'refused' in checked ? undefined : { key: checked.put.key, uploadId: checked.put.upload?.id }
    },
    /** As S3 does in a cluster. Rejects with the store's errors; `s3Failure` turns them into responses. */
    receive: async (request: IncomingMessage): Promise<S3Response> => {
      const checked = verify(request)
      if ('refused' in checked) return s3Error(checked.refused.status, checked.refused.code, checked.refused.message)
      if (request.headers['content-length'] === undefined)
        return s3Error(411, 'MissingContentLength', 'The request needs a Content-Length.')
      // The store destroys a source that it does not read to the end. Destroying the request would lose the response.
      const body = Readable.from(request.iterator({ destroyOnReturn: false }), { objectMode: false })
      const { etag } = await store(files, checked.put, body)
      return { status: 200, headers: { etag: `"${etag}"` } }
    },
  }
}
