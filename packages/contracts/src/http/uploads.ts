import * as z from 'zod'
import { count, itemId, namespaceParams, passageCounts, text, timestamp } from './common.ts'
import { documentStatus, processingStatus } from './documents.ts'
import { keyFailures, operation } from './operation.ts'

export const uploadParams = namespaceParams.extend({
  upload_id: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be the id of an upload'),
})

const uploadedDocument = z
  .object({
    id: itemId,
    status: documentStatus,
    outcome: z
      .enum(['pending', 'completed', 'failed', 'superseded', 'deleted'])
      .describe(
        '`superseded`: a later upload replaced the document. `deleted`: the document was deleted before it was indexed.',
      ),
    reason: text.nullable().describe('Why it failed, for programs.'),
    message: text.nullable().describe('Why it failed, for people.'),
  })
  .meta({ id: 'UploadDocumentOutcome' })

export const uploadView = z
  .object({
    upload_id: text,
    namespace_name: text,
    kind: z.enum(['text', 'vectors', 'chunks']),
    state: z
      .enum(['accepting', 'queued', 'running', 'completed', 'failed'])
      .describe('`completed` if at least one document did not fail; `failed` if all did or processing was abandoned.'),
    processing_status: processingStatus,
    reason: text.nullable().describe('Why the whole upload failed, for programs.'),
    documents: z.array(uploadedDocument).describe('The accepted documents, then the rejected ones.'),
    counts: z
      .object({ pending: count, completed: count, failed: count, superseded: count, deleted: count })
      .describe('Documents by outcome.'),
    passages: passageCounts,
    attempts: count.describe('Number of times processing was started.'),
    created_at: timestamp,
    updated_at: timestamp,
    finished_at: timestamp.nullable(),
    next_attempt_at: timestamp
      .nullable()
      .describe('Time of the next attempt; null while processing runs and once it is finished.'),
    timings: z.record(z.string(), z.number()).describe('Seconds by stage; stages that have not run are missing.'),
  })
  .meta({ id: 'Upload' })

export const uploadOperations = {
  getUpload: operation({
    operationId: 'getUpload',
    method: 'get',
    path: '/v1/namespaces/{namespace_name}/uploads/{upload_id}',
    tag: 'Uploads',
    summary: 'Get the state of an upload',
    description: 'An addition to the published API: the outcome of every document of an upload. Kept for some weeks.',
    auth: 'key',
    scope: 'read',
    errors: 'data',
    request: { params: uploadParams },
    responses: { 200: { description: 'The upload.', body: uploadView } },
    failures: keyFailures({
      400: 'The namespace or the upload is missing in the path.',
      404: 'The namespace or the upload does not exist or is not yours.',
    }),
  }),
}
