import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'

export type S3Checksums = 'when_supported' | 'when_required'

export type S3Connection = {
  /** Such as `http://localhost:9000`. Default: AWS, by region. */
  readonly endpoint?: string | undefined
  /** Where clients send signed requests. Default: `endpoint`. */
  readonly publicEndpoint?: string | undefined
  readonly region: string
  /** The bucket is in the path, not in the host name: MinIO and most stores other than AWS need it. */
  readonly pathStyle: boolean
  /**
   * `when_supported`: the SDK adds CRC-32 checksums, which the store verifies. `when_required`: only if S3 requires it,
   * for stores without CRC-32 (R2, older Ceph). Default `when_supported`.
   */
  readonly checksums?: S3Checksums
  /** Default: the credential chain of the AWS SDK (environment, profile, role of the machine or pod). */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
}

const connectTimeoutMs = 2_000
const sockets = 64
/** Each read's connection lasts until its consumer has read the object: as many as a gateway serves. */
const readerSockets = 256
const withContent: ReadonlySet<string | undefined> = new Set(['PutObjectCommand', 'UploadPartCommand'])
/** Shorter than any store's idle timeout, because a request fails on a connection that the store has just closed. */
const idleMs = 10_000

/**
 * `main` retries requests that are safe to retry, `once` never retries, `reader` sets no time limit on slow reading,
 * and `signer` sends nothing. `stallTimeoutMs`: longest time without a byte from or to the store; `attempts`: for a
 * request that is safe to retry.
 */
export const createS3Clients = (connection: S3Connection, stallTimeoutMs: number, attempts = 3) => {
  const {
    endpoint,
    publicEndpoint = endpoint,
    region,
    pathStyle,
    credentials,
    checksums = 'when_supported',
  } = connection
  const [addsChecksums, when] =
    checksums === 'when_supported' ? ([true, 'WHEN_SUPPORTED'] as const) : ([false, 'WHEN_REQUIRED'] as const)
  // The SDK's handler uses node:http, which requests no compression: `accept-encoding` needs no override. Custom
  // agents, because the SDK would wait up to 6 s for a store without support for `Expect: 100-continue`.
  const agents = (maxSockets = sockets) => ({
    httpAgent: new HttpAgent({ keepAlive: true, maxSockets, timeout: idleMs }),
    httpsAgent: new HttpsAgent({ keepAlive: true, maxSockets, timeout: idleMs }),
  })
  const config = (url: string | undefined): S3ClientConfig => ({
    region,
    forcePathStyle: pathStyle,
    expectContinueHeader: false,
    followRegionRedirects: false,
    requestChecksumCalculation: when,
    responseChecksumValidation: when,
    ...(url === undefined ? {} : { endpoint: url }),
    ...(credentials ? { credentials } : {}),
  })
  const main = new S3Client({
    ...config(endpoint),
    maxAttempts: attempts,
    requestHandler: { ...agents(), connectionTimeout: connectTimeoutMs, socketTimeout: stallTimeoutMs },
  })
  // With checksums, the signature covers the CRC-32 of the content instead of its SHA-256, which costs as much as
  // sending it. TLS protects against tampering; without it, signed URLs and downloads are no better protected.
  main.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        const request = args.request as { readonly headers: Record<string, string> }
        if (addsChecksums && withContent.has(commandName)) request.headers['x-amz-content-sha256'] = 'UNSIGNED-PAYLOAD'
        return next(args)
      },
    { step: 'build', name: 'leaveContentUnhashed' },
  )
  const once = new S3Client({
    ...config(endpoint),
    maxAttempts: 1,
    requestHandler: main.config.requestHandler,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })
  // A socket is idle while the consumer reads slowly, so there is no socket timeout.
  const reader = new S3Client({
    ...config(endpoint),
    maxAttempts: attempts,
    requestHandler: { ...agents(readerSockets), connectionTimeout: connectTimeoutMs, socketTimeout: 0 },
  })
  // By default the SDK signs the checksum of an empty body, and stores then reject any other content.
  const signer = new S3Client({ ...config(publicEndpoint), requestChecksumCalculation: 'WHEN_REQUIRED' })
  return {
    addsChecksums,
    main,
    once,
    reader,
    signer,
    destroy: () => {
      for (const client of [main, reader, signer]) client.destroy()
    },
  }
}

export type S3Clients = ReturnType<typeof createS3Clients>
