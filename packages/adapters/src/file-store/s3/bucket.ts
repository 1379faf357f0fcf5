import { HeadObjectCommand, type HeadObjectCommandOutput } from '@aws-sdk/client-s3'
import type { S3Clients } from './clients.ts'
import { statusOf } from './translate-error.ts'

export type Bucket = { readonly clients: S3Clients; readonly bucket: string; readonly signal: AbortSignal }

export const undefinedIfMissing = (error: unknown): undefined => {
  const isMissing = statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket'
  if (!isMissing) throw error
}

export const headObject = (
  { clients, bucket, signal }: Bucket,
  key: string,
): Promise<HeadObjectCommandOutput | undefined> =>
  clients.main
    .send(new HeadObjectCommand({ Bucket: bucket, Key: key }), { abortSignal: signal })
    .catch(undefinedIfMissing)
