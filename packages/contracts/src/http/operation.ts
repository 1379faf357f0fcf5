import type * as z from 'zod'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
/** What a key may do: `read` looks, `write` puts in and removes items and creates namespaces, `admin` deletes namespaces. */
export type Scope = 'read' | 'write' | 'admin'
/** Which failure body a route answers with: `data` is shapes A and C of the specification at once, `files` is shape B, `edge` shape A alone, `s3` S3's XML. */
export type ErrorShape = 'data' | 'files' | 'edge' | 's3'

type BodySpec = {
  readonly schema: z.ZodType
  /** Default `application/json`. */
  readonly mediaType?: string
  /** The call may come without one. */
  readonly optional?: boolean
  /** Ends the 413 message: what the largest batch is that fits. */
  readonly largestBatch?: string
  /** Elements of all arrays of the body together. Default `limits.jsonElements`. */
  readonly elements?: number
  /** Fields whose arrays are refused before the body is parsed when they have more elements; `rule` completes "<field> …". */
  readonly most?: Readonly<Record<string, { readonly elements: number; readonly rule: string }>>
}
type RequestSpec = { readonly params?: z.ZodObject; readonly query?: z.ZodObject; readonly body?: BodySpec }

type ResponseSpec = {
  readonly description: string
  /** JSON; absent where `text` is set or there is no body. */
  readonly body?: z.ZodType
  /** The JSON that comes in its place where the request asks for it. */
  readonly instead?: z.ZodType
  /** Media type of an answer that is text, not JSON. */
  readonly text?: string
  /** What comes instead as server-sent events, where the request asks for them. */
  readonly events?: string
}

/**
 * One row of the API: the route table and the OpenAPI document are both made from it.
 * `path` is in OpenAPI's form; `{+name}` at its end stands for one or more segments. `failures` says for each status what it means here; the body follows from `errors`.
 * `largestBatch`, `elements` and `most` of a body are for the guard that reads it.
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
  readonly request: RequestSpec
  readonly responses: Readonly<Record<number, ResponseSpec>>
  readonly failures: Readonly<Record<number, string>>
} & ({ readonly auth: 'key'; readonly scope: Scope } | { readonly auth: 'admin' | 'edge' | 'signature' | 'none' })

/** Keeps the exact type, so that a handler sees which schemas its operation has. */
export const operation = <const O extends Operation>(row: O): O => row

const always = {
  500: 'Internal server error; the message names the failing operation.',
  503: 'A part of the service is not available; try again after `Retry-After`.',
}

/** Failures of every operation that needs an API key, with what this one adds. */
export const keyFailures = (own: Readonly<Record<number, string>>): Readonly<Record<number, string>> => ({
  401: 'The API key is missing, unknown, disabled, revoked or expired.',
  403: 'The API key is not activated or lacks the scope.',
  429: "The plan's request limit is reached (`current_usage`, `limit`), or the subscription has expired, or too many or too large requests are under way (without them).",
  ...always,
  ...own,
})

/** Failures of every admin operation, with what this one adds. */
export const adminFailures = (own: Readonly<Record<number, string>>): Readonly<Record<number, string>> => ({
  401: 'The admin key is missing or wrong.',
  404: 'The admin API is off because no admin key is set.',
  ...always,
  ...own,
})
