import * as z from 'zod'
import { checkNumbers, float32Max } from '../documents/vector-rules.ts'
import { limits } from '../limits.ts'
import { scoreLabels } from '../text/labels.ts'
import { codePointLength } from '../text/text.ts'
import { count, itemId, metadataView, text } from './common.ts'
import { sentFilter } from './filter.ts'
import { keyFailures, operation } from './operation.ts'
import { place } from './places.ts'

/** Becomes zero as a 32-bit float, as does anything smaller. */
const roundsToZero = 2 ** -150
const queryRule = `must be a text of 1 to ${limits.queryLength} characters that is not blank, or a non-empty array of numbers`

const queryFault = (query: unknown): string | undefined => {
  if (Array.isArray(query)) {
    const numbers = checkNumbers(query)
    return numbers.ok ? undefined : `must be a usable vector: ${numbers.fault.message}`
  }
  if (typeof query !== 'string' || !/\S/u.test(query) || codePointLength(query) > limits.queryLength) return queryRule
  return query.isWellFormed() ? undefined : 'must be well-formed Unicode, without lone surrogates'
}

const queryMeta = {
  description:
    'Text for text namespaces, a vector for vector namespaces. A text may end in filters, separated by spaces, which must all match: `#key:value` compares metadata (ignoring case; a hyphen equals a space; arrays match by element), `#word` requires a whole word of the text.',
  examples: ['how is a path marked #source:handbook', [0.12, -0.4, 0.83, 0.05]],
}
const queryTextJson = { type: 'string', minLength: 1, maxLength: limits.queryLength, pattern: String.raw`\S` }
const queryVectorJson = {
  type: 'array',
  minItems: 1,
  items: { type: 'number', minimum: -float32Max, maximum: float32Max },
}

const sentQuery = z
  .unknown()
  .transform((value, context): string | readonly number[] => {
    const fault = queryFault(value)
    if (fault === undefined) return value as string | number[]
    context.addIssue({ code: 'custom', message: fault, input: value })
    return z.NEVER
  })
  .meta({
    id: 'SearchQuery',
    ...queryMeta,
    anyOf: [
      queryTextJson,
      {
        ...queryVectorJson,
        contains: { anyOf: [{ exclusiveMinimum: roundsToZero }, { exclusiveMaximum: -roundsToZero }] },
      },
    ],
    'x-published': { ...queryMeta, anyOf: [queryTextJson, queryVectorJson] },
  })

export const namespacesRule = `must be an array of 1 to ${limits.namespacesPerSearch} namespace names`
const topKRule = 'must be a positive integer'
const thresholdRule = 'must be a number from 0 to 1'

// A value that is too large is clamped, not rejected.
const topK = z
  .number(topKRule)
  .min(1, topKRule)
  .refine(Number.isInteger, topKRule)
  .meta({ type: 'integer' })
  .default(10)
  .describe(`Number of hits; values above ${limits.topK} are treated as ${limits.topK}.`)

export const needsThreshold = (
  body: { readonly kiosk_mode: boolean; readonly threshold?: number | undefined },
  context: z.RefinementCtx,
): void => {
  const message = 'is required when kiosk_mode is true'
  if (body.kiosk_mode && body.threshold === undefined)
    context.addIssue({ code: 'custom', message, path: ['threshold'], input: undefined })
}

/** JSON Schema of `needsThreshold`. */
export const thresholdInKioskMode = {
  anyOf: [{ properties: { kiosk_mode: { const: false } } }, { required: ['threshold'] }],
}

export const searchModes = ['semantic', 'lexical', 'hybrid'] as const
export type SearchMode = (typeof searchModes)[number]
const contextRule = `must be an integer from 0 to ${limits.contextChunks}`
const modeRule = `must be one of ${searchModes.join(', ')}`

export const searchBody = z
  .object({
    query: sentQuery,
    namespaces: z
      .array(z.string('must be a namespace name').min(1, 'must be a namespace name'), namespacesRule)
      .min(1, namespacesRule)
      .max(limits.namespacesPerSearch, namespacesRule)
      .describe('All of the same type.'),
    top_k: topK,
    kiosk_mode: z
      .boolean('must be true or false')
      .default(false)
      .describe('Leave out hits below `threshold`, which is then required.'),
    threshold: z.number(thresholdRule).min(0, thresholdRule).max(1, thresholdRule).optional(),
    mode: z
      .enum(searchModes, modeRule)
      .optional()
      .describe(
        '`semantic` compares meanings, `lexical` words (BM25), `hybrid` both. Without it: `hybrid` for a text, `semantic` with `kiosk_mode` or `threshold`, and for a vector, which has no words.',
      ),
    explain: z.boolean('must be true or false').default(false).describe('Add the parts of each score.'),
    highlights: z
      .boolean('must be true or false')
      .default(false)
      .describe('Add where in each text, and in its file, the passage that scored best is.'),
    context: z
      .int(contextRule)
      .min(0, contextRule)
      .max(limits.contextChunks, contextRule)
      .default(0)
      .describe('Number of chunks of the same file to add on each side of a hit.'),
    rerank: z
      .boolean('must be true or false')
      .default(false)
      .describe(
        'Order the best hits, 50 at least, by a model that reads each with the query. `score` is then its relevance. Needs a server with a reranker.',
      ),
    group_by: z
      .literal('file', 'must be "file"')
      .optional()
      .describe('Return one hit for each file, its best; `others` has the further ones. Other items stay apart.'),
    filter: sentFilter.optional(),
  })
  .superRefine(needsThreshold)
  .meta({
    id: 'Search',
    'x-rules': [thresholdInKioskMode],
    examples: [{ query: 'how is a path marked', namespaces: ['my-documents'], top_k: 5 }],
  })

const neighbor = z.object({ id: itemId, text })

export const hit = z
  .object({
    id: itemId,
    score: z
      .number()
      .min(0)
      .max(1)
      .describe(
        'With six decimals. In mode `semantic` the cosine c, not below 0. In mode `lexical` l, the BM25 of the hit ÷ the best BM25 of the query. In mode `hybrid` c + (1 − c) × 0.4 × l. Where the model cannot read the text, c counts less or not at all; the less it reads the query, the more l counts, up to alone (docs/api-notes.md).',
      ),
    label: z.enum(scoreLabels),
    text: text.describe('Empty for a vector without text.'),
    metadata: metadataView,
    namespace: text,
    explanation: z
      .object({
        mode: z.enum(searchModes),
        semantic: z.number().min(0).max(1).optional().describe('The cosine c; absent in mode `lexical`.'),
        lexical: z.number().min(0).max(1).optional().describe('l; absent in mode `semantic`.'),
        bm25: z.number().min(0).optional().describe('Absent in mode `semantic`.'),
        readable: z
          .number()
          .min(0)
          .max(1)
          .optional()
          .describe(
            'How far the model reads query and text, multiplied, from 0 to 1; c counts by it. Absent where the model was not measured, in mode `lexical`, and in a chosen `semantic`.',
          ),
        matched: z
          .number()
          .min(0)
          .max(1)
          .optional()
          .describe(
            'The share of the query’s words, by weight, that the passage has. Absent in mode `semantic`. `threshold` is compared with it where words rank because the model cannot read the query.',
          ),
        retrieval: z.number().min(0).max(1).optional().describe('With `rerank`: the score before it.'),
      })
      .optional()
      .describe('Only with `explain`: the parts of the score, of the passage that scored best.'),
    highlights: z
      .array(z.object({ start: count, end: count }))
      .optional()
      .describe(
        'Only with `highlights`: the passage of `text` that scored best, in Unicode code points, the end excluded. Empty for a vector, and for a long text after long texts of 500,000 characters together.',
      ),
    places: z
      .array(place)
      .optional()
      .describe(
        'Only with `highlights`: where the passage stands in its file; without a highlight, where the whole text does. Empty for documents and vectors; of a summary only the file.',
      ),
    context: z
      .object({ before: z.array(neighbor), after: z.array(neighbor) })
      .optional()
      .describe('Only with `context`: the neighbors of a chunk in its file, in reading order.'),
    others: z
      .array(z.object({ id: itemId, score: z.number().min(0).max(1) }))
      .optional()
      .describe('Only with `group_by`: further hits in the same file among those that were read, best first.'),
  })
  .meta({ id: 'Hit' })

export const warnings = z
  .array(text)
  .optional()
  .describe('Present only if fields of the request were ignored, because they are unknown, or capped.')

const hitsBody = z
  .object({
    results: z.array(hit).describe('Best first; equal scores by namespace name, then id.'),
    execution_time: z.number().min(0).describe('Seconds.'),
    timings: z.record(z.string(), z.number()).describe('Seconds by stage; `total` covers them all.'),
    optimization_info: z
      .object({
        fetch_strategy: text,
        initial_fetch: text,
        complete_fetch: text,
        points_read: count.optional().describe('Points read from the index.'),
      })
      .describe(
        'A form of the Moorcheh API: how the search was done, for people. Only `points_read` is a measurement.',
      ),
    rerank: z
      .object({
        model: text,
        candidates: count.describe('Hits that the model has read.'),
        moved: count.describe('Results whose place is another than without `rerank`.'),
        seconds: z.number().min(0),
      })
      .optional()
      .describe('Only with `rerank`.'),
    degraded: z
      .array(text)
      .optional()
      .describe(
        'Present only if the index audit found missing points in these namespaces. Their documents are stored, and are searchable again once the audit has restored the points.',
      ),
    warnings,
  })
  .meta({ id: 'Hits' })

export const searchOperations = {
  search: operation({
    operationId: 'search',
    specified: true,
    method: 'post',
    path: '/v1/search',
    tag: 'Search',
    summary: 'Search namespaces',
    auth: 'key',
    scope: 'read',
    errors: 'data',
    request: {
      body: {
        schema: searchBody,
        maxElements: { namespaces: { elements: limits.namespacesPerSearch, rule: namespacesRule } },
      },
    },
    responses: {
      200: {
        description:
          'The hits; an empty array if there are none. The header `X-Cairn-Warnings` has the `warnings` of the body, as many as fit into 1,000 characters.',
        body: hitsBody,
      },
    },
    failures: keyFailures({
      400: 'A field is not usable, the namespaces are of different types, or the query does not fit them.',
      404: 'One of the namespaces does not exist or is not yours; the message names it.',
      409: 'The embedding model of a namespace is not available here; the message says what to do.',
      413: 'The body is larger than 10 MB.',
      422: 'The filter compares too many values or matches too much, or the index cannot answer it alone and too much would have to be read.',
    }),
  }),
}
