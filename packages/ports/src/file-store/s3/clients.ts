import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'

export type S3Checksums = 'when_supported' | 'when_required'

export type S3Connection = {
  /** `http://localhost:9000`; default: AWS, by the region. */
  readonly endpoint?: string
  /** Where those reach the store who get signed requests, when that is elsewhere. Default: `endpoint`. */
  readonly publicEndpoint?: string
  readonly region: string
  /** Buckets in the path rather than in the host's name: MinIO and most that are not AWS want it. */
  readonly pathStyle: boolean
  /**
   * `when_supported`: the SDK adds CRC-32 checksums, which the store checks. `when_required`: only where S3 demands one, for stores that
   * don't know the others (R2, older Ceph). Default `when_supported`.
   */
  readonly checksums?: S3Checksums
  /** Default: what the AWS SDK finds (environment, profile, role of the machine or pod). */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

export type S3Limits = {
  /** To a connection. */
  readonly connectTimeoutMs: number
  /** Without a byte from the store, or to it. */
  readonly stallTimeoutMs: number
  /** Of what may be asked again. */
  readonly attempts: number
}

const sockets = 64
const withContent: ReadonlySet<string | undefined> = new Set(['PutObjectCommand', 'UploadPartCommand'])
/** Shorter than any store keeps an idle connection: what it has just closed would fail the next request. */
const idleMs = 10_000

/**
 * `main` asks again what is safe to ask twice, `once` never does, `reader` leaves a response alone however slowly it is read,
 * and `signer` sends nothing.
 */
export const createS3Clients = (connection: S3Connection, { connectTimeoutMs, stallTimeoutMs, attempts }: S3Limits) => {
  const { endpoint, publicEndpoint = endpoint, region, pathStyle, credentials, checksums = 'when_supported' } = connection
  const [addsChecksums, when] = checksums === 'when_supported' ? ([true, 'WHEN_SUPPORTED'] as const) : ([false, 'WHEN_REQUIRED'] as const)
  // The SDK's handler sends by node:http, which asks for no compression: there is no `accept-encoding` to set here.
  // Agents of our own: the SDK would wait up to 6 s for a store that doesn't know `Expect: 100-continue`.
  const agents = () => ({
    httpAgent: new HttpAgent({ keepAlive: true, maxSockets: sockets, timeout: idleMs }),
    httpsAgent: new HttpsAgent({ keepAlive: true, maxSockets: sockets, timeout: idleMs }),
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
  // With checksums the signature covers the content's CRC-32 and not a SHA-256 of it, which costs as much as sending it. Against change on the way
  // there is TLS; where there is none, what is sent by signed addresses and all that is read have no more than this either.
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
  // A socket is silent while whoever reads from it takes their time, so this client has no limit of its own.
  const reader = new S3Client({
    ...config(endpoint),
    maxAttempts: attempts,
    requestHandler: { ...agents(), connectionTimeout: connectTimeoutMs, socketTimeout: 0 },
  })
  // By default the SDK signs a checksum of the empty body it sees, and stores then refuse any other.
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
