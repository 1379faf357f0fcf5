import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Operation } from '@cairn/contracts/http/operation'
import type { Logger } from '../process/logger.ts'
import type { Timings } from '../process/timings.ts'

/** A request as its guards see it, who set `caller`, `sentBody` and `bodyHash`. `C` is the service's caller. */
export type GuardedRequest<C> = {
  readonly operation: Operation
  readonly requestId: string
  /** W3C trace context for work that continues the request; null: not traced. */
  readonly traceparent: string | null
  /** Decoded; matched against their patterns before the endpoint runs. */
  readonly params: Readonly<Record<string, string>>
  /** Unparsed; a repeated parameter is an array. The object has no prototype. */
  readonly sentQuery: Readonly<Record<string, string | readonly string[]>>
  readonly log: Logger
  readonly timings: Timings
  /** Aborted when the client disconnects before it has its answer. */
  readonly signal: AbortSignal
  /** For a guard that reads the body, or an endpoint that stores it while it arrives. */
  readonly raw: IncomingMessage
  /** Returns a header; `name` is in lower case. Joins several headers of a name with ", ". */
  header(name: string): string | undefined
  /** Applies to an error response, too. */
  setHeader(name: string, value: string): void
  /** Answers "100 Continue" to a client that waits for it. */
  continueBody(): void
  /** Calls `release` once when the work is done, and the response was sent or the client has disconnected. */
  onEnd(release: () => void): void
  caller: C | undefined
  /** Unvalidated; undefined until a guard has read it. */
  sentBody: unknown
  /** SHA-256 of the JSON as it was sent, if the request has an idempotency key. */
  bodyHash: string | undefined
}

export type ApiRequest<C> = Readonly<Omit<GuardedRequest<C>, 'caller'>> & { readonly caller: C }

/** `data` is sent as JSON. `id`: position from which a client that reconnects continues. */
export type ServerSentEvent = { readonly id?: string; readonly event: string; readonly data: unknown }

/**
 * `body` is sent as JSON, or unchanged if it is a string or bytes and `headers` have a `content-type`. `events` must
 * not throw, since the response can no longer change. `stream` is sent with type and length in `headers`. Both are
 * closed when the client disconnects.
 */
export type HttpResponse = {
  readonly status: number
  readonly body?: unknown
  readonly events?: AsyncIterable<ServerSentEvent>
  readonly stream?: Readable
  readonly headers?: Readonly<Record<string, string>>
  /** Identifies a repeated request whose body the endpoint read itself. Not sent. */
  readonly contentHash?: string
}

/** Refuses the request by throwing an AppError. */
export type Guard<C> = (request: GuardedRequest<C>) => void | Promise<void>

/** Made by `endpoint`. */
export type Endpoint<C> = {
  readonly operation: Operation
  readonly handle: (request: ApiRequest<C>) => HttpResponse | Promise<HttpResponse>
}

/** The guards run in order, then the endpoint. */
export type Route<C> = Endpoint<C> & { readonly guards: readonly Guard<C>[] }
