import {
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListPartsCommand,
  type ListPartsCommandOutput,
} from '@aws-sdk/client-s3'
import type {
  MultipartListing,
  MultipartPage,
  MultipartPlace,
  OpenMultipart,
  UploadedPart,
} from '@cairn/domain/ports/file-store'
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
  const command = new ListMultipartUploadsCommand({
    Bucket: bucket,
    Prefix: prefix,
    EncodingType: 'url',
    MaxUploads: limit,
    ...markers,
  })
  const page: ListMultipartUploadsCommandOutput = await clients.main.send(command, { abortSignal: signal })
  const read = keyReader(page.EncodingType)
  const uploads = (page.Uploads ?? []).map(({ Key, UploadId, Initiated }): OpenMultipart => {
    return { key: read(Key), uploadId: UploadId ?? '', startedAt: toSeconds(Initiated) }
  })
  if (!page.IsTruncated) return { uploads }
  // The next page begins after a whole key if possible: some stores reject every upload id as a marker.
  const last = uploads.at(-1)?.key
  const whole = uploads.filter(({ key }) => key !== last)
  const lastWhole = whole.at(-1)
  if (lastWhole) return { uploads: whole, next: { key: lastWhole.key, uploadId: '' } }
  return { uploads, next: { key: read(page.NextKeyMarker), uploadId: page.NextUploadIdMarker ?? '' } }
}

/**
 * MinIO treats the prefix as a whole key; without one it lists all uploads at once. So if the first page of a prefix is
 * also the last, the uploads whose keys follow the prefix are listed without it; for other stores this is one redundant
 * page. After a restart MinIO lists older uploads only by their key, and removes them after a day.
 */
export const listMultiparts = async (
  bucket: Bucket,
  { prefix, after, limit }: MultipartListing,
): Promise<MultipartPage> => {
  const { uploads, next } = await pageOf(bucket, prefix, after ?? {}, limit)
  if (next) return { uploads, next }
  if (after || prefix === '') return { uploads }
  const found = new Map(uploads.map((upload) => [upload.uploadId, upload]))
  const others = await pageOf(bucket, '', { key: prefix }, limit)
  for (const upload of others.uploads) if (upload.key.startsWith(prefix)) found.set(upload.uploadId, upload)
  return { uploads: [...found.values()] }
}

/** By part number. Rejects if the upload does not exist. */
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
