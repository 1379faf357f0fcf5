import * as z from 'zod'
import { checkFileMetadata } from '../files/file-metadata.ts'
import { fileNotes } from '../files/file-notes.ts'
import { checkFileName, fileExtensions } from '../files/file-rules.ts'
import { limits } from '../limits.ts'
import {
  count,
  estimatedCompletion,
  metadataView,
  namespaceParams,
  passageCounts,
  queryInteger,
  text,
  timestamp,
  unpublished,
  waitQuery,
} from './common.ts'
import { fetchTextDataQuery, notYours, tooLargeBody } from './documents.ts'
import { keyFailures, operation, operationsOf } from './operation.ts'

const required = ({ input }: { readonly input?: unknown }) => (input === undefined ? 'is required' : 'must be a string')

/** `checkFileName` checks it. */
const sentName = z
  .string({ error: required })
  .min(1, 'is required')
  .meta({
    id: 'SentFileName',
    description: `Relative path of the file below the namespace, at most ${limits.fileNameBytes} bytes of UTF-8 and ${limits.fileNameSegmentBytes} between slashes, ending in one of ${fileExtensions.join(', ')}. No backslash, no control characters, no segment that is empty, \`.\` or \`..\`. Composed and decomposed spellings are one name.`,
    examples: ['reports/2026/summary.pdf'],
  })

/** For clients that sent `fileName`. */
const legacyText = text.optional().meta(unpublished)

const size = z.int().min(1, 'must be at least 1').max(limits.fileBytes, `must be at most ${limits.fileBytes} (5 GB)`)

const metadataText = `An object of at most ${limits.metadataKeys} keys and ${limits.metadataBytes} bytes of JSON. It is added to the metadata of each chunk, where filters find it; the keys of the chunk itself, such as \`source\`, \`title\` and \`page\`, come first.`

/** Parsed to compact JSON. */
const sentMetadata = z
  .unknown()
  .transform((value, context) => {
    const checked = checkFileMetadata(value)
    if (checked.ok) return checked.json
    context.addIssue({ code: 'custom', message: checked.requirement, input: value })
    return z.NEVER
  })
  .meta({
    id: 'SentFileMetadata',
    type: 'object',
    additionalProperties: {},
    description: metadataText,
    examples: [{ department: 'sales', year: 2026 }],
  })
const uploadedMetadata = sentMetadata
  .optional()
  .describe(`Metadata of the file. ${metadataText} Without this field, the file keeps the metadata that it has.`)

export const uploadUrlBody = z
  .object({
    file_name: sentName,
    file_size: size.optional().describe('Bytes of the file. If set, the URL accepts only a file of exactly this size.'),
    metadata: uploadedMetadata,
  })
  .meta({ id: 'CreateUploadUrl' })

const namesRule = `must be an array of at most ${limits.fileNamesPerDelete} strings`
const fileNamesToDelete = z.array(z.string('must be a string'), namesRule).max(limits.fileNamesPerDelete, namesRule)

export const deleteFilesBody = z
  .object({
    file_name: z.string('must be a string').optional(),
    file_names: fileNamesToDelete.optional(),
    // Former names.
    fileName: z.string({ error: required }).optional().meta(unpublished),
    fileNames: fileNamesToDelete.optional().meta(unpublished),
  })
  .meta({
    id: 'DeleteFiles',
    description: `All names of the body and the query together, at least one and at most ${limits.fileNamesPerDelete}.`,
  })

export const fileParams = namespaceParams.extend({
  file_name: z
    .string()
    .refine((name) => checkFileName(name).ok, 'must be the name of a file')
    .meta({
      description: 'The whole name in one segment: a slash in it is sent as `%2F`.',
      examples: ['reports/2026/summary.pdf'],
    }),
})

const grantBody = z
  .object({
    upload_url: text.describe(
      'URL for the PUT of the file. Secret: anyone who has it can upload the file until it expires.',
    ),
    key: text.describe('Ends in `<owner_id>/<namespace_name>/<file_name>`.'),
    content_type: text.describe('Must be sent as Content-Type.'),
    expires_in: count.describe('Seconds.'),
    method: z.literal('PUT'),
    hint: text.describe('How to upload the file, for people.'),
    uploadUrl: legacyText,
    contentType: legacyText,
    expiresIn: count.optional().meta(unpublished),
  })
  .meta({ id: 'UploadUrl' })

const uploadForm = z
  .object({
    file: z.custom<unknown>().meta({
      type: 'string',
      format: 'binary',
      description:
        'The file, at most 10 MB (10 · 1024 · 1024 bytes). Its file name, with or without a path, becomes the name of the file.',
    }),
    metadata: text
      .optional()
      .describe(`JSON. ${metadataText} Without this field, the file keeps the metadata that it has.`),
  })
  .meta({ id: 'UploadForm' })

const specifiedName = 'In camelCase, as in the Moorcheh API.'
const uploadedBody = z
  .object({
    success: z.literal(true),
    message: text,
    namespace: text,
    fileName: text.describe(specifiedName),
    fileSize: count.describe(`Bytes. ${specifiedName}`),
  })
  .meta({ id: 'FileUploaded' })

const fileState = z.enum(['awaiting_upload', 'queued', 'processing', 'completed', 'failed'])

const storedFile = z
  .object({
    file_name: text,
    size: count.describe('Bytes.'),
    last_modified: timestamp.describe('By the clock of the object store.'),
    state: fileState,
    etag: text,
    chunks: count.describe('Number of searchable chunks.'),
    notes: count.describe('Number of notes about content that was left out or guessed.'),
  })
  .meta({ id: 'StoredFile' })

const listBody = z
  .object({
    success: z.literal(true),
    namespace: text,
    file_count: count,
    files: z.array(storedFile),
    uploads: z
      .array(
        z.object({
          file_name: text,
          upload_id: text.nullable().describe('Of a multipart upload; null: of a single PUT.'),
          size: count.describe(
            'Bytes that count toward the storage of the account: of stored parts, or as announced by `file_size`.',
          ),
          expires_at: timestamp.describe('When the parts are removed, or the announcement expires.'),
        }),
      )
      .describe(
        'Uploads that are pending: multipart uploads, and, where the plan limits storage, upload URLs that have not been used.',
      ),
  })
  .meta({ id: 'FileList' })

const deletedFile = z
  .object({
    file_name: text.describe('As sent.'),
    status: z.enum(['deleted', 'error']),
    message: text,
    fileName: legacyText,
  })
  .meta({ id: 'FileDeletion' })

const deletedBody = z
  .object({
    success: z.literal(true),
    message: text,
    namespace: text,
    results: z.array(deletedFile).describe('One for each name.'),
  })
  .meta({ id: 'FilesDeleted' })

const optionFields = {
  ocr: z.boolean('must be true or false').optional().describe('Read pages that have no text as images. Default true.'),
  languages: z
    .array(
      z
        .string()
        .regex(
          /^[a-z]{3}(?:_[a-z]{3,8}){0,2}$/,
          'must be the name of a language of the text recognition, such as eng or chi_sim',
        ),
    )
    .min(1)
    .max(5)
    .optional()
    .describe('Languages of the text recognition, as Tesseract names them.'),
  encoding: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,39}$/, 'must be the name of an encoding, such as utf-8 or windows-1252')
    .optional()
    .describe('Encoding of a text file. Default: detected.'),
}

export const retryFileBody = z.object(optionFields, 'must be an object').meta({ id: 'RetryFile' })

const fileNote = z
  .object({
    code: text.describe(
      `One of ${Object.keys(fileNotes)
        .map((code) => `\`${code}\``)
        .join(', ')}, or one that a later version adds.`,
    ),
    message: text.describe('The same for people, with numbers where there are several.'),
    place: z
      .object({
        page: count.optional(),
        page_title: text.optional(),
        sheet: text.optional(),
        row_from: count.optional(),
        row_to: count.optional(),
        path: text.optional(),
        offset_from: count.optional(),
        offset_to: count.optional(),
      })
      .optional()
      .describe('Where it is in the file, as in the metadata of chunks. Missing if it is not about one place.'),
  })
  .meta({ id: 'FileNote' })

const fileStatus = z
  .object({
    file_name: text,
    namespace: text,
    state: fileState.describe(
      '`awaiting_upload`: an upload URL was issued and no file has been received yet. `queued`: its processing has not begun. Only `completed` and `failed` are final.',
    ),
    stage: z
      .enum(['waiting', 'fetching', 'reading', 'indexing', 'summarising', 'publishing', 'cleaning', 'done'])
      .nullable(),
    progress: z
      .object({
        page: count.optional(),
        pages: count.optional(),
        rows: count.optional(),
        bytes: count.optional(),
        chunks: count.optional(),
        summaries: count.optional(),
        indexed: count.optional().describe('Chunks and summaries that are indexed.'),
      })
      .describe('Progress of the extraction, in units of the file type.'),
    attempts: count.describe('Number of times processing was started.'),
    reason: text.nullable().describe('Why it failed, for programs.'),
    message: text.nullable().describe('The same for people.'),
    remedy: text.nullable().describe('How to fix it.'),
    retryable: z.boolean().describe('Whether a retry with the same bytes and options may succeed.'),
    notes: z.array(fileNote).describe('Content that was left out or guessed, at most 100 notes.'),
    options: z.object({ ocr: z.boolean().optional(), languages: z.array(text).optional(), encoding: text.optional() }),
    metadata: metadataView.describe('As sent with the file or changed later.'),
    size: count.nullable().describe('Bytes.'),
    etag: text.nullable().describe('Of the uploaded bytes.'),
    published_etag: text
      .nullable()
      .describe('Of the bytes from which the searchable chunks were extracted; null before the file is searchable.'),
    last_modified: timestamp.nullable(),
    chunks: count.describe('Number of searchable chunks.'),
    chunk_id_prefix: text
      .nullable()
      .describe('With a number from 0 on it is the id of a chunk, in reading order; null while the file has none.'),
    summaries: count,
    passages: passageCounts,
    previous_version_searchable: z.boolean().describe('Search still returns the previous content of the file.'),
    extraction_version: count
      .nullable()
      .describe('Version of the extraction that has read the searchable content; null before the file is searchable.'),
    outdated: z
      .boolean()
      .describe('Whether that is an earlier version than the one of the server: a retry extracts the file again.'),
    bytes_removed_at: timestamp
      .nullable()
      .describe(
        'When the bytes of the failed file were removed; upload the file again to process it. null: they are stored.',
      ),
    unchanged_at: timestamp
      .nullable()
      .describe('When the same bytes were last uploaded again; they were not processed again.'),
    upload_expires_at: timestamp.nullable().describe('Set while the upload is pending.'),
    created_at: timestamp,
    updated_at: timestamp,
    finished_at: timestamp.nullable(),
    estimated_completion: estimatedCompletion,
    next_attempt_at: timestamp.nullable(),
    timings: z.record(z.string(), z.number()).describe('Seconds by stage; stages that have not run are missing.'),
  })
  .meta({ id: 'FileStatus' })

const listedFile = z
  .object({
    file_name: text,
    state: fileState.exclude(['awaiting_upload']),
    reason: text.nullable().describe('Why it failed, for programs.'),
    size: count.describe('Bytes.'),
    etag: text.describe('Of the uploaded bytes.'),
    published_etag: text.nullable(),
    last_modified: timestamp,
    chunks: count.describe('Number of searchable chunks.'),
    notes: count.describe('Number of notes about content that was left out or guessed.'),
    metadata: metadataView,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'ListedFile' })

export const pageFilesQuery = z.object({
  prefix: z.string('must be a string').optional().describe('Only files whose names begin with this text.'),
  limit: queryInteger({ max: limits.filesPerPage, fallback: 100, description: 'Files of a page.' }),
  next_token: fetchTextDataQuery.shape.next_token,
})

const filePage = z
  .object({
    namespace_name: text,
    files: z.array(listedFile).describe('In the order of their names.'),
    pagination: z.object({ limit: count, has_more: z.boolean(), next_token: text.nullable() }),
  })
  .meta({ id: 'FilePage' })

const updateFileBody = z
  .object({ metadata: sentMetadata }, 'must be an object')
  .meta({ id: 'UpdateFile', description: '`metadata` replaces all metadata that was sent with the file.' })

const downloadUrlBody = z
  .object({
    file_name: text,
    download_url: text.describe('URL for GET, without an API key. Secret: anyone who has it can read the file.'),
    expires_in: count.describe('Seconds.'),
    expires_at: timestamp,
  })
  .meta({ id: 'DownloadUrl' })

const uploadId = z
  .string({ error: required })
  .min(1, 'is required')
  .max(2_048, 'must be the upload_id of an upload in parts')
const partNumber = z.int().min(1).max(limits.partNumber)

export const startMultipartBody = z
  .object({
    file_name: sentName,
    upload_id: uploadId.optional().describe('An upload in progress, to get URLs for more parts or new URLs.'),
    first_part: partNumber.default(1),
    parts: z.int().min(1).max(limits.partsPerRequest).default(100).describe('Number of URLs.'),
    metadata: uploadedMetadata,
  })
  .meta({ id: 'StartMultipart' })

export const completeMultipartBody = z
  .object({
    file_name: sentName,
    upload_id: uploadId,
    parts: z
      .array(
        z.object({
          part: partNumber,
          etag: z
            .string({ error: required })
            .min(1, 'must not be empty')
            .max(1_024, 'must have at most 1,024 characters')
            .describe('As returned by the PUT.'),
        }),
      )
      .min(1)
      .max(limits.partNumber),
  })
  .meta({ id: 'CompleteMultipart' })

export const abortMultipartBody = z.object({ file_name: sentName, upload_id: uploadId }).meta({ id: 'AbortMultipart' })

const multipartBody = z
  .object({
    upload_id: text,
    key: text,
    content_type: text,
    method: z.literal('PUT'),
    part_size: count.describe('Recommended bytes. All parts but the last need at least 5 MB (5 · 1024 · 1024 bytes).'),
    expires_in: count.describe('Seconds until each URL expires; request new ones with `upload_id`.'),
    parts: z.array(z.object({ part: partNumber, upload_url: text })),
    hint: text,
  })
  .meta({ id: 'MultipartUpload' })

const completedBody = z
  .object({ success: z.literal(true), message: text, namespace: text, file_name: text, size: count, etag: text })
  .meta({ id: 'MultipartCompleted' })

const abortedBody = z
  .object({ success: z.literal(true), message: text, namespace: text, file_name: text })
  .meta({ id: 'MultipartAborted' })

const notText = 'The text namespace does not exist or is not yours.'
const inTheWay = 'The name is a folder of another file, or a folder in the name is another file.'
const noFile = 'The namespace is not yours, or there is no such file.'
const content = {
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
const storage =
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
