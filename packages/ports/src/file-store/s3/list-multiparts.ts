import {
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandInput,
  type ListMultipartUploadsCommandOutput,
  ListPartsCommand,
  type ListPartsCommandOutput,
} from '@aws-sdk/client-s3'
import type { OpenMultipart, UploadedPart } from '../port.ts'
import type { Bucket } from './bucket.ts'
import { withoutQuotes } from './etag.ts'
import { keyReader } from './key-reader.ts'
import { toSeconds } from './stored-file.ts'

async function* multipartsOf({ clients, bucket, signal }: Bucket, prefix: string): AsyncGenerator<OpenMultipart> {
  for (let markers: Pick<ListMultipartUploadsCommandInput, 'KeyMarker' | 'UploadIdMarker'> = {}; ; ) {
    const command = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, EncodingType: 'url', ...markers })
    const page: ListMultipartUploadsCommandOutput = await clients.main.send(command, { abortSignal: signal })
    const read = keyReader(page.EncodingType)
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      yield { key: read(Key), uploadId: UploadId ?? '', startedAt: toSeconds(Initiated) }
    }
    if (!page.IsTruncated) return
    markers = { KeyMarker: read(page.NextKeyMarker), UploadIdMarker: page.NextUploadIdMarker }
  }
}

/**
 * MinIO takes the prefix for a whole key, and lists all uploads without one; other stores do as they are asked. Open uploads
 * are few, so both questions are asked of every store. After a restart MinIO lists the older ones by their key only, and removes
 * them after a day.
 */
export const listMultiparts = async (bucket: Bucket, prefix: string): Promise<OpenMultipart[]> => {
  const found = new Map<string, OpenMultipart>()
  for (const asked of new Set([prefix, ''])) {
    for await (const upload of multipartsOf(bucket, asked)) if (upload.key.startsWith(prefix)) found.set(upload.uploadId, upload)
  }
  return [...found.values()]
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
