import type { FileStore } from '@cairn/domain/ports/file-store'

/** S3's operation of each method that is a single request. */
const operations: Readonly<Record<string, string>> = {
  put: 'PutObject',
  head: 'HeadObject',
  get: 'GetObject',
  list: 'ListObjectsV2',
  remove: 'DeleteObjects',
  startMultipart: 'CreateMultipartUpload',
  completeMultipart: 'CompleteMultipartUpload',
  multipartBytes: 'ListParts',
  abortMultipart: 'AbortMultipartUpload',
  openMultiparts: 'ListMultipartUploads',
}

/** Attributes of spans by OpenTelemetry's conventions for calls of AWS. */
export const s3SpanOf: FileStore['spanOf'] = (method) => ({
  'rpc.system.name': 'aws-api',
  'rpc.method': `S3/${operations[method] ?? method}`,
})
