import * as z from 'zod'
import { vectorErrors } from '../documents/vector-rules.ts'
import { limits } from '../limits.ts'
import { count, itemId, maxIds, namespaceParams, text, timestamp, userObject } from './common.ts'
import { deleteFailures, deleteItemsBody, deleteResponses, tooLargeBody } from './documents.ts'
import { keyFailures, operationsOf } from './operation.ts'

const vectorsRule = `must be an array of 1 to ${limits.vectorsPerUpload} vectors`

const sentVector = userObject({
  id: 'SentVector',
  description:
    'A flat object: `id`, `vector` (as many numbers as the namespace has dimensions, each within the range of a 32-bit float, not all zero), `text` (optional, for display) and metadata, which is every other key. A vector that breaks a rule fails alone and is named in the 207; when all fail, or an id is bad, the request is refused.',
  type: 'object',
  properties: {
    id: { $ref: '#/$defs/SentId' },
    vector: { type: 'array', items: { type: 'number' }, minItems: 1 },
    text: { type: ['string', 'null'] },
  },
  required: ['id', 'vector'],
  additionalProperties: true,
  examples: [{ id: 'vec-1', vector: [0.12, -0.4, 0.83, 0.05], colour: 'red' }],
})

export const uploadVectorsBody = z
  .object({ vectors: z.array(sentVector, vectorsRule).min(1, vectorsRule).max(limits.vectorsPerUpload, vectorsRule) })
  .meta({ id: 'UploadVectors' })

const uploadedVector = z
  .object({ id: itemId, status: z.enum(['completed', 'failed']), dimension: z.int().min(1), created_at: timestamp })
  .meta({ id: 'UploadedVector' })

const uploadFields = {
  message: text,
  upload_id: text,
  namespace_name: text,
  vectors_processed: count,
  processing_status: z.literal('completed'),
  uploaded_vectors: z.array(uploadedVector),
  vector_ids_processed: z.array(itemId),
  errors: z.array(z.object({ id: itemId, error: text })).describe('The failed vectors again, in short form.'),
}
const storedBody = z.object({ status: z.literal('success'), ...uploadFields }).meta({ id: 'VectorsStored' })

const failedVector = z
  .object({
    id: itemId,
    error: z.enum(vectorErrors),
    message: text,
    expected_dimension: z.int().min(1),
    provided_dimension: count.describe('0 if the value sent is not an array.'),
  })
  .meta({ id: 'FailedVector' })

const partlyStoredBody = z
  .object({
    status: z.literal('partial_success'),
    ...uploadFields,
    vectors_failed: count,
    failed_vectors: z.array(failedVector),
  })
  .meta({ id: 'VectorsPartlyStored' })

/** One number in JSON, with its comma, as printed by common clients. */
const numberBytes = 20

const common = {
  tag: 'Vectors',
  auth: 'key',
  scope: 'write',
  errors: 'data',
  method: 'post',
  idempotencyKey: true,
  specified: true,
} as const

export const vectorOperations = operationsOf(common, {
  uploadVectors: {
    path: '/v1/namespaces/{namespace_name}/vectors',
    summary: 'Upload vectors',
    description: 'The vectors are searchable when the response is sent. A vector with an existing id is replaced.',
    request: {
      params: namespaceParams,
      body: {
        schema: uploadVectorsBody,
        elements: limits.vectorsPerUpload * limits.maxVectorDimension + limits.jsonElements,
        maxElements: { vectors: { elements: limits.vectorsPerUpload, rule: vectorsRule } },
        largestBatch: `about ${Math.floor(limits.jsonBodyBytes / numberBytes / limits.vectorsPerUpload)} dimensions fit with ${limits.vectorsPerUpload} vectors in one request, about ${Math.floor(limits.jsonBodyBytes / numberBytes / limits.maxVectorDimension)} vectors of ${limits.maxVectorDimension} dimensions`,
      },
    },
    responses: {
      201: { description: 'All vectors are stored.', body: storedBody },
      207: { description: 'Some vectors were rejected; the rest are stored.', body: partlyStoredBody },
    },
    failures: keyFailures({
      400: '`vectors` is missing, empty or too long, one has no usable id, or no vector is valid (`details`).',
      403: "The API key is not activated or lacks the scope, or the tier's vector limit would be passed (`details`).",
      404: 'The vector namespace does not exist or is not yours.',
      413: tooLargeBody,
    }),
  },
  deleteVectors: {
    path: '/v1/namespaces/{namespace_name}/vectors/delete',
    summary: 'Delete vectors by id or by a filter',
    request: { params: namespaceParams, body: { schema: deleteItemsBody, maxElements: maxIds(limits.idsPerDelete) } },
    responses: deleteResponses,
    failures: deleteFailures,
  },
})
