import * as z from 'zod'
import { limits } from '../limits.ts'
import { namespaceParams, waitQuery } from './common.ts'
import { notYours, tooLargeBody } from './documents.ts'
import {
  deletedBody,
  downloadUrlBody,
  filePage,
  fileParams,
  fileStatus,
  listBody,
  pageFilesQuery,
  retryFileBody,
  updateFileBody,
} from './file-states.ts'
import {
  abortedBody,
  abortMultipartBody,
  completedBody,
  completeMultipartBody,
  deleteFilesBody,
  grantBody,
  multipartBody,
  startMultipartBody,
  uploadedBody,
  uploadForm,
  uploadUrlBody,
} from './file-uploads.ts'
import { keyFailures, operation, operationsOf } from './operation.ts'

const notText = 'The text namespace does not exist or is not yours.'

const inTheWay = 'The name is a folder of another file, or a folder in the name is another file.'

const noFile = 'The namespace is not yours, or there is no such file.'

export const content = {
  200: { description: 'The whole file.', bytes: true },
  206: { description: 'The range of the file.', bytes: true },
  304: { description: 'The file still has the `ETag` of `If-None-Match`.' },
} as const

const contentText =
  'Takes `Range` (one range of bytes), `If-Range`, `If-None-Match` and `If-Match` with the `ETag` of an earlier response; `If-Match` with `published_etag` makes sure that these are the bytes from which the searchable chunks were extracted. PDF, PNG and plain text may be shown by a browser, other types are sent as an attachment.'

const contentFailures = {
  404: 'There is no such file, or its bytes were removed.',
  412: 'The file has another `ETag` than that of `If-Match`.',
  416: 'The range begins after the end of the file.',
} as const

const noUpload = 'The namespace is not yours, or there is no such upload of this file.'

export const storage =
  "The API key is not activated or lacks the scope, or the plan's limit of stored bytes or of open uploads is reached; `error` says which."

const legacy =
  'The earlier `fileName` is accepted where the server allows it; the response then has the headers `Deprecation`, `Sunset` and `Warning`, and the earlier field names beside the current ones.'

const common = { tag: 'Files', auth: 'key', errors: 'files' } as const

export const fileOperations = operationsOf(common, {
  createUploadUrl: {
    specified: true,
    method: 'post',
    path: '/v1/namespaces/{namespace_name}/upload-url',
    summary: 'Get an upload URL',
    description: `For files up to 5 GB. Send the bytes with PUT to \`upload_url\`, with the Content-Type \`content_type\`; success is 200, and the file is then processed. The URL expires after 15 minutes and then answers 403. ${legacy}`,
    scope: 'write',
    idempotencyKey: true,
    request: { params: namespaceParams, body: { schema: uploadUrlBody } },
    responses: { 200: { description: 'The upload URL.', body: grantBody } },
    failures: keyFailures({
      400: '`file_name` is missing or not usable, or its type is not supported; the message lists the types that are.',
      403: storage,
      404: notText,
      409: inTheWay,
      413: tooLargeBody,
    }),
  },
  uploadFile: {
    specified: true,
    method: 'post',
    path: '/v1/namespaces/{namespace_name}/upload-file',
    summary: 'Upload a file',
    description: 'For files up to 10 MB; larger ones need an upload URL (`upload-url`). The file is then processed.',
    scope: 'write',
    idempotencyKey: true,
    request: { params: namespaceParams, body: { schema: uploadForm, mediaType: 'multipart/form-data' } },
    responses: { 200: { description: 'The file is stored and queued for processing.', body: uploadedBody } },
    failures: keyFailures({
      400: 'The form is malformed, or does not have exactly one file in its field `file`, or its file name is not usable.',
      403: storage,
      404: notText,
      409: inTheWay,
      413: 'The file is larger than 10 MB.',
    }),
  },
  listFiles: {
    specified: true,
    method: 'get',
    path: '/v1/namespaces/{namespace_name}/list-files',
    summary: 'List files',
    description: 'All files, in no particular order.',
    scope: 'read',
    request: { params: namespaceParams },
    responses: { 200: { description: 'The stored files.', body: listBody } },
    failures: keyFailures({ 400: 'The namespace is missing in the path.', 404: notYours }),
  },
  deleteFiles: {
    specified: true,
    method: 'delete',
    path: '/v1/namespaces/{namespace_name}/delete-file',
    summary: 'Delete files',
    description: `Permanently, with all their chunks, also while they are being processed. Names may be in the body, in the query, or in both. One request, however many names. ${legacy}`,
    scope: 'write',
    idempotencyKey: true,
    request: {
      params: namespaceParams,
      query: z.object({ file_name: z.array(z.string()).optional().describe('May be repeated.') }),
      body: { schema: deleteFilesBody, optional: true },
    },
    responses: {
      200: {
        description: 'The outcome of each file; a missing file is an `error` and does not affect the others.',
        body: deletedBody,
      },
    },
    failures: keyFailures({
      400: `No file name was given, more than ${limits.fileNamesPerDelete} were, or the namespace is missing in the path.`,
      404: notYours,
      413: tooLargeBody,
    }),
  },
  getFileStatus: {
    method: 'get',
    path: '/v1/namespaces/{namespace_name}/files/{file_name}/status',
    summary: 'Get the state of a file',
    description: `Every file ends \`completed\`, or \`failed\` with a reason and a remedy.`,
    scope: 'read',
    request: { params: fileParams, query: waitQuery },
    responses: { 200: { description: 'The state.', body: fileStatus } },
    failures: keyFailures({
      400: 'The namespace or the file is missing in the path, or `wait` is not usable.',
      404: noFile,
    }),
  },
  pageFiles: {
    method: 'get',
    path: '/v1/namespaces/{namespace_name}/files',
    summary: 'Page through files',
    description: `Files with their states, etags and metadata, enough to compare a folder with the namespace.`,
    scope: 'read',
    request: { params: namespaceParams, query: pageFilesQuery },
    responses: { 200: { description: 'One page.', body: filePage } },
    failures: keyFailures({
      400: '`prefix`, `limit` or `next_token` is not usable, or the namespace is missing in the path.',
      404: notYours,
    }),
  },
  getFileContent: {
    method: 'get',
    path: '/v1/namespaces/{namespace_name}/files/{file_name}/content',
    summary: 'Download a file',
    description: `The bytes as they were uploaded. ${contentText}`,
    scope: 'read',
    request: { params: fileParams },
    responses: content,
    failures: keyFailures({ 400: 'The namespace or the file is missing in the path.', ...contentFailures }),
  },
  createDownloadUrl: {
    method: 'post',
    path: '/v1/namespaces/{namespace_name}/files/{file_name}/download-url',
    summary: 'Get a download URL',
    description: `A URL that downloads the file without an API key, for ${limits.downloadUrlSeconds / 60} minutes, or until the file is deleted or the key is no longer accepted.`,
    scope: 'read',
    request: { params: fileParams },
    responses: { 200: { description: 'The URL.', body: downloadUrlBody } },
    failures: keyFailures({ 400: 'The namespace or the file is missing in the path.', 404: contentFailures[404] }),
  },
  updateFile: {
    method: 'patch',
    path: '/v1/namespaces/{namespace_name}/files/{file_name}',
    summary: 'Change the metadata of a file',
    description: `The chunks get the new metadata as a new version, published at once; nothing is extracted or embedded again. Search returns the previous chunks until then.`,
    scope: 'write',
    idempotencyKey: true,
    request: { params: fileParams, body: { schema: updateFileBody } },
    responses: {
      200: { description: 'The file has this metadata already.', body: fileStatus },
      202: { description: 'The file is queued.', body: fileStatus },
    },
    failures: keyFailures({
      400: '`metadata` is missing or not usable, or the namespace or the file is missing in the path.',
      404: noFile,
      409: 'The bytes of the failed file were removed.',
      413: tooLargeBody,
    }),
  },
  retryFile: {
    method: 'post',
    path: '/v1/namespaces/{namespace_name}/files/{file_name}/retry',
    summary: 'Process a file again',
    description: `For a file that is \`completed\` or \`failed\`, with other options, or because an earlier version has read it (\`outdated\`). Search returns the previous chunks until the new ones are published.`,
    scope: 'write',
    idempotencyKey: true,
    request: { params: fileParams, body: { schema: retryFileBody, optional: true } },
    responses: { 202: { description: 'The file is queued.', body: fileStatus } },
    failures: keyFailures({
      400: 'An option is not usable, or the namespace or the file is missing in the path.',
      404: noFile,
      409: 'The file is being processed, or the bytes of the failed file were removed.',
      413: tooLargeBody,
    }),
  },
  startMultipartUpload: {
    method: 'post',
    path: '/v1/namespaces/{namespace_name}/upload-multipart',
    summary: 'Start or continue a multipart upload',
    description: `For large files over unreliable connections: each part has its own URL and can be sent again. An earlier upload of the same name is aborted.`,
    scope: 'write',
    idempotencyKey: true,
    request: { params: namespaceParams, body: { schema: startMultipartBody } },
    responses: { 200: { description: 'URLs of the parts.', body: multipartBody } },
    failures: keyFailures({
      400: '`file_name` or another field is missing or not usable, or the type of the file is not supported.',
      403: storage,
      404: `${notText} Or \`upload_id\` is not that of an upload of this file.`,
      409: inTheWay,
      413: tooLargeBody,
    }),
  },
  completeMultipartUpload: {
    method: 'post',
    path: '/v1/namespaces/{namespace_name}/upload-multipart/complete',
    summary: 'Complete a multipart upload',
    description: `The file is then processed.`,
    scope: 'write',
    idempotencyKey: true,
    request: { params: namespaceParams, body: { schema: completeMultipartBody } },
    responses: { 200: { description: 'The file is stored and queued for processing.', body: completedBody } },
    failures: keyFailures({
      400: 'A part is missing, has another etag, or is too small; or a field is not usable.',
      403: storage,
      404: noUpload,
      413: 'The file is larger than 5 GB, or the body than 10 MB.',
    }),
  },
  abortMultipartUpload: {
    method: 'post',
    path: '/v1/namespaces/{namespace_name}/upload-multipart/abort',
    summary: 'Abort a multipart upload',
    description: `Its parts are removed.`,
    scope: 'write',
    idempotencyKey: true,
    request: { params: namespaceParams, body: { schema: abortMultipartBody } },
    responses: { 200: { description: 'The upload is aborted.', body: abortedBody } },
    failures: keyFailures({ 400: 'A field is missing or not usable.', 404: noUpload, 413: tooLargeBody }),
  },
})

export const getSignedContent = operation({
  operationId: 'getSignedContent',
  method: 'get',
  path: '/v1/downloads/{token}',
  tag: 'Files',
  summary: 'Download a file by its signed URL',
  description: `GET of a \`download_url\`, without an API key. ${contentText}`,
  errors: 'files',
  auth: 'signature',
  request: { params: z.object({ token: z.string().min(1) }) },
  responses: content,
  failures: {
    ...contentFailures,
    403: 'The URL is not a signed one, or it has expired.',
    500: 'Internal server error; the message names the failing operation.',
    503: 'A part of the service is not available; try again after `Retry-After`.',
  },
})
