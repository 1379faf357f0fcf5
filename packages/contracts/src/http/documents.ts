import * as z from 'zod'
import { documentErrors } from '../documents/document-rules.ts'
import { matchesFilter } from '../documents/metadata-filter.ts'
import { limits } from '../limits.ts'
import { groupDigits } from '../text/group-digits.ts'
import {
  count,
  idsRule,
  itemId,
  maxIds,
  metadataView,
  namespaceParams,
  queryInteger,
  sentIds,
  text,
  timestamp,
  userObject,
} from './common.ts'
import { sentFilter } from './filter.ts'
import { keyFailures, operationsOf } from './operation.ts'

const documentsRule = `must be an array of 1 to ${limits.documentsPerUpload} documents`

const textDescription = 'The text to be stored and searched.'
const sentDocument = userObject({
  id: 'SentDocument',
  description: `A flat object: \`id\`, \`text\` (${limits.minTextLength} to ${limits.maxTextLength} characters, counted in Unicode code points; the lower bound is a setting of the server) and metadata, which is every other key (at most ${limits.metadataKeys} keys and ${limits.metadataBytes} bytes of JSON). A document whose text or metadata breaks a rule fails alone and is named in the 207; a bad id refuses the request.`,
  type: 'object',
  properties: {
    id: { $ref: '#/$defs/SentId' },
    text: {
      description: textDescription,
      // Other values are accepted and reported in the 207.
      'x-published': { type: 'string', description: textDescription },
    },
  },
  required: ['id'],
  additionalProperties: true,
  examples: [{ id: 'doc-1', text: 'Cairns are piles of stones that mark a path.', source: 'handbook' }],
})

export const uploadDocumentsBody = z
  .object({
    documents: z.array(sentDocument, documentsRule).min(1, documentsRule).max(limits.documentsPerUpload, documentsRule),
  })
  .meta({ id: 'UploadDocuments' })

export const getDocumentsBody = z.object({ ids: sentIds(limits.idsPerGet) }).meta({ id: 'GetDocuments' })

const broadRule =
  'passes items without metadata, so it may match every item: send "all": true to delete what it matches, or "dry_run": true to count'
export const deleteItemsBody = z
  .object({
    ids: sentIds(limits.idsPerDelete).optional().describe('Either this or `filter` is required.'),
    filter: sentFilter.optional(),
    dry_run: z
      .boolean('must be true or false')
      .default(false)
      .describe('With `filter`: delete nothing, and return the number of items that match and ten of their ids.'),
    all: z
      .boolean('must be true or false')
      .default(false)
      .describe('Required to delete by a filter that an item without metadata passes: it may match every item.'),
  })
  .superRefine((sent, context) => {
    const { ids, filter, dry_run: isDryRun, all: isAll } = sent
    const fault = (message: string, path: 'ids' | 'filter' | 'dry_run' | 'all') =>
      context.addIssue({ code: 'custom', message, path: [path], input: sent[path] })
    if (!ids && !filter) fault(idsRule, 'ids')
    if (ids && filter) fault('cannot be sent with ids', 'filter')
    if (isDryRun && !filter) fault('needs a filter', 'dry_run')
    if (isAll && !filter) fault('needs a filter', 'all')
    if (filter && !isDryRun && !isAll && matchesFilter(filter, {})) fault(broadRule, 'filter')
  })
  .meta({
    id: 'DeleteItems',
    'x-rules': [
      {
        anyOf: [
          { required: ['ids'], properties: { filter: false, dry_run: { const: false }, all: { const: false } } },
          { required: ['filter'], properties: { ids: false } },
        ],
      },
    ],
    examples: [{ ids: ['doc-1'] }, { filter: { key: 'year', lt: 2020 }, dry_run: true }],
  })

const tokenRule = 'must be a next_token of this namespace'
export const fetchTextDataQuery = z.object({
  limit: queryInteger({ max: limits.pageSize, fallback: limits.pageSize, description: 'Items of a page.' }),
  next_token: z
    .string(tokenRule)
    .min(1, tokenRule)
    .optional()
    .describe('`pagination.next_token` of the previous page; bound to the account and the namespace.'),
  fields: z
    .enum(['head'], 'must be "head"')
    .optional()
    .describe('With `head` items come without `text` and `metadata`.'),
})

const pageLimitRule = `must be an integer from 1 to ${limits.pageSize}`
export const filterTextDataBody = z
  .object({
    filter: sentFilter,
    limit: z.int(pageLimitRule).min(1, pageLimitRule).max(limits.pageSize, pageLimitRule).default(limits.pageSize),
    next_token: fetchTextDataQuery.shape.next_token,
    fields: z.enum(['head'], 'must be "head"').optional(),
  })
  .meta({ id: 'FilterTextData', examples: [{ filter: { key: 'year', gte: 2020 }, limit: 50 }] })

export const processingStatus = z.enum(['in_progress', 'completed', 'failed'])
export const documentStatus = z.enum(['processing', 'completed', 'failed'])

const uploadFields = {
  message: text,
  upload_id: text.describe('Its state is at `/uploads/{upload_id}`.'),
  namespace_name: text,
  documents_processed: count.describe('Documents accepted.'),
  uploaded_documents: z.array(
    z.object({ id: itemId, status: documentStatus, character_count: count }).meta({ id: 'UploadedDocument' }),
  ),
  submitted_ids: z.array(itemId).describe('Ids of the documents accepted.'),
}

const estimated =
  'When the documents are expected to be searchable, from what is queued before them and what the last uploads took; an assumption until uploads were measured.'

const acceptedBody = z
  .object({
    status: z.literal('success'),
    ...uploadFields,
    processing_status: processingStatus,
    estimated_completion: timestamp.describe(estimated),
  })
  .meta({ id: 'DocumentsAccepted' })

const failedDocument = z
  .object({
    id: itemId,
    error: z.enum(documentErrors),
    message: text,
    provided_length: count.describe('Code points of the text.'),
  })
  .meta({ id: 'FailedDocument' })

const partlyAcceptedBody = z
  .object({
    status: z.literal('partial_success'),
    ...uploadFields,
    documents_failed: count,
    failed_documents: z.array(failedDocument),
    processing_status: processingStatus.optional().describe('`failed` when every document was refused.'),
    estimated_completion: timestamp.optional().describe(estimated),
  })
  .meta({ id: 'DocumentsPartlyAccepted' })

const item = z.object({ id: itemId, text, metadata: metadataView }).meta({ id: 'Document' })
const foundFields = {
  message: text,
  namespace_name: text,
  requested_ids: count.describe('Number of ids sent, including duplicates.'),
  found_items: count,
  items: z.array(item),
}
const foundBody = z.object({ status: z.literal('success'), ...foundFields }).meta({ id: 'DocumentsFound' })
const partlyFoundBody = z
  .object({ status: z.literal('partial'), ...foundFields, not_found_ids: z.array(itemId) })
  .meta({ id: 'DocumentsPartlyFound' })

const headFields = {
  id: itemId,
  version: text.describe('Changes whenever `text` or `metadata` is written. Opaque.'),
  created_at: timestamp.nullable(),
  is_summary: z.boolean(),
}
const head = z.object(headFields).meta({ id: 'ChunkHead' })
const chunk = z.object({ ...headFields, text, metadata: metadataView }).meta({ id: 'Chunk' })

const pageStatistics = {
  total_items: count,
  total_text_chunks: count,
  total_summary_chunks: count,
  created_at_min: timestamp.nullable(),
  created_at_max: timestamp.nullable(),
}
const ofThisPage = 'Of this page only.'
const pageEnd = {
  pagination: z.object({ limit: z.int().min(1), has_more: z.boolean(), next_token: text.nullable() }),
  execution_time: z.number().min(0).describe('Seconds.'),
}

const pageBody = z
  .object({
    status: z.literal('success'),
    message: text,
    namespace: text,
    statistics: z.object({ ...pageStatistics, source_counts: z.record(z.string(), count) }).describe(ofThisPage),
    items: z.array(chunk),
    ...pageEnd,
  })
  .meta({ id: 'TextDataPage' })

const headsBody = z
  .object({
    status: z.literal('success'),
    message: text,
    namespace: text,
    statistics: z.object(pageStatistics).describe(ofThisPage),
    items: z.array(head),
    ...pageEnd,
  })
  .meta({ id: 'TextDataHeads' })

const deletedFields = {
  message: text,
  namespace_name: text,
  requested_deletions: count.describe('Number of ids sent, including duplicates.'),
  actual_deletions: count.describe('Existing items that were deleted.'),
  remaining_items: count,
  requested_ids: z.array(itemId),
  deleted_ids: z.array(itemId),
  unprocessed_ids: z.array(itemId).describe('Ids whose deletion failed; empty on 200.'),
  matched_items: count.optional().describe('Only with `filter`.'),
  sample_ids: z.array(itemId).optional().describe('Only with `dry_run`: up to ten of the items that match.'),
  has_more: z
    .boolean()
    .optional()
    .describe(
      `Only with \`filter\`: not everything was read, because it took too long or ${groupDigits(limits.filterDeletions)} items match. Repeat the request.`,
    ),
}
const deletedBody = z.object({ status: z.literal('success'), ...deletedFields }).meta({ id: 'ItemsDeleted' })
const partlyDeletedBody = z
  .object({ status: z.literal('partial'), ...deletedFields })
  .meta({ id: 'ItemsPartlyDeleted' })

/** `documents/delete` and `vectors/delete`. */
export const deleteResponses = {
  200: { description: 'No deletion failed. Missing ids are not failures.', body: deletedBody },
  207: { description: 'Some deletions failed; retry their ids.', body: partlyDeletedBody },
}
export const notYours = 'The namespace does not exist or is not yours.'
export const tooLargeBody = 'The body is larger than 10 MB.'
export const deleteFailures = keyFailures({
  400: 'The body, its `ids` or its `filter` are not usable.',
  404: notYours,
  413: tooLargeBody,
  422: 'None of the items that could be read in time passes the filter, or the filter compares too many values.',
})
const worstDocumentBytes = 4 * limits.maxTextLength + limits.metadataBytes + 100

const common = { tag: 'Documents', auth: 'key', errors: 'data' } as const

export const documentOperations = operationsOf(common, {
  uploadDocuments: {
    specified: true,
    method: 'post',
    path: '/v1/namespaces/{namespace_name}/documents',
    summary: 'Upload documents',
    description:
      'Accepted documents can be fetched at once and are searchable when processing is completed, typically within seconds. A document with an existing id is replaced. Batches of 25 to 50 documents work best.',
    scope: 'write',
    idempotencyKey: true,
    request: {
      params: namespaceParams,
      body: {
        schema: uploadDocumentsBody,
        maxElements: { documents: { elements: limits.documentsPerUpload, rule: documentsRule } },
        largestBatch: `${limits.documentsPerUpload} documents of ${groupDigits(limits.maxTextLength)} ASCII characters fit in one request, ${Math.floor(limits.jsonBodyBytes / worstDocumentBytes)} when each character takes 4 bytes`,
      },
    },
    responses: {
      202: { description: 'All documents are accepted and being processed.', body: acceptedBody },
      207: {
        description: 'Some or all documents were rejected; the rest are accepted.',
        body: partlyAcceptedBody,
      },
    },
    failures: keyFailures({
      400: '`documents` is missing, empty or too long, or one has no usable id.',
      403: "The API key is not activated or lacks the scope, or the tier's document limit would be passed (`details`).",
      404: 'The text namespace does not exist or is not yours.',
      413: tooLargeBody,
    }),
  },
  getDocuments: {
    specified: true,
    method: 'post',
    path: '/v1/namespaces/{namespace_name}/documents/get',
    summary: 'Get documents by id',
    scope: 'read',
    request: { params: namespaceParams, body: { schema: getDocumentsBody, maxElements: maxIds(limits.idsPerGet) } },
    responses: {
      200: { description: 'All documents were found.', body: foundBody },
      207: { description: 'Some or all documents were not found.', body: partlyFoundBody },
    },
    failures: keyFailures({ 400: 'The body or its `ids` are not usable.', 404: notYours, 413: tooLargeBody }),
  },
  fetchTextData: {
    specified: true,
    method: 'get',
    path: '/v1/namespaces/{namespace_name}/documents/fetch-text-data',
    summary: 'Page through all text',
    description:
      'Every item in the order of the ids. Continue with `next_token` until `has_more` is false. Each page counts as one request. To find changed documents, page with `fields=head`, compare each `version` with the stored one, and get those documents by id.',
    scope: 'read',
    request: { params: namespaceParams, query: fetchTextDataQuery },
    responses: {
      200: {
        description: 'One page; with `fields=head`, its items without `text` and `metadata`.',
        body: pageBody,
        instead: headsBody,
      },
    },
    failures: keyFailures({
      400: '`limit`, `next_token` or `fields` is not usable, the namespace is not text-based, or it is missing in the path.',
      404: notYours,
    }),
  },
  filterTextData: {
    method: 'post',
    path: '/v1/namespaces/{namespace_name}/documents/fetch-text-data',
    summary: 'Page through the text that passes a filter',
    description:
      'A page may have fewer items than `limit`, or none, although `has_more` is true: what takes too long is continued by the next page.',
    scope: 'read',
    request: { params: namespaceParams, body: { schema: filterTextDataBody } },
    responses: {
      200: {
        description: 'One page; with `"fields": "head"`, its items without `text` and `metadata`.',
        body: pageBody,
        instead: headsBody,
      },
    },
    failures: keyFailures({
      400: 'A field is not usable, or the namespace is not text-based.',
      404: notYours,
      413: tooLargeBody,
      422: 'The filter compares too many values.',
    }),
  },
  deleteDocuments: {
    specified: true,
    method: 'post',
    path: '/v1/namespaces/{namespace_name}/documents/delete',
    summary: 'Delete documents by id or by a filter',
    scope: 'write',
    idempotencyKey: true,
    request: { params: namespaceParams, body: { schema: deleteItemsBody, maxElements: maxIds(limits.idsPerDelete) } },
    responses: deleteResponses,
    failures: deleteFailures,
  },
})
