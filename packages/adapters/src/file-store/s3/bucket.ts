import {
  CreateBucketCommand,
  DeleteObjectsCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
} from '@aws-sdk/client-s3'
import { AppError } from '@cairn/contracts/errors'
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

/** Several services may create the bucket at once. */
export const ensureBucket = async ({ clients, bucket, signal }: Bucket): Promise<void> => {
  const options = { abortSignal: signal }
  const isThere = () => clients.main.send(new HeadBucketCommand({ Bucket: bucket }), options).catch(undefinedIfMissing)
  if (await isThere()) return
  try {
    await clients.once.send(new CreateBucketCommand({ Bucket: bucket }), options)
  } catch (error) {
    // A bucket of another account has already failed the check above.
    if (!(await isThere())) throw error
  }
}

export const removeObjects = async ({ clients, bucket, signal }: Bucket, keys: readonly string[]): Promise<void> => {
  const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true }
  const command = new DeleteObjectsCommand({ Bucket: bucket, Delete })
  const { Errors = [] } = await clients.main.send(command, { abortSignal: signal })
  const first = Errors.find(({ Code }) => Code !== 'NoSuchKey')
  if (!first) return
  const message = `The file store did not remove all: ${first.Code}: ${first.Message}`
  throw new AppError(first.Code === 'AccessDenied' ? 'internal' : 'unavailable', message)
}
