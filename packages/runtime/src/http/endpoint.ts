import type { Readable } from 'node:stream'
import type { Operation } from '@cairn/contracts/http/operation'
import type * as z from 'zod'
import type { ApiRequest, Endpoint, HttpResponse, ServerSentEvent } from './api-request.ts'
import { parse } from './parse.ts'

type Immutable<T> = T extends readonly (infer E)[]
  ? readonly Immutable<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Immutable<T[K]> }
    : T

export type ParamsOf<O> = O extends { readonly request: { readonly params: infer S extends z.ZodType } }
  ? Immutable<z.output<S>>
  : Readonly<Record<string, never>>
export type QueryOf<O> = O extends { readonly request: { readonly query: infer S extends z.ZodType } }
  ? z.output<S>
  : undefined
export type BodyOf<O> = O extends {
  readonly request: { readonly body: { readonly schema: infer S extends z.ZodType } }
}
  ? z.output<S>
  : undefined

type HeaderFields = Readonly<Record<string, string>>
type Json<S extends number, B extends z.ZodType> = {
  readonly status: S
  /** Bytes must already be JSON, sent unchanged; `headers` must have their `content-type`. */
  readonly body: Immutable<z.input<B>> | Uint8Array
  readonly headers?: HeaderFields
  readonly contentHash?: string
}
type Text<S extends number> = {
  readonly status: S
  readonly body: string | Uint8Array
  readonly headers: HeaderFields & { readonly 'content-type': string }
}
type Bytes<S extends number> = { readonly status: S; readonly stream: Readable; readonly headers: HeaderFields }
type Events<S extends number> = {
  readonly status: S
  readonly events: AsyncIterable<ServerSentEvent>
  readonly headers?: HeaderFields
}
type Empty<S extends number> = { readonly status: S; readonly headers?: HeaderFields }

type ReplyAs<S extends number, R> =
  | (R extends { readonly body: infer B extends z.ZodType } ? Json<S, B> : never)
  | (R extends { readonly instead: infer B extends z.ZodType } ? Json<S, B> : never)
  | (R extends { readonly text: string } ? Text<S> : never)
  | (R extends { readonly bytes: true } ? Bytes<S> : never)
  | (R extends { readonly events: string } ? Events<S> : never)
  | (R extends
      | { readonly body: unknown }
      | { readonly text: string }
      | { readonly bytes: true }
      | { readonly events: string }
      ? never
      : Empty<S>)

/** One type for each status and form of its body. */
export type ReplyOf<O extends Pick<Operation, 'responses'>> = {
  [S in keyof O['responses'] & number]: ReplyAs<S, O['responses'][S]>
}[keyof O['responses'] & number]

/** Return type of functions that create a response's body: they can't add fields that its schema lacks. */
export type ResponseBody<
  O extends { readonly responses: { readonly [status in S]: { readonly body: z.ZodType } } },
  S extends number,
> = Immutable<z.input<O['responses'][S]['body']>>

export type SentTo<O> = {
  readonly params: ParamsOf<O>
  /** Throws AppError `invalid`. */
  query(): QueryOf<O>
  /** Parses an optional body that was not sent as `{}`. Throws AppError `invalid`. */
  body(): BodyOf<O>
}

export type EndpointRequest<O, C> = Omit<ApiRequest<C>, keyof SentTo<O>> & SentTo<O>

/**
 * Joins an operation and its handler. An error that the handler throws before it calls `query()` or `body()` precedes
 * the 400 for an invalid query or body.
 *
 *     const getNamespace = endpoint(operations.getNamespace, async ({ params }) => ({ status: 200, body: … }))
 */
export const endpoint = <
  O extends Operation,
  C,
  // Without `const` a status is widened to `number`, which fits no response.
  const R extends ReplyOf<O>,
>(
  operation: O,
  handle: (request: EndpointRequest<O, C>) => R | Promise<R>,
): Endpoint<C> => {
  const { query, body } = operation.request
  return {
    operation,
    handle: (request) => {
      // Inherits instead of copying: some properties of a request are computed when first read.
      const typed = Object.assign(Object.create(request), {
        query: () => query && parse(query, request.sentQuery),
        body: () => body && parse(body.schema, body.optional ? (request.sentBody ?? {}) : request.sentBody),
      })
      return handle(typed) as HttpResponse | Promise<HttpResponse>
    },
  }
}
