import type * as z from 'zod'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
/**
 * `read`: reads and searches. `write`: adds and removes items and files, creates namespaces. `admin`: deletes and
 * reindexes namespaces, re-extracts files.
 */
export type Scope = 'read' | 'write' | 'admin'
/** `data`: shapes A and C of the specification combined; `files`: shape B; `edge`: shape A alone; `s3`: S3's XML. */
export type ErrorShape = 'data' | 'files' | 'edge' | 's3'

type BodySpec = {
  readonly schema: z.ZodType
  /** Default `application/json`. */
  readonly mediaType?: string
  /** A request may omit the body. */
  readonly optional?: boolean
  /** End of the 413 message: the largest batch that fits. */
  readonly largestBatch?: string
  /** Keys, and objects and arrays, of the whole body. Default `limits.jsonKeys`, `limits.jsonContainers`. */
  readonly keys?: number
  /** Array elements and object members of the whole body, without the first of each. Default `limits.jsonElements`. */
  readonly elements?: number
  /** Checked before the body is parsed; `rule` completes "<field> …". */
  readonly maxElements?: Readonly<Record<string, { readonly elements: number; readonly rule: string }>>
}
type RequestSpec = { readonly params?: z.ZodObject; readonly query?: z.ZodObject; readonly body?: BodySpec }

type ResponseSpec = {
  readonly description: string
  /** JSON; absent with `text` or without a body. */
  readonly body?: z.ZodType
  /** Alternative JSON body that the request can select. */
  readonly instead?: z.ZodType
  /** Media type of a text response. */
  readonly text?: string
  /** Bytes of any media type. */
  readonly bytes?: true
  /** Server-sent events that the request can select in place of a body. */
  readonly events?: string
}

/**
 * The route table and the OpenAPI document are generated from operations. `path`: in OpenAPI's form; `{+name}` at its
 * end stands for one or more segments. `failures`: what each status means here; `errors`: the body of a failure.
 */
export type Operation = {
  readonly operationId: string
  readonly method: Method
  readonly path: string
  readonly tag: string
  /** Also names the operation in the message of a 500. */
  readonly summary: string
  readonly description?: string
  readonly errors: ErrorShape
  /** Honors `Idempotency-Key`; for operations that change an account's data or the operator's. */
  readonly idempotencyKey?: true
  /** Belongs to the Moorcheh API (docs/compatibility.md); the document labels every other operation `Cairn`. */
  readonly specified?: boolean
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

/** Keeps the exact type, so that a handler knows its schemas. Adds the failures of an idempotency key. */
export const operation = <const O extends Operation>(row: O): O => {
  if (!row.idempotencyKey) return row
  const own: Readonly<Record<number, string>> = row.failures
  const failures: Record<number, string> = { ...own }
  for (const [status, description] of Object.entries(ofIdempotencyKey))
    failures[Number(status)] = [own[Number(status)], description].filter(Boolean).join(' ')
  return { ...row, failures }
}

type Field = Omit<Operation, 'operationId' | 'auth'> & { readonly auth: Operation['auth']; readonly scope: Scope }

/** Adds the `common` fields to each. */
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

export const keyFailures = (own: Readonly<Record<number, string>>): Readonly<Record<number, string>> => ({
  401: 'The API key is missing, unknown, disabled, revoked or expired.',
  403: 'The API key is not activated or lacks the scope.',
  429: "The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them).",
  ...always,
  ...own,
})

export const adminFailures = (own: Readonly<Record<number, string>>): Readonly<Record<number, string>> => ({
  401: 'The admin key is missing or wrong.',
  404: 'The admin API is off because no admin key is set.',
  ...always,
  ...own,
})
