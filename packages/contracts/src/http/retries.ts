import * as z from 'zod'
import { limits } from '../limits.ts'
import { count, namespaceParams, sentIds, text } from './common.ts'
import { tooLargeBody } from './documents.ts'
import { keyFailures, operationsOf } from './operation.ts'
import { uploadParams } from './uploads.ts'

const reasonRule = `must be an array of 1 to ${limits.retryReasons} reasons`
const reasonField = z
  .array(z.string('must be a string').max(100, 'must have at most 100 characters'), reasonRule)
  .min(1, reasonRule)
  .max(limits.retryReasons, reasonRule)
  .optional()
  .describe(
    'Only what failed for one of these reasons. Without it: reasons that may pass. Permanent ones, such as `embedding_refused` or `encrypted`, are retried only if they are named.',
  )
const dryRun = z
  .boolean('must be true or false')
  .default(false)
  .describe('Retry nothing, and return what would be retried.')

const timeRule = 'must be a time in ISO 8601, such as 2026-03-01T12:00:00Z'
const time = z.iso.datetime({ offset: true, error: timeRule }).optional()
const tokenRule = 'must be a next_token of this namespace'

export const retryBody = z
  .object(
    {
      ids: sentIds(limits.idsPerGet).optional().describe('Only these documents or vectors.'),
      kind: z
        .enum(['documents', 'files'], 'must be "documents" or "files"')
        .optional()
        .describe('Default: both. Vectors are documents here.'),
      reason: reasonField,
      after: time.describe('Only what failed at this time or later.'),
      before: time.describe('Only what failed before this time.'),
      dry_run: dryRun,
      next_token: z.string(tokenRule).min(1, tokenRule).optional().describe('`next_token` of the answer before.'),
    },
    'must be an object',
  )
  .superRefine(({ ids, kind, after, before, next_token: token }, context) => {
    if (!ids) return
    for (const [name, value] of Object.entries({ kind, after, before, next_token: token }))
      if (value !== undefined)
        context.addIssue({ code: 'custom', message: 'cannot be sent with ids', path: [name], input: value })
  })
  .meta({
    id: 'RetryFailed',
    'x-rules': [
      {
        anyOf: [
          { properties: { ids: false } },
          { properties: { kind: false, after: false, before: false, next_token: false } },
        ],
      },
    ],
    examples: [{}, { kind: 'files', reason: ['crashed_worker'], dry_run: true }, { ids: ['doc-1'] }],
  })

export const retryUploadBody = z
  .object({ reason: reasonField, dry_run: dryRun }, 'must be an object')
  .meta({ id: 'RetryUpload' })

const retried = z
  .object({
    status: z.literal('success'),
    message: text,
    namespace_name: text,
    documents: count.describe('Documents that were queued again, or would be with `dry_run`.'),
    files: count,
    upload_ids: z.array(text).describe('The uploads that process the documents again.'),
    file_names: z.array(text),
    refused: z
      .array(
        z.object({
          kind: z.enum(['documents', 'files']),
          reason: text,
          count,
          message: text,
          remedy: text,
          names: z.array(text).describe(`Their ids or file names, at most ${limits.refusedNames}.`),
        }),
      )
      .describe('What failed and was not retried, by reason, with what to do instead.'),
    has_more: z.boolean().describe('Not everything was read: continue with `next_token`.'),
    next_token: text.nullable(),
  })
  .meta({ id: 'Retried' })

const common = {
  tag: 'Uploads',
  auth: 'key',
  scope: 'write',
  errors: 'data',
  method: 'post',
  idempotencyKey: true,
} as const
const responses = {
  200: { description: 'Nothing was queued: nothing failed that may be retried, or `dry_run`.', body: retried },
  202: { description: 'Queued. Documents have a new upload, files a new version.', body: retried },
}

export const retryOperations = operationsOf(common, {
  retryFailed: {
    path: '/v1/namespaces/{namespace_name}/retry',
    summary: 'Retry what failed in a namespace',
    description: `Processes failed documents and files again, from what is stored. What was replaced or deleted meanwhile is left alone, and what is being retried is not failed any more, so that the request may be repeated. One request retries about ${limits.retriedAtOnce} and says how to continue.`,
    request: { params: namespaceParams, body: { schema: retryBody, optional: true } },
    responses,
    failures: keyFailures({
      400: 'A field is not usable, or the namespace is missing in the path.',
      404: 'The namespace does not exist or is not yours.',
      413: tooLargeBody,
    }),
  },
  retryUpload: {
    path: '/v1/namespaces/{namespace_name}/uploads/{upload_id}/retry',
    summary: 'Retry the failed documents of an upload',
    description: 'Like the retry of a namespace, for the documents of one upload.',
    request: { params: uploadParams, body: { schema: retryUploadBody, optional: true } },
    responses,
    failures: keyFailures({
      400: 'A field is not usable, or the namespace or the upload is missing in the path.',
      404: 'The namespace or the upload does not exist or is not yours.',
      409: 'The upload is being processed.',
      413: tooLargeBody,
    }),
  },
})
