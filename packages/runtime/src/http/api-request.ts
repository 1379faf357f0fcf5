import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Operation } from '@cairn/contracts/http/operation'
import type { Logger } from '../process/logger.ts'
import type { Timings } from '../process/timings.ts'

/** One request as its guards see it; the guards set `caller`, `sentBody` and `bodyHash`. `C` is the service's type of a caller. */
export type GuardedRequest<C> = {
  readonly operation: Operation
  readonly requestId: string
  /** W3C trace context for work that continues the request; null if it is not traced. */
  readonly traceparent: string | null
  /** Decoded path parameters. By the time the endpoint runs, every parameter has been matched against its pattern. */
  readonly params: Readonly<Record<string, string>>
  /** Unparsed query parameters. A repeated parameter is an array. The object has no prototype. */
  readonly sentQuery: Readonly<Record<string, string | readonly string[]>>
  /** Adds the request id to every line. */
  readonly log: Logger
  readonly timings: Timings
  /** Aborted when the client disconnects before it has its answer. */
  readonly signal: AbortSignal
  /** Raw request, for code that reads the body: a guard, or an endpoint that stores the body while it arrives. */
  readonly raw: IncomingMessage
  /**
   * Returns the value of a header; `name` is in lower case. Several headers with the same name are joined with ", ".
   */
  header(name: string): string | undefined
  /** Adds a header to the response, including an error response. */
  setHeader(name: string, value: string): void
  /** Answers "100 Continue" to a client that waits for it before sending its body. */
  continueBody(): void
  /**
   * Calls `release` once when the request has ended: its work is done, and the response was sent or the client has
   * disconnected.
   */
  onEnd(release: () => void): void
  caller: C | undefined
  /** Unvalidated body; undefined until a guard has read it. */
  sentBody: unknown
  /** SHA-256 of the JSON body as it was sent, if the request has an idempotency key. */
  bodyHash: string | undefined
}

/** One request as an endpoint sees it. */
export type ApiRequest<C> = Readonly<Omit<GuardedRequest<C>, 'caller'>> & { readonly caller: C }

/** One server-sent event; the data is sent as JSON. `id`: position from which a client that reconnects continues. */
export type ServerSentEvent = { readonly id?: string; readonly event: string; readonly data: unknown }

/**
 * `body` is sent as JSON; a string or bytes with a `content-type` in `headers` are sent unchanged. If `events` is set,
 * its events are streamed instead. The iterator must not throw, since the response can no longer change; it is closed
 * when the client disconnects. If `stream` is set, its bytes are sent; `headers` have their type and length. The stream
 * is destroyed when the client disconnects.
 */
export type HttpResponse = {
  readonly status: number
  readonly body?: unknown
  readonly events?: AsyncIterable<ServerSentEvent>
  readonly stream?: Readable
  readonly headers?: Readonly<Record<string, string>>
  /** Hash of a body that the endpoint read itself; identifies a repeated request. Not sent. */
  readonly contentHash?: string
}

/** Refuses the request by throwing an AppError. */
export type Guard<C> = (request: GuardedRequest<C>) => void | Promise<void>

/** An operation with its handler. `endpoint` creates an Endpoint whose types follow from the operation. */
export type Endpoint<C> = {
  readonly operation: Operation
  readonly handle: (request: ApiRequest<C>) => HttpResponse | Promise<HttpResponse>
}

/** One row of the route table: the guards run in order, then the endpoint. */
export type Route<C> = Endpoint<C> & { readonly guards: readonly Guard<C>[] }
