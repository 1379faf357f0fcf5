import * as z from 'zod'
import { edgeFailureBody, failureBody, fileFailureBody, limitFailureBody } from '../http/common.ts'
import type { ErrorShape, Operation } from '../http/operation.ts'
import type { Json } from '../json/json.ts'
import { limits } from '../limits.ts'
import { productVersion } from '../product-version.ts'
import { authTexts, errorTitles, idempotencyKeyHeader } from './failures.ts'
import { exactSchema, publishSchema } from './publish-schema.ts'
import { responseExamples } from './response-examples.ts'

type JsonMap = { [key: string]: Json }
export type OpenApiDocument = {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: { readonly [path: string]: { readonly [method: string]: Json } }
  readonly components: { readonly schemas: JsonMap; readonly [kind: string]: JsonMap }
}

export const apiInfo = {
  title: 'Cairn',
  version: productVersion,
  description: [
    'Store documents and vectors in namespaces and search them by meaning.',
    'Every call of `/v1` carries an API key in the header `x-api-key`; calls of `/admin/v1` carry the admin key in `x-admin-key`.',
    'Bodies are JSON in UTF-8 (`content-type: application/json`, not compressed), at most 10 MB and 64 levels deep, with at most 100,000 keys, 100,000 objects and arrays, and 250,000 elements (an upload of vectors has 4,346,000). Of a key that is repeated in one object the last value counts. Fields of a body that are not named here are accepted and ignored; so are unknown query parameters.',
    'Operations with the label *Cairn* (`x-badges`) are additions to the Moorcheh API, which the others keep (docs/compatibility.md).',
    'Every answer carries `x-request-id`; one that was sent is kept when it is at most 64 letters, digits, dots, hyphens or underscores and holds no key.',
  ].join('\n\n'),
} as const

const tags = [
  { name: 'Namespaces', description: 'The containers of everything else.' },
  { name: 'Documents', description: 'Texts, indexed by meaning.' },
  { name: 'Vectors', description: 'Embeddings of your own.' },
  { name: 'Files', description: 'Files of a text namespace: upload, processing and deletion.' },
  { name: 'Search', description: 'By text or by vector, over one or more namespaces of one type.' },
  { name: 'Answers', description: 'Questions answered from what a namespace has about them.' },
  { name: 'Uploads', description: 'What became of an upload.' },
  {
    name: 'Maintenance',
    description: 'Changing the model of a namespace, extracting its files again, and measuring its searches.',
  },
  { name: 'Events', description: 'What happens to content, as it happens.' },
  { name: 'Usage', description: 'What an account has used.' },
  { name: 'Console', description: 'The page in a browser.' },
  { name: 'Admin', description: 'Accounts, keys, usage and orphaned objects, for the operator.' },
  { name: 'Edge store', description: 'Its whole API.' },
  { name: 'Service', description: 'Health, metrics and this document.' },
]

const requestIdExample = 'req_7d0f6c0e-5a53-4c52-9d4c-0f2f1a3f6d11'
const headers: JsonMap = {
  'x-request-id': { description: 'Names this call in the logs.', required: true, schema: { type: 'string' } },
  RateLimit: { description: 'What is left of the plan in this period.', schema: { type: 'string' } },
  'RateLimit-Policy': { description: "The plan's limit and its period.", schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait before trying again.', schema: { type: 'integer', minimum: 0 } },
}
const headerRefs = (names: readonly string[]): JsonMap =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const headersOf = (operation: Operation, status: number): JsonMap =>
  headerRefs([
    'x-request-id',
    ...(operation.auth === 'key' && status !== 401 ? ['RateLimit', 'RateLimit-Policy'] : []),
    ...((status === 429 || status === 503) && operation.auth !== 'none' ? ['Retry-After'] : []),
  ])

// zod puts a schema under its `id` in `$defs`, an OpenAPI document under its components.
const toComponents = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(toComponents)
  if (typeof value === 'string') return value.replace(/^#\/\$defs\//, '#/components/schemas/')
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toComponents(inner)]))
}

/** Collects all schemas first, because named parts are shared only within one conversion. */
const createSchemas = (isExact: boolean) => {
  const gathered = new Map<z.ZodType, string>()
  const reference = (schema: z.ZodType): string => {
    const name = gathered.get(schema) ?? `s${gathered.size}`
    gathered.set(schema, name)
    return name
  }
  const convert = (): { readonly of: (schema: z.ZodType) => JsonMap; readonly components: JsonMap } => {
    const all = z.object(Object.fromEntries([...gathered].map(([schema, name]) => [name, schema])))
    const json = z.toJSONSchema(all, {
      io: 'input',
      // Only schemas with their own JSON Schema are custom.
      unrepresentable: ({ zodSchema }) => (zodSchema._zod.def.type === 'custom' ? 'any' : 'throw'),
      override: ({ zodSchema, jsonSchema }) => {
        delete jsonSchema.id
        // For transformed schemas, zod takes `default` and `examples` as output values; here they are input values.
        const { default: fallback, examples } = z.globalRegistry.get(zodSchema) ?? {}
        Object.assign(jsonSchema, fallback === undefined ? {} : { default: fallback }, examples ? { examples } : {})
        if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER && jsonSchema.type === 'integer') delete jsonSchema.minimum
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER && jsonSchema.type === 'integer') delete jsonSchema.maximum
        // Keys in JSON are always strings.
        if (jsonSchema.type === 'object') delete jsonSchema.propertyNames
      },
    }) as unknown as { properties: JsonMap; $defs?: JsonMap }
    const components = toComponents(json.$defs ?? {}) as JsonMap
    const finish = (value: Json): JsonMap =>
      (isExact ? exactSchema(value) : publishSchema(value, components)) as JsonMap
    const properties = toComponents(json.properties) as JsonMap
    return {
      of: (schema) => finish(properties[reference(schema)] ?? {}),
      components: finish(components),
    }
  }
  return { reference, convert }
}

const failureSchemas: Readonly<Record<ErrorShape, (status: number) => z.ZodType>> = {
  data: (status) => (status === 429 ? limitFailureBody : failureBody),
  files: () => fileFailureBody,
  edge: () => edgeFailureBody,
  s3: () => z.string(),
}

const example = (message: string, error: string): Json => ({
  status: 'failure',
  message,
  error,
  request_id: requestIdExample,
})

const authExamples = (operation: Operation, status: number): JsonMap | undefined => {
  if (operation.errors !== 'data') return undefined
  const title = status === 401 ? errorTitles.unauthenticated : errorTitles.forbidden
  const names: Partial<Record<number, readonly (keyof typeof authTexts)[]>> =
    operation.auth === 'admin'
      ? { 401: ['missingAdminKey', 'invalidAdminKey'] }
      : { 401: ['missingKey', 'unknownKeyId', 'invalidKey', 'disabledKey'], 403: ['inactiveKey', 'insufficientScope'] }
  const listed = names[status]
  return listed && Object.fromEntries(listed.map((name) => [name, { value: example(authTexts[name], title) }]))
}

const idempotencyKeyParameter: JsonMap = {
  name: idempotencyKeyHeader,
  in: 'header',
  required: false,
  description:
    'A value of your own, such as a UUID, that makes the request safe to repeat: for 24 hours the same request with the same key gets the same response, and nothing is done twice.',
  schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyLength, pattern: '^[!-~]+$' },
}

const parametersOf = ({ request, idempotencyKey }: Operation, of: Convert): Json[] => {
  const list = (place: 'path' | 'query', shape: Readonly<Record<string, z.ZodType>>): Json[] =>
    Object.entries(shape).map(([name, part]) => {
      const { description, ...schema } = of(part)
      return {
        name,
        in: place,
        required: place === 'path' || !part.safeParse(undefined).success,
        ...(description === undefined ? {} : { description }),
        schema,
      }
    })
  return [
    ...list('path', request.params?.shape ?? {}),
    ...list('query', request.query?.shape ?? {}),
    ...(idempotencyKey ? [idempotencyKeyParameter] : []),
  ]
}

const securityOf = ({ auth }: Operation): Json[] =>
  ({ key: [{ ApiKey: [] }], admin: [{ AdminKey: [] }], edge: [{}, { ApiKey: [] }], signature: [], none: [] })[auth]

type Convert = (schema: z.ZodType) => JsonMap

const responseOf = (operation: Operation, status: number, of: Convert, isExact: boolean): Json => {
  const { description, body, instead, text, bytes, events } = operation.responses[status] ?? { description: '' }
  const example = responseExamples[operation.operationId]?.[status]
  const json = body && {
    schema: instead ? { anyOf: [of(body), of(instead)] } : of(body),
    ...(example === undefined ? {} : { example }),
  }
  const content = {
    ...(json ? { 'application/json': json } : {}),
    ...(text ? { [text]: { schema: { type: 'string' } } } : {}),
    // Generators know no wildcards.
    ...(bytes
      ? { [isExact ? '*/*' : 'application/octet-stream']: { schema: { type: 'string', format: 'binary' } } }
      : {}),
    ...(events ? { 'text/event-stream': { schema: { type: 'string', description: events } } } : {}),
  }
  return {
    description,
    headers: headersOf(operation, status),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  }
}

const failureOf = (operation: Operation, status: number, of: Convert): Json => {
  const examples = authExamples(operation, status)
  const media = { schema: of(failureSchemas[operation.errors](status)), ...(examples ? { examples } : {}) }
  return {
    description: operation.failures[status] ?? '',
    headers: headersOf(operation, status),
    content: { 'application/json': media },
  }
}

const requestBodyOf = (body: NonNullable<Operation['request']['body']>, of: Convert): Json => {
  const { schema, mediaType = 'application/json', optional = false } = body
  return { required: !optional, content: { [mediaType]: { schema: of(schema) } } }
}

const rowOf = (operation: Operation, of: Convert, isExact: boolean): Json => {
  const { operationId, tag, specified, summary, description, request } = operation
  const answers = [
    ...Object.keys(operation.responses).map((status) => [status, responseOf(operation, +status, of, isExact)] as const),
    ...Object.keys(operation.failures).map((status) => [status, failureOf(operation, +status, of)] as const),
  ].toSorted(([a], [b]) => Number(a) - Number(b))
  const scope = operation.auth === 'key' ? `Needs the scope \`${operation.scope}\`.` : ''
  const parameters = parametersOf(operation, of)
  return {
    operationId,
    tags: [tag],
    // Not a second tag: generators would write the operation into two classes.
    ...(specified ? {} : { 'x-badges': [{ name: 'Cairn' }] }),
    summary,
    ...(description || scope ? { description: [description, scope].filter(Boolean).join(' ') } : {}),
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(request.body ? { requestBody: requestBodyOf(request.body, of) } : {}),
    responses: Object.fromEntries(answers),
  }
}

/** Each schema is referenced before any is converted. */
const referenceAll = (operations: readonly Operation[], reference: (schema: z.ZodType) => unknown): void => {
  for (const { request, responses, failures, errors } of operations) {
    for (const part of [request.params, request.query])
      for (const field of Object.values(part?.shape ?? {})) reference(field)
    if (request.body) reference(request.body.schema)
    for (const { body, instead } of Object.values(responses)) for (const one of [body, instead]) if (one) reference(one)
    for (const status of Object.keys(failures)) reference(failureSchemas[errors](Number(status)))
  }
}

type OpenApiOptions = {
  readonly info?: OpenApiDocument['info']
  /** Absolute or relative to the document. Default: the server that serves the document. */
  readonly server?: string
  /** Includes rules that client generators do not understand. */
  readonly isExact?: boolean
}

/** Is pure: equal operations give equal documents. */
export const buildOpenApi = (
  operations: readonly Operation[],
  { info = apiInfo, server = '/', isExact = false }: OpenApiOptions = {},
): OpenApiDocument => {
  const schemas = createSchemas(isExact)
  referenceAll(operations, schemas.reference)
  const { of, components } = schemas.convert()

  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of operations) {
    const { path, method } = operation
    paths[path] = { ...paths[path], [method]: rowOf(operation, of, isExact) }
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: server }],
    tags: tags.filter(({ name }) => operations.some(({ tag }) => tag === name)),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1))),
      headers,
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        AdminKey: { type: 'apiKey', in: 'header', name: 'x-admin-key' },
      },
    },
  }
}
