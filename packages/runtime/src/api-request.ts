import type { IncomingMessage } from 'node:http'
import type { Operation } from '@cairn/contracts/http/operation'
import type { Logger } from './logger.ts'
import type { Timings } from './timings.ts'

/** One call as its guards see it: they fill in `caller` and `body`. `C` is what the service knows about a caller. */
export type GuardedRequest<C> = {
  readonly operation: Operation
  readonly requestId: string
  /** W3C trace context of the call, for what goes on after it; null where nobody traces it. */
  readonly traceparent: string | null
  /** Decoded; each one fits its pattern by the time the endpoint runs. */
  readonly params: Readonly<Record<string, string>>
  /** A repeated parameter is an array. No prototype. */
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** Every line of it carries the request id. */
  readonly log: Logger
  readonly timings: Timings
  /** Aborted when the client goes away before it has its answer. */
  readonly signal: AbortSignal
  /** For whoever reads the body: a guard, or an endpoint that stores it as it comes. */
  readonly raw: IncomingMessage
  /** Lower-case name. Several headers of one name come joined by ", ". */
  header(name: string): string | undefined
  /** Goes out with the answer, whatever it will be. */
  setHeader(name: string, value: string): void
  /** Lets a client go on that waits for "100 Continue" before it sends its body. */
  continueBody(): void
  /** Runs the function once, when the call has ended in whatever way: its work is done, and its answer is sent or its client gone. */
  onEnd(release: () => void): void
  caller: C | undefined
  body: unknown
}

/** One call as an endpoint sees it. */
export type ApiRequest<C> = Readonly<Omit<GuardedRequest<C>, 'caller'>> & { readonly caller: C }

/** One server-sent event; the data goes as JSON. */
export type ServerSentEvent = { readonly event: string; readonly data: unknown }

/**
 * `body` is sent as JSON; a string or bytes with a `content-type` among `headers` are sent as they are. `events` go in its place, each
 * when it comes; they must not reject, since the response can no longer change, and they end when the client has gone away.
 */
export type HttpResponse = {
  readonly status: number
  readonly body?: unknown
  readonly events?: AsyncIterable<ServerSentEvent>
  readonly headers?: Readonly<Record<string, string>>
}

/** Refuses the call by throwing an AppError. */
export type Guard<C> = (request: GuardedRequest<C>) => void | Promise<void>

export type Endpoint<C> = (request: ApiRequest<C>) => HttpResponse | Promise<HttpResponse>

/** One row of the table: guards run in their order, then the endpoint. */
export type Route<C> = { readonly operation: Operation; readonly guards: readonly Guard<C>[]; readonly handle: Endpoint<C> }
