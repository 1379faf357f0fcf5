import * as z from 'zod'
import { isUserObject, type UserObject } from '../documents/metadata.ts'
import { normaliseId } from '../ids.ts'
import { limits } from '../limits.ts'

// A message with a lower-case letter first completes "<field> …" and is followed by the value sent. One with a capital
// is a whole sentence, where the specification fixes the text.

const namePattern = new RegExp(`^[A-Za-z0-9_-]{1,${limits.namespaceNameLength}}$`)

/** Stores are never queried for an invalid name. */
export const isNamespaceName = (name: string): boolean => namePattern.test(name)

export const namespaceName = z
  .string()
  .regex(
    namePattern,
    `must be 1 to ${limits.namespaceNameLength} characters, only letters, digits, hyphens and underscores`,
  )
  .meta({ id: 'NamespaceName', description: 'Unique within the account.', examples: ['my-documents'] })

export const namespaceParams = z.object({ namespace_name: namespaceName })

export const timestamp = z.iso
  .datetime()
  .meta({ id: 'Timestamp', description: 'ISO 8601, UTC.', examples: ['2026-03-01T12:00:00.000Z'] })

/** Served to earlier clients and left out of the published document. */
export const unpublished = { 'x-published': false } as const

/** Servers of version 0.1 don't send this field. */
export const estimatedCompletion = timestamp
  .nullable()
  .describe(
    'When the work is expected to be finished, from what is queued before it and what the last work of its kind took. null once it is finished, and while nothing is known.',
  )

export const count = z.int().min(0)
export const text = z.string()

/** As sent; `#/$defs/…` becomes a reference to the component. */
const textIdJson = {
  type: 'string',
  minLength: 1,
  maxLength: limits.idBytes,
  pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]*$`,
}
const sentIdJson = {
  anyOf: [
    textIdJson,
    { type: 'number', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    { type: 'number', minimum: 1e21 },
    { type: 'number', maximum: -1e21 },
  ],
}

const sentIdMeta = {
  description: `1 to ${limits.idBytes} bytes of UTF-8 without control characters. A number is taken as its text, so \`1\` and \`"1"\` are the same id; integers beyond ±(2^53−1) must be sent as strings.`,
  examples: ['doc-1', 17],
}

/** Parsed to its canonical form, a string. */
export const sentId = z
  .unknown()
  .transform((value, context) => {
    const checked = normaliseId(value)
    if (checked.ok) return checked.id
    context.addIssue({ code: 'custom', message: checked.requirement, input: value })
    return z.NEVER
  })
  .meta({
    id: 'SentId',
    ...sentIdMeta,
    ...sentIdJson,
    'x-published': { ...sentIdMeta, anyOf: [textIdJson, { type: 'number' }] },
  })

/** Checks only the id and does not copy the object, so no key is lost. */
export const userObject = (meta: { readonly id: string } & Record<string, unknown>) =>
  z
    .custom<UserObject>()
    .superRefine((value: unknown, context) => {
      if (!isUserObject(value)) return context.addIssue({ code: 'custom', message: 'must be an object', input: value })
      const checked = normaliseId(value['id'])
      if (!checked.ok)
        context.addIssue({ code: 'custom', message: checked.requirement, path: ['id'], input: value['id'] })
    })
    .meta(meta)

export const idsRule = 'The ids array is required and cannot be empty'
const maxIdsRule = (max: number) => `must have at most ${max} elements`

export const sentIds = (max: number) => z.array(sentId, idsRule).min(1, idsRule).max(max, maxIdsRule(max))

/** Returns the limit of `sentIds` for the guard that counts before parsing. */
export const maxIds = (max: number) => ({ ids: { elements: max, rule: maxIdsRule(max) } })

export const itemId = z.string().meta({ id: 'ItemId', description: 'Id of a document or vector.', examples: ['doc-1'] })

/** Not `z.record`, which copies all keys except `__proto__`. */
export const metadataView = z.custom<UserObject>(isUserObject, 'must be an object').meta({
  id: 'Metadata',
  type: 'object',
  additionalProperties: {},
  description: 'As sent, with a single object under `metadata` merged into the flat keys.',
  examples: [{ source: 'handbook', page: 4 }],
})

/** Digits only; parsed to a number. */
export const queryInteger = (options: {
  /** Default 1. */
  readonly min?: number
  readonly max: number
  readonly fallback: number
  readonly description: string
}) => {
  const { min = 1 } = options
  const message = `must be an integer from ${min} to ${options.max}`
  return z
    .unknown()
    .transform((value, context) => {
      const number = typeof value === 'string' && /^(?:0|[1-9]\d{0,8})$/.test(value) ? Number(value) : -1
      if (number >= min && number <= options.max) return number
      context.addIssue({ code: 'custom', message, input: value })
      return z.NEVER
    })
    .default(options.fallback)
    .meta({
      type: 'integer',
      minimum: min,
      maximum: options.max,
      default: options.fallback,
      description: options.description,
    })
}

export const waitQuery = z.object({
  wait: queryInteger({
    min: 0,
    max: limits.waitSeconds,
    fallback: 0,
    description:
      'Seconds to wait for the end of the work: the response comes as soon as it is finished, at the latest after this time.',
  }),
})

const failureFields = {
  status: z.literal('failure'),
  message: text.describe('The cause, for people.'),
  error: text.describe('The kind of failure, for programs. It does not change for a given cause.'),
  request_id: text.describe('Also in the header `x-request-id`.'),
}

/** Shapes A and C of the specification combined. */
export const failureBody = z
  .object({
    ...failureFields,
    details: z.record(z.string(), z.unknown()).optional(),
    suggestion: text.optional(),
    namespace_name: text.optional(),
    timestamp: timestamp.optional(),
  })
  .meta({ id: 'Failure' })

export const limitFailureBody = z
  .object({
    ...failureFields,
    current_usage: z.number().optional().describe('Requests of this period; absent when the subscription has expired.'),
    limit: z.number().optional().describe("The plan's requests in a period; absent when the subscription has expired."),
  })
  .meta({ id: 'LimitFailure' })

/** Shape B of the specification. 401 and 403 have `message`. */
export const fileFailureBody = z
  .object({ error: text, message: text.optional(), request_id: text })
  .meta({ id: 'FileFailure' })

/** Shape A of the specification without additions. */
export const edgeFailureBody = z
  .object({
    status: z.literal('failure'),
    message: text,
    items: count.optional().describe('Items in the store, when its item limit is exceeded.'),
    max_items: count.optional(),
    requested_new: count.optional(),
  })
  .meta({ id: 'EdgeFailure' })

export const passageCounts = z
  .object({ reused: count, embedded: count })
  .nullish()
  .describe(
    'Passages by the source of their vectors: texts that the namespace had already, and texts that the model embedded. null until all are indexed, and for vectors.',
  )
