import type * as z from 'zod'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
/**
 * Permissions of a key: `read` reads and searches; `write` adds and removes items and files, and creates namespaces;
 * `admin` deletes and reindexes namespaces, and re-extracts their files.
 */
export type Scope = 'read' | 'write' | 'admin'
/**
 * Failure body of a route: `data` is shapes A and C of the specification combined, `files` is shape B, `edge` shape A
 * alone, `s3` S3's XML.
 */
export type ErrorShape = 'data' | 'files' | 'edge' | 's3'

type BodySpec = {
  readonly schema: z.ZodType
  /** Default `application/json`. */
  readonly mediaType?: string
  /** Whether a request may omit the body. */
  readonly optional?: boolean
  /** End of the 413 message: the largest batch that fits. */
  readonly largestBatch?: string
  /** Maximum keys of the whole body, and maximum objects and arrays. Default `limits.jsonKeys`, `limits.jsonContainers`. */
  readonly keys?: number
  /**
   * Maximum array elements and object members of the whole body, without the first of each array or object. Default
   * `limits.jsonElements`.
   */
  readonly elements?: number
  /** Maximum elements of array fields, checked before the body is parsed; `rule` completes "<field> …". */
  readonly maxElements?: Readonly<Record<string, { readonly elements: number; readonly rule: string }>>
}
type RequestSpec = { readonly params?: z.ZodObject; readonly query?: z.ZodObject; readonly body?: BodySpec }

type ResponseSpec = {
  readonly description: string
  /** JSON body; absent if `text` is set or the response has no body. */
  readonly body?: z.ZodType
  /** Schema of an alternative JSON body that the request can select. */
  readonly instead?: z.ZodType
  /** Media type of a response that is text, not JSON. */
  readonly text?: string
  /** Whether the response is a stream of bytes of any media type. */
  readonly bytes?: true
  /** Description of the server-sent events that the request can select in place of a body. */
  readonly events?: string
}

/**
 * One operation of the API: the route table and the OpenAPI document are both generated from the operations. `path` is
 * in OpenAPI's form; `{+name}` at its end stands for one or more segments. `failures` describes what each status means
 * for this operation; `errors` determines the body of a failure. `largestBatch`, `elements` and `maxElements` of a body
 * are for the guard that reads the body.
 */
export type Operation = {
  readonly operationId: string
  readonly method: Method
  readonly path: string
  readonly tag: string
  /** Summary; also names the operation in the message of a 500. */
  readonly summary: string
  readonly description?: string
  readonly errors: ErrorShape
  /**
   * Whether the operation honors the header `Idempotency-Key`; set for operations that change an account's data or the
   * operator's.
   */
  readonly idempotencyKey?: true
  /** False: pages of other origins may not read the responses, whatever `CAIRN_CORS_ORIGINS` allows. */
  readonly cors?: false
  readonly request: RequestSpec
  readonly responses: Readonly<Record<number, ResponseSpec>>
  readonly failures: Readonly<Record<number, string>>
} & ({ readonly auth: 'key'; readonly scope: Scope } | { readonly auth: 'admin' | 'edge' | 'signature' | 'none' })

const ofIdempotencyKey = {
  400: 'The `Idempotency-Key` is not usable.',
  409: 'A request with this `Idempotency-Key` is in progress.',
  422: 'The `Idempotency-Key` was sent with another request.',
} as const

/**
 * Returns the operation with its exact type, so that a handler knows its schemas. Adds the failures that an idempotency
 * key can cause.
 */
export const operation = <const O extends Operation>(row: O): O => {
  if (!row.idempotencyKey) return row
  const own: Readonly<Record<number, string>> = row.failures
  const failures: Record<number, string> = { ...own }
  for (const [status, description] of Object.entries(ofIdempotencyKey))
    failures[Number(status)] = [own[Number(status)], description].filter(Boolean).join(' ')
  return { ...row, failures }
}

type Field = Omit<Operation, 'operationId' | 'auth'> & { readonly auth: Operation['auth']; readonly scope: Scope }

/** Returns operations by id, with the `common` fields added to each operation. */
export const operationsOf = <
  const C extends Partial<Field>,
  const R extends Readonly<Record<string, Partial<Omit<Field, keyof C>>>>,
>(
  common: C,
  rows: R,
) =>
  Object.fromEntries(
    Object.entries(rows).map(([operationId, row]) => [
      operationId,
      operation({ ...common, ...row, operationId } as unknown as Operation),
    ]),
  ) as unknown as { readonly [N in keyof R]: C & R[N] & { readonly operationId: N } }

const always = {
  500: 'Internal server error; the message names the failing operation.',
  503: 'A part of the service is not available; try again after `Retry-After`.',
}

/** Returns the failures of every operation that needs an API key, with `own` added. */
export const keyFailures = (own: Readonly<Record<number, string>>): Readonly<Record<number, string>> => ({
  401: 'The API key is missing, unknown, disabled, revoked or expired.',
  403: 'The API key is not activated or lacks the scope.',
  429: "The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them).",
  ...always,
  ...own,
})

/** Returns the failures of every admin operation, with `own` added. */
export const adminFailures = (own: Readonly<Record<number, string>>): Readonly<Record<number, string>> => ({
  401: 'The admin key is missing or wrong.',
  404: 'The admin API is off because no admin key is set.',
  ...always,
  ...own,
})
