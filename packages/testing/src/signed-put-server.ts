import type { LocalFileStore } from '@cairn/adapters/file-store/local'
import { signedPutsFor } from '@cairn/adapters/file-store/signed-puts-for'
import { type S3Response, s3Failure } from '@cairn/contracts/api/s3-error'
import { isAppError } from '@cairn/contracts/errors'
import { startLocalServer } from './local-server.ts'

export type SignedPutServer = {
  /** The `publicUrl` for the local file store. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves the signed requests of a local file store on a free port of this machine, as the gateway does in the
 * one-process mode.
 *
 *     const server = await startSignedPutServer({ files: () => files, signingKey, now: clock.now })
 *     const files = localFileStore({ directory, signingKey, publicUrl: () => server.url })
 */
export const startSignedPutServer = async (options: {
  /** Returns the store. Called for each request, because the server's URL must exist before the store. */
  readonly files: () => Pick<LocalFileStore, 'put' | 'putPart'>
  readonly signingKey: Uint8Array
  /** Returns milliseconds since the epoch. */
  readonly now: () => number
}): Promise<SignedPutServer> => {
  const { files, signingKey, now } = options
  return startLocalServer((request, response) => {
    const answer = ({ status, headers, body }: S3Response) => {
      response.writeHead(status, headers).end(body)
      // Unread bytes of a rejected request would be parsed as the next request.
      if (!request.complete) response.once('finish', () => request.destroy())
    }
    signedPutsFor(files(), { signingKey, clock: { now } })
      .receive(request)
      .then(answer, (error: unknown) => (isAppError(error) ? answer(s3Failure(error)) : response.destroy()))
  })
}
