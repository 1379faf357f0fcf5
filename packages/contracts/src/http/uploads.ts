import * as z from 'zod'
import { limits } from '../limits.ts'
import {
  count,
  estimatedCompletion,
  itemId,
  namespaceParams,
  passageCounts,
  queryInteger,
  text,
  timestamp,
  waitQuery,
} from './common.ts'
import { documentStatus, fetchTextDataQuery, processingStatus } from './documents.ts'
import { keyFailures, operationsOf } from './operation.ts'

export const uploadParams = namespaceParams.extend({
  upload_id: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be the id of an upload'),
})

const documentState = z
  .enum(['queued', 'running', 'completed', 'failed', 'superseded', 'deleted'])
  .describe('The outcome; of a pending document, whether its processing has been started.')

const uploadedDocument = z
  .object({
    id: itemId,
    status: documentStatus,
    outcome: z
      .enum(['pending', 'completed', 'failed', 'superseded', 'deleted'])
      .describe(
        '`superseded`: a later upload replaced the document. `deleted`: the document was deleted before it was indexed.',
      ),
    state: documentState,
    reason: text.nullable().describe('Why it failed, for programs.'),
    message: text.nullable().describe('Why it failed, for people.'),
    remedy: text.nullable().describe('How to fix it.'),
    attempts: count.describe('Number of times its processing was started.'),
    next_attempt_at: timestamp.nullable().describe('Set while it is queued.'),
    accepted_at: timestamp.nullable().describe('null for a document that was rejected.'),
    started_at: timestamp.nullable().describe('When its processing last began.'),
    finished_at: timestamp
      .nullable()
      .describe('When the upload was finished. A document is searchable before that, once it is `completed`.'),
  })
  .meta({ id: 'UploadDocumentOutcome' })

const uploadState = z
  .enum(['accepting', 'queued', 'running', 'completed', 'failed'])
  .describe('`completed` if at least one document did not fail; `failed` if all did or processing was abandoned.')

const uploadFields = {
  upload_id: text,
  namespace_name: text,
  kind: z.enum(['text', 'vectors', 'chunks']),
  state: uploadState,
  processing_status: processingStatus,
  reason: text.nullable().describe('Why the whole upload failed, for programs.'),
  passages: passageCounts,
  attempts: count.describe('Number of times processing was started.'),
  created_at: timestamp,
  started_at: timestamp.nullable().describe('When processing last began.'),
  updated_at: timestamp,
  finished_at: timestamp.nullable(),
  estimated_completion: estimatedCompletion,
  next_attempt_at: timestamp
    .nullable()
    .describe('Time of the next attempt; null while processing runs and once it is finished.'),
  timings: z.record(z.string(), z.number()).describe('Seconds by stage; stages that have not run are missing.'),
}

export const uploadView = z
  .object({
    ...uploadFields,
    documents: z.array(uploadedDocument).describe('The accepted documents, then the rejected ones.'),
    counts: z
      .object({ pending: count, completed: count, failed: count, superseded: count, deleted: count })
      .describe('Documents by outcome.'),
  })
  .meta({ id: 'Upload' })

const uploadSummary = z
  .object({
    ...uploadFields,
    documents: count.describe('Number of documents, the rejected ones included.'),
    failed: count.describe('Number of documents that are known to have failed.'),
  })
  .meta({ id: 'UploadSummary' })

const uploadTokenRule = 'must be a next_token of this upload'

export const listUploadsQuery = z.object({
  state: z
    .enum(uploadState.options, `must be one of ${uploadState.options.join(', ')}`)
    .optional()
    .describe('Only uploads in this state.'),
  limit: queryInteger({ max: limits.pageSize, fallback: limits.pageSize, description: 'Uploads of a page.' }),
  next_token: fetchTextDataQuery.shape.next_token,
})

export const listUploadDocumentsQuery = z.object({
  state: z
    .enum(documentState.options, `must be one of ${documentState.options.join(', ')}`)
    .optional()
    .describe('Only documents in this state.'),
  limit: queryInteger({ max: limits.pageSize, fallback: limits.pageSize, description: 'Documents of a page.' }),
  next_token: z
    .string(uploadTokenRule)
    .min(1, uploadTokenRule)
    .optional()
    .describe('`pagination.next_token` of the previous page; bound to the account and the upload.'),
})

const common = { tag: 'Uploads', auth: 'key', scope: 'read', errors: 'data', method: 'get' } as const

export const uploadOperations = operationsOf(common, {
  getUpload: {
    path: '/v1/namespaces/{namespace_name}/uploads/{upload_id}',
    summary: 'Get the state of an upload',
    description: 'The outcome of every document of an upload. Kept for some weeks.',
    request: { params: uploadParams, query: waitQuery },
    responses: { 200: { description: 'The upload.', body: uploadView } },
    failures: keyFailures({
      400: 'The namespace is missing in the path, or `wait` is not usable.',
      404: 'The namespace or the upload does not exist or is not yours.',
    }),
  },
  listUploads: {
    path: '/v1/namespaces/{namespace_name}/uploads',
    summary: 'List uploads',
    description:
      'The uploads of a namespace, newest first. A page may have fewer uploads than `limit`, or none, although `has_more` is true.',
    request: { params: namespaceParams, query: listUploadsQuery },
    responses: {
      200: {
        description: 'One page.',
        body: z
          .object({
            uploads: z.array(uploadSummary),
            pagination: z.object({ limit: count, has_more: z.boolean(), next_token: text.nullable() }),
          })
          .meta({ id: 'UploadList' }),
      },
    },
    failures: keyFailures({
      400: '`state`, `limit` or `next_token` is not usable, or the namespace is missing in the path.',
      404: 'The namespace does not exist or is not yours.',
    }),
  },
  listUploadDocuments: {
    path: '/v1/namespaces/{namespace_name}/uploads/{upload_id}/documents',
    summary: 'List the documents of an upload',
    description:
      'The state of each document of an upload, in the order in which they were sent; rejected documents are last.',
    request: { params: uploadParams, query: listUploadDocumentsQuery },
    responses: {
      200: {
        description: 'One page.',
        body: z
          .object({
            upload_id: text,
            namespace_name: text,
            documents: z.array(uploadedDocument),
            pagination: z.object({ limit: count, has_more: z.boolean(), next_token: text.nullable() }),
          })
          .meta({ id: 'UploadDocumentList' }),
      },
    },
    failures: keyFailures({
      400: '`state`, `limit` or `next_token` is not usable, or the namespace or the upload is missing in the path.',
      404: 'The namespace or the upload does not exist or is not yours.',
    }),
  },
})
