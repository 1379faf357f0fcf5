import * as z from 'zod'
import { fileNotes } from '../files/file-notes.ts'
import { checkFileName } from '../files/file-rules.ts'
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
} from './common.ts'
import { fetchTextDataQuery } from './documents.ts'
import { legacyText, sentMetadata } from './file-uploads.ts'

export const fileParams = namespaceParams.extend({
  file_name: z
    .string()
    .refine((name) => checkFileName(name).ok, 'must be the name of a file')
    .meta({
      description: 'The whole name in one segment: a slash in it is sent as `%2F`.',
      examples: ['reports/2026/summary.pdf'],
    }),
})

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

export const listBody = z
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

export const deletedBody = z
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

export const fileStatus = z
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

export const filePage = z
  .object({
    namespace_name: text,
    files: z.array(listedFile).describe('In the order of their names.'),
    pagination: z.object({ limit: count, has_more: z.boolean(), next_token: text.nullable() }),
  })
  .meta({ id: 'FilePage' })

export const updateFileBody = z
  .object({ metadata: sentMetadata }, 'must be an object')
  .meta({ id: 'UpdateFile', description: '`metadata` replaces all metadata that was sent with the file.' })

export const downloadUrlBody = z
  .object({
    file_name: text,
    download_url: text.describe('URL for GET, without an API key. Secret: anyone who has it can read the file.'),
    expires_in: count.describe('Seconds.'),
    expires_at: timestamp,
  })
  .meta({ id: 'DownloadUrl' })
