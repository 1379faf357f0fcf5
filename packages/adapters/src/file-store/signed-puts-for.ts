import type { IncomingMessage } from 'node:http'
import type { S3Response } from '@cairn/contracts/s3-error'
import type { Clock } from '@cairn/domain/ports/clock'
import type { LocalFileStore } from './local.ts'
import { receiveSignedPut } from './receive-signed-put.ts'
import { verifySignedPut } from './signed-put.ts'

/** Returns the functions that a server needs to handle signed requests of the local store. */
export const signedPutsFor = (
  files: Pick<LocalFileStore, 'put' | 'putPart'>,
  { signingKey, clock }: { readonly signingKey: Uint8Array; readonly clock: Pick<Clock, 'now'> },
) => ({
  /** Returns the target of a valid request, or undefined if it will be rejected. Does not read the body. */
  allows: (request: IncomingMessage): { readonly key: string; readonly uploadId: string | undefined } | undefined => {
    const checked = verifySignedPut(request, { signingKey, now: clock.now() })
    return 'refused' in checked ? undefined : { key: checked.put.key, uploadId: checked.put.upload?.id }
  },
  receive: (request: IncomingMessage): Promise<S3Response> =>
    receiveSignedPut(request, { files, signingKey, now: clock.now() }),
})
