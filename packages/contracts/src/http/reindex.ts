import * as z from 'zod'
import { count, namespaceParams, text, timestamp } from './common.ts'
import { keyFailures, operationsOf } from './operation.ts'

const keepRule = 'must be an integer from 0 to 30'
const flipRule = 'must be "automatic" or "manual"'
const booleanRule = 'must be true or false'

export const startReindexBody = z
  .object(
    {
      model: z
        .string('must be a string')
        .max(200, 'must have at most 200 characters')
        .optional()
        .describe(
          'The model to change to, one of those that the server offers. Default: the current model of the server.',
        ),
      dry_run: z.boolean(booleanRule).default(false).describe('Only estimates what it would take.'),
      flip: z
        .enum(['automatic', 'manual'], flipRule)
        .default('automatic')
        .describe('`manual`: the namespace keeps its model until the flip is requested.'),
      keep_days: z
        .int(keepRule)
        .min(0, keepRule)
        .max(30, keepRule)
        .default(7)
        .describe(
          'Days after the flip for which the former points are kept up to date, so that it can be rolled back.',
        ),
      compare_queries: z
        .boolean(booleanRule)
        .default(false)
        .describe(
          'Keeps the texts of up to 50 searches, only until the flip, and compares what both models find for them.',
        ),
    },
    'must be an object',
  )
  .meta({ id: 'StartReindex', examples: [{ model: 'lexical', dry_run: true }] })

const estimate = z
  .object({
    namespace_name: text,
    model: text.describe('The model that is searched now.'),
    other_model: text.describe('The model that the texts would be embedded with.'),
    items: count,
    chunks: count.describe('Chunks of files.'),
    characters: count,
    passages: count.describe('What the model embeds: a long text is several.'),
    tokens: count.nullable().describe('Tokens that a server for embeddings would be sent; null for other models.'),
    seconds: z.number().min(0).describe('At the speed that the model has now.'),
    sampled: count.describe('Texts of the namespace that were read for the estimate.'),
  })
  .meta({ id: 'ReindexEstimate' })

const reindexView = z
  .object({
    namespace_name: text,
    phase: z
      .enum(['filling', 'filled', 'flipping', 'kept', 'removing'])
      .describe(
        '`filling`: all texts are being embedded with the other model. `filled`: that is done. `flipping`: the last check before the models change places. `kept`: they did; the former points are kept for a rollback. `removing`: the points of the other model are being removed.',
      ),
    model: text.describe('The model that is searched now.'),
    other_model: text.describe('The model of the other points: the next one before the flip, the former one after it.'),
    flip: z.enum(['automatic', 'manual']),
    keep_days: z.number().min(0),
    progress: z.object({
      total: count.describe('Items and chunks.'),
      passed: count.describe('Those that this phase has checked.'),
      written: count.describe('Those that were embedded so far.'),
      rejected: count.describe('Those that only the other model rejects: it would not find them.'),
    }),
    error: text.nullable().describe('Why it does not continue now; null: it does.'),
    queries: count.nullable().describe('Texts of searches that are kept for the comparison; null: none is.'),
    comparison: z
      .object({
        queries: count,
        overlap_at_10: z
          .number()
          .min(0)
          .max(1)
          .describe('Mean share of the ten best items that are among the ten best by the other model.'),
        median_ms: z.number().min(0),
        other_median_ms: z.number().min(0),
      })
      .nullable(),
    started_at: timestamp,
    phase_started_at: timestamp,
    estimated_completion: timestamp
      .nullish()
      .describe(
        'When the phase is expected to end, from its progress. null in phases that do not advance by themselves.',
      ),
    flipped_at: timestamp.nullable(),
    kept_until: timestamp.nullable(),
  })
  .meta({ id: 'Reindex' })

const path = '/v1/namespaces/{namespace_name}/reindex'
const noReindex = 'The namespace does not exist or is not yours, or it has no reindex.'
const otherPhase = 'The reindex is in another phase, which the message names.'
const common = { tag: 'Maintenance', auth: 'key', errors: 'data' } as const

export const reindexOperations = operationsOf(common, {
  startReindex: {
    idempotencyKey: true,
    method: 'post',
    path,
    scope: 'admin',
    summary: 'Change the embedding model of a namespace',
    description:
      'Embeds all texts of a text namespace with another model, beside the points that are searched, and then changes places: searches continue all the time, by one model or the other. Uploads are embedded with both models meanwhile.',
    request: { params: namespaceParams, body: { schema: startReindexBody, optional: true } },
    responses: {
      200: { description: 'With `dry_run`: the estimate. Nothing was changed.', body: estimate },
      202: { description: 'The reindex has begun.', body: reindexView },
    },
    failures: keyFailures({
      400: 'The model is not offered, another field is not allowed, or it is a vector namespace.',
      404: 'The namespace does not exist or is not yours.',
      409: 'The namespace has this model, or has a reindex; or the model can not be used now.',
      413: 'The body is larger than 10 MB.',
    }),
  },
  getReindex: {
    method: 'get',
    path,
    scope: 'read',
    summary: 'Get the state of a reindex',
    request: { params: namespaceParams },
    responses: { 200: { description: 'The state.', body: reindexView } },
    failures: keyFailures({ 404: noReindex }),
  },
  flipReindex: {
    idempotencyKey: true,
    method: 'post',
    path: `${path}/flip`,
    scope: 'admin',
    summary: 'Search by the new model',
    description: 'For a reindex that is `filled`, also when its model rejects some items.',
    request: { params: namespaceParams },
    responses: { 202: { description: 'The models change places soon.', body: reindexView } },
    failures: keyFailures({ 404: noReindex, 409: otherPhase }),
  },
  rollBackReindex: {
    idempotencyKey: true,
    method: 'post',
    path: `${path}/rollback`,
    scope: 'admin',
    summary: 'Search by the former model again',
    description:
      'For a reindex that is `kept`. What was uploaded since the flip is found, too; the other model is kept in turn.',
    request: { params: namespaceParams },
    responses: { 202: { description: 'The models change places soon.', body: reindexView } },
    failures: keyFailures({ 404: noReindex, 409: otherPhase }),
  },
  endReindex: {
    idempotencyKey: true,
    method: 'delete',
    path,
    scope: 'admin',
    summary: 'End a reindex',
    description:
      'Removes the points of the other model: before the flip this cancels the reindex, after it a rollback is not possible any more. The model that is searched stays.',
    request: { params: namespaceParams },
    responses: { 202: { description: 'The points are being removed.', body: reindexView } },
    failures: keyFailures({ 404: noReindex, 409: otherPhase }),
  },
})
