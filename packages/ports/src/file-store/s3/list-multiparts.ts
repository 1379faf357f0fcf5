import {
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListPartsCommand,
  type ListPartsCommandOutput,
} from '@aws-sdk/client-s3'
import type { MultipartListing, MultipartPage, MultipartPlace, OpenMultipart, UploadedPart } from '../port.ts'
import type { Bucket } from './bucket.ts'
import { withoutQuotes } from './etag.ts'
import { keyReader } from './key-reader.ts'
import { toSeconds } from './stored-file.ts'

const pageOf = async (
  { clients, bucket, signal }: Bucket,
  prefix: string,
  after: Partial<MultipartPlace>,
  limit: number,
): Promise<MultipartPage> => {
  const markers = { KeyMarker: after.key, ...(after.uploadId ? { UploadIdMarker: after.uploadId } : {}) }
  const command = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, EncodingType: 'url', MaxUploads: limit, ...markers })
  const page: ListMultipartUploadsCommandOutput = await clients.main.send(command, { abortSignal: signal })
  const read = keyReader(page.EncodingType)
  const uploads = (page.Uploads ?? []).map(({ Key, UploadId, Initiated }): OpenMultipart => {
    return { key: read(Key), uploadId: UploadId ?? '', startedAt: toSeconds(Initiated) }
  })
  if (!page.IsTruncated) return { uploads }
  // The next page begins behind a whole key where it can: some stores (versitygw 1.8) refuse every upload id as a marker.
  const last = uploads.at(-1)?.key
  const whole = uploads.filter(({ key }) => key !== last)
  const lastWhole = whole.at(-1)
  if (lastWhole) return { uploads: whole, next: { key: lastWhole.key, uploadId: '' } }
  return { uploads, next: { key: read(page.NextKeyMarker), uploadId: page.NextUploadIdMarker ?? '' } }
}

/**
 * MinIO takes the prefix for a whole key, and without one lists all uploads at once. So where a prefix seems to be done with its first page,
 * the uploads behind it are asked for without a prefix: of other stores that is one page of what is known already. After a restart MinIO
 * lists the older ones by their key only, and removes them after a day.
 */
export const listMultiparts = async (bucket: Bucket, { prefix, after, limit }: MultipartListing): Promise<MultipartPage> => {
  const { uploads, next } = await pageOf(bucket, prefix, after ?? {}, limit)
  if (next) return { uploads, next }
  if (after || prefix === '') return { uploads }
  const found = new Map(uploads.map((upload) => [upload.uploadId, upload]))
  const others = await pageOf(bucket, '', { key: prefix }, limit)
  for (const upload of others.uploads) if (upload.key.startsWith(prefix)) found.set(upload.uploadId, upload)
  return { uploads: [...found.values()] }
}

/** What an open upload has so far, by the parts' numbers. Rejects where the store knows no such upload. */
export const listParts = async (
  { clients, bucket, signal }: Bucket,
  key: string,
  uploadId: string,
): Promise<ReadonlyMap<number, UploadedPart & { readonly sizeBytes: number }>> => {
  const parts = new Map<number, UploadedPart & { readonly sizeBytes: number }>()
  for (let marker: string | undefined; ; ) {
    const command = new ListPartsCommand({ Bucket: bucket, Key: key, UploadId: uploadId, PartNumberMarker: marker })
    const page: ListPartsCommandOutput = await clients.main.send(command, { abortSignal: signal })
    for (const { PartNumber: part = 0, ETag, Size: sizeBytes = 0 } of page.Parts ?? []) {
      parts.set(part, { part, etag: withoutQuotes(ETag), sizeBytes })
    }
    if (!page.IsTruncated || page.NextPartNumberMarker === marker) return parts
    marker = page.NextPartNumberMarker
  }
}
