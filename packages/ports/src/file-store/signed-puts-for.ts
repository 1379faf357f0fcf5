import type { IncomingMessage } from 'node:http'
import type { S3Response } from '@cairn/contracts/s3-error'
import type { Clock } from '../clock/port.ts'
import type { LocalFileStore } from './local.ts'
import { receiveSignedPut } from './receive-signed-put.ts'
import { verifySignedPut } from './signed-put.ts'

/** What whoever answers the local store's signed requests needs of it. */
export const signedPutsFor = (
  files: Pick<LocalFileStore, 'put' | 'putPart'>,
  { signingKey, clock }: { readonly signingKey: Uint8Array; readonly clock: Pick<Clock, 'now'> },
) => ({
  /** What a request may do; undefined: it will be refused. Reads nothing of its body. */
  allows: (request: IncomingMessage): { readonly key: string; readonly uploadId: string | undefined } | undefined => {
    const checked = verifySignedPut(request, { signingKey, now: clock.now() })
    return 'refused' in checked ? undefined : { key: checked.put.key, uploadId: checked.put.upload?.id }
  },
  receive: (request: IncomingMessage): Promise<S3Response> => receiveSignedPut(request, { files, signingKey, now: clock.now() }),
})
