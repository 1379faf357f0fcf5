import * as z from 'zod'
import { edgeDimensions, storeModes } from '../documents/edge-rules.ts'
import { checkNumbers } from '../documents/vector-rules.ts'
import { productVersion } from '../product-version.ts'
import { scoreLabels } from '../text/labels.ts'
import { answerBody, sourcePassages } from './answer.ts'
import { count, itemId, maxIds, sentIds, text } from './common.ts'
import { operation } from './operation.ts'
import { needsThreshold, searchBody } from './search.ts'

/** The edge store is a separate program: flat, without accounts, versions or namespaces. */

/** Default capacity of a store. */
const idsPerDeletion = 10_000
const modelRule = 'must be 1 to 200 characters'
const modeRule = `must be ${storeModes.map((mode) => JSON.stringify(mode)).join(' or ')}`
const itemsRule = 'must be a non-empty array'

const sentItem = z.unknown().meta({
  id: 'SentItem',
  type: 'object',
  description: 'One invalid item rejects the whole upload. `text` is optional in a vector store.',
  properties: {
    id: { $ref: '#/$defs/SentId' },
    vector: { type: 'array', items: { type: 'number' }, minItems: edgeDimensions.min, maxItems: edgeDimensions.max },
    text: { type: ['string', 'null'] },
  },
  required: ['id', 'vector'],
})

export const edgeUploadBody = z
  .object({
    store_mode: z.enum(storeModes, modeRule).describe('Set by the first upload.'),
    embedding_model: z
      .string(modelRule)
      .min(1, modelRule)
      .max(200, modelRule)
      .nullish()
      .describe('Required for `text`, ignored for `vector`.'),
    items: z.array(sentItem, itemsRule).min(1, itemsRule),
  })
  .superRefine((body, context) => {
    const message = 'is required in text mode'
    if (body.store_mode === 'text' && !body.embedding_model)
      context.addIssue({ code: 'custom', message, path: ['embedding_model'], input: undefined })
  })
  .meta({ id: 'EdgeUpload' })

const queryVector = z
  .unknown()
  .transform((value, context): Float32Array => {
    const numbers = checkNumbers(value)
    if (numbers.ok) return numbers.vector
    const message =
      typeof value === 'string'
        ? 'must be an array of numbers: the client embeds text'
        : `can not be used: ${numbers.fault.message}`
    context.addIssue({ code: 'custom', message, input: value })
    return z.NEVER
  })
  .meta({
    id: 'QueryVector',
    type: 'array',
    items: { type: 'number' },
    minItems: 1,
    description: 'As many numbers as the dimension of the store.',
  })

const { top_k, kiosk_mode, threshold } = searchBody.shape
const { temperature, chat_history, header_prompt, footer_prompt, query: question } = answerBody.shape

export const edgeSearchBody = z
  .object({ query: queryVector, top_k, kiosk_mode, threshold })
  .superRefine(needsThreshold)
  .meta({ id: 'EdgeSearch' })

export const edgeAnswerBody = z
  .object({
    query: question.describe('The question.'),
    query_vector: queryVector.describe('The embedding of the question.'),
    top_k: top_k.unwrap().default(5),
    kiosk_mode,
    threshold,
    header_prompt,
    footer_prompt,
    chat_history,
    temperature: temperature.unwrap().default(0.2),
  })
  .superRefine(needsThreshold)
  .meta({ id: 'EdgeAnswer' })

export const edgeDeleteBody = z.object({ ids: sentIds(idsPerDeletion) }).meta({ id: 'EdgeDelete' })

const shape = {
  dimension: z.int().nullable().describe('Null before the first upload.'),
  store_mode: z.enum(storeModes).nullable(),
  embedding_model: text.nullable().describe('Null in a vector store.'),
}
const capacity = { items: count, max_items: count, remaining: count }
const healthView = z.object({ status: z.literal('ok'), ...shape, ...capacity }).meta({ id: 'EdgeHealth' })
const exportView = z
  .object({
    status: z.literal('ok'),
    ...shape,
    item_count: count,
    items: z.array(z.object({ text: text.describe('Exactly as sent; empty for an item without text.') })),
  })
  .meta({ id: 'EdgeExport' })
const uploadedView = z
  .object({ status: z.literal('success'), total: count.describe('Items of this upload.'), ...capacity })
  .meta({ id: 'EdgeUploaded' })
const hitView = z
  .object({
    id: itemId,
    score: z.number().min(0).max(1).describe('The cosine, not below 0, with six decimals.'),
    label: z.enum(scoreLabels),
    text: text.optional().describe('Present if the item has one.'),
  })
  .meta({ id: 'EdgeHit' })
const hitsView = z.object({ results: z.array(hitView) }).meta({ id: 'EdgeHits' })
const sourceView = hitView.extend({ passages: sourcePassages }).meta({ id: 'EdgeAnswerSource' })
const answeredView = z
  .object({ answer: text, model: text, query: text, context_count: count, sources: z.array(sourceView) })
  .meta({ id: 'EdgeAnswered' })
const deletedView = z
  .object({ status: z.literal('success'), deleted: count, not_found_ids: z.array(itemId) })
  .meta({ id: 'EdgeDeleted' })
const clearedView = z.object({ status: z.literal('success'), message: text }).meta({ id: 'EdgeCleared' })

const common = { tag: 'Edge store', auth: 'edge', errors: 'edge', specified: true } as const
const unusable = 'The body is not JSON, or a field is not usable.'
const tooLarge = 'The body is larger than 10 MB: send fewer items at once.'
const always = {
  401: 'The store has a key, and the request has none, or another one.',
  403: 'The store has no key, and the request is not to this machine by its own name.',
  500: 'Internal error.',
  503: "The store's file can't be used, or too many large bodies are under way; try again after `Retry-After`.",
}
const answerFailures = {
  400: `${unusable} Or no answering model is configured, or it failed.`,
  413: 'The body is larger than 10 MB.',
  ...always,
}

export const edgeOperations = {
  health: operation({
    ...common,
    operationId: 'edgeHealth',
    method: 'get',
    path: '/health',
    summary: 'Get the state of the store',
    auth: 'none',
    request: {},
    responses: { 200: { description: 'The store is available.', body: healthView } },
    failures: { 403: always[403], 503: always[503] },
  }),
  export: operation({
    ...common,
    operationId: 'edgeExport',
    method: 'get',
    path: '/export',
    summary: 'Export all texts',
    description: 'In the order in which their ids were first uploaded, without ids and vectors.',
    request: {},
    responses: { 200: { description: 'The texts.', body: exportView } },
    failures: always,
  }),
  upload: operation({
    ...common,
    operationId: 'edgeUpload',
    method: 'post',
    path: '/upload',
    summary: 'Store items',
    description:
      'Stores all items or none. They are durable and searchable when the response is sent. An item with an existing id is replaced.',
    request: { body: { schema: edgeUploadBody, largestBatch: 'send fewer items at once' } },
    responses: { 200: { description: 'The items are stored.', body: uploadedView } },
    failures: {
      400: `${unusable} Or the vectors are of another dimension than the store's.`,
      409: "The mode or the embedding model is not the store's; or the new items exceed the item limit (`items`, `max_items`, `requested_new`).",
      413: 'The body is larger than 400 MB, or than the lower limit of the store: send fewer items at once.',
      ...always,
    },
  }),
  search: operation({
    ...common,
    operationId: 'edgeSearch',
    method: 'post',
    path: '/search',
    summary: 'Find the nearest items',
    request: { body: { schema: edgeSearchBody } },
    responses: { 200: { description: 'Best first; none from an empty store.', body: hitsView } },
    failures: { 400: unusable, 413: 'The body is larger than 10 MB.', ...always },
  }),
  answer: operation({
    ...common,
    operationId: 'edgeAnswer',
    method: 'post',
    path: '/answer',
    summary: 'Answer a question from the nearest items',
    description: 'If nothing is found, the answer says so and no model is called.',
    request: { body: { schema: edgeAnswerBody } },
    responses: { 200: { description: 'The answer.', body: answeredView } },
    failures: answerFailures,
  }),
  answerStream: operation({
    ...common,
    operationId: 'edgeAnswerStream',
    method: 'post',
    path: '/answer/stream',
    summary: 'Answer a question as a stream of events',
    request: { body: { schema: edgeAnswerBody } },
    responses: {
      200: {
        description: 'The answer as events.',
        events:
          '`meta` (`model`, `context_count`, `sources`, `query`), `token` (`delta`) repeatedly, then `done` (`answer`, `query`, `model`, `context_count`, `sources`), or `error` (`message`).',
      },
    },
    failures: answerFailures,
  }),
  deleteItems: operation({
    ...common,
    operationId: 'edgeDeleteItems',
    method: 'delete',
    path: '/items',
    summary: 'Remove items by id',
    description: 'Missing ids are not errors. Dimension, mode and model of the store stay.',
    request: { body: { schema: edgeDeleteBody, maxElements: maxIds(idsPerDeletion) } },
    responses: { 200: { description: 'The items are removed.', body: deletedView } },
    failures: { 400: unusable, 413: tooLarge, ...always },
  }),
  clear: operation({
    ...common,
    operationId: 'edgeClear',
    method: 'delete',
    path: '/store',
    summary: 'Empty the store',
    description: 'The next upload sets dimension, mode and model again.',
    request: {},
    responses: { 200: { description: 'The store is empty.', body: clearedView } },
    failures: always,
  }),
  openApi: operation({
    ...common,
    operationId: 'edgeOpenApi',
    method: 'get',
    path: '/openapi.json',
    summary: 'This document',
    auth: 'none',
    request: {},
    responses: { 200: { description: 'OpenAPI 3.1.', body: z.object({ openapi: text }).meta({ id: 'OpenApi' }) } },
    failures: { 403: always[403] },
  }),
}

export const edgeApiInfo = {
  title: 'Cairn edge store',
  version: productVersion,
  description: [
    'One flat store of texts or vectors on this machine, searched by vector.',
    'Without a key it answers only this machine. With a key (`CAIRN_EDGE_KEY`), every request except `/health` and this document must send it in the header `x-api-key`.',
    'Bodies are JSON in UTF-8, at most 10 MB (an upload: 400 MB), and of 64 levels, 100,000 keys, 100,000 objects and arrays and 250,000 elements (an upload: more, by the items the store holds). Unknown fields are accepted and ignored.',
  ].join('\n\n'),
} as const
