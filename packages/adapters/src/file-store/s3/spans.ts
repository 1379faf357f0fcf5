import type { FileStore } from '@cairn/domain/ports/file-store'

/** The method may also send other requests. */
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

/** By OpenTelemetry's conventions for AWS calls. */
export const s3SpanOf: FileStore['spanOf'] = (method) => ({
  'rpc.system.name': 'aws-api',
  'rpc.method': `S3/${operations[method] ?? method}`,
})
