import * as z from 'zod'
import { limits } from '../limits.ts'
import { defaultLanguage, languages } from '../text/languages.ts'
import { count, namespaceName, namespaceParams, text, timestamp, unpublished } from './common.ts'
import { keyFailures, operationsOf } from './operation.ts'

const dimensionRule = `must be an integer from 1 to ${limits.maxVectorDimension}`
const vectorDimension = z.int(dimensionRule).min(1, dimensionRule).max(limits.maxVectorDimension, dimensionRule)

const languageRule = `must be one of ${languages.join(', ')}`

const createTextNamespace = z
  .object({
    namespace_name: namespaceName,
    type: z.literal('text'),
    // Some clients send null; most generators can't handle a property that can only be null.
    vector_dimension: z.null('must be absent or null when type is "text"').optional().meta(unpublished),
    model: z
      .string('must be a string')
      .max(200, 'must have at most 200 characters')
      .optional()
      .describe(
        'The embedding model, one of those that the server offers; `lexical` compares words and letters without a model. Default: the current model of the server.',
      ),
    language: z
      .enum(languages, languageRule)
      .default(defaultLanguage)
      .describe(
        'Language of the documents: its endings do not count in a search by words. `none`: every ending counts.',
      ),
  })
  .meta({ id: 'CreateTextNamespace' })
const createVectorNamespace = z
  .object({ namespace_name: namespaceName, type: z.literal('vector'), vector_dimension: vectorDimension })
  .meta({ id: 'CreateVectorNamespace' })

export const createNamespaceBody = z
  .discriminatedUnion('type', [createTextNamespace, createVectorNamespace], {
    error: (issue) => (issue.code === 'invalid_union' ? 'must be "text" or "vector"' : undefined),
  })
  .meta({
    id: 'CreateNamespace',
    discriminator: {
      propertyName: 'type',
      mapping: { text: '#/$defs/CreateTextNamespace', vector: '#/$defs/CreateVectorNamespace' },
    },
    examples: [
      { namespace_name: 'my-documents', type: 'text' },
      { namespace_name: 'my-vectors', type: 'vector', vector_dimension: 384 },
    ],
  })

const namespaceType = z.enum(['text', 'vector'])

export const namespaceView = z
  .object({
    namespace_name: text,
    type: namespaceType,
    vector_dimension: z.int().nullable().describe('null for text namespaces.'),
    model: text.nullish().describe('The embedding model; null for vector namespaces.'),
    language: z.enum(languages).nullish().describe('null for vector namespaces.'),
    unread_scripts: z
      .array(text)
      .optional()
      .describe(
        'Scripts that the model does not read, by name: texts in them are ranked by their words. Absent for vector namespaces, and where the model was not measured.',
      ),
    item_count: count,
    created_at: timestamp,
  })
  .meta({ id: 'Namespace' })

const createdBody = z
  .object({
    status: z.literal('success'),
    message: text,
    namespace_name: text,
    type: namespaceType,
    vector_dimension: z.int().nullable(),
  })
  .meta({ id: 'NamespaceCreated' })

const deletingBody = z
  .object({
    status: z.literal('pending'),
    message: text,
    namespace_name: text,
    deletion_id: text.describe('Its state is at `/v1/deletions/{deletion_id}`.'),
    deletion_started_at: timestamp,
    estimated_completion: timestamp.describe(
      'When the name is expected to be free, from what the last deletions took; an assumption until deletions were measured. The state of the deletion has a later estimate.',
    ),
  })
  .meta({ id: 'NamespaceDeleting' })

const common = { tag: 'Namespaces', auth: 'key', errors: 'data' } as const

export const namespaceOperations = operationsOf(common, {
  createNamespace: {
    specified: true,
    method: 'post',
    path: '/v1/namespaces',
    summary: 'Create a namespace',
    description:
      "A text namespace is searched by the meaning of its documents, a vector namespace by your own vectors. The type can't be changed later.",
    scope: 'write',
    idempotencyKey: true,
    request: { body: { schema: createNamespaceBody } },
    responses: { 201: { description: 'The namespace is ready.', body: createdBody } },
    failures: keyFailures({
      400: 'The name, type or dimension is not allowed.',
      403: "The API key is not activated or lacks the scope, or the tier's namespace limit is reached (`details`).",
      409: 'The name exists already, or its deletion is not completed.',
      413: 'The body is larger than 10 MB.',
    }),
  },
  listNamespaces: {
    specified: true,
    method: 'get',
    path: '/v1/namespaces',
    summary: 'List namespaces',
    scope: 'read',
    request: {},
    responses: {
      200: {
        description: 'All namespaces of the account, without those being deleted.',
        body: z.object({ namespaces: z.array(namespaceView) }).meta({ id: 'NamespaceList' }),
      },
    },
    failures: keyFailures({}),
  },
  getNamespace: {
    method: 'get',
    path: '/v1/namespaces/{namespace_name}',
    summary: 'Get a namespace',
    description: 'One namespace as the list returns it.',
    scope: 'read',
    request: { params: namespaceParams },
    responses: { 200: { description: 'The namespace.', body: namespaceView } },
    failures: keyFailures({
      400: 'The name is missing in the path.',
      404: 'The namespace does not exist, is being deleted, or is not yours.',
    }),
  },
  deleteNamespace: {
    specified: true,
    method: 'delete',
    path: '/v1/namespaces/{namespace_name}',
    summary: 'Delete a namespace',
    description:
      'Removes the namespace with everything in it. It is invisible at once; its name is free again when the deletion is completed. A repeated request gets the same response.',
    scope: 'admin',
    idempotencyKey: true,
    request: { params: namespaceParams },
    responses: { 202: { description: 'The deletion is queued.', body: deletingBody } },
    failures: keyFailures({
      400: 'The name is missing in the path.',
      404: 'The namespace does not exist or is not yours.',
    }),
  },
})
