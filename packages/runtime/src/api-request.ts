import type { IncomingMessage } from 'node:http'
import type { Operation } from '@cairn/contracts/http/operation'
import type { Logger } from './logger.ts'
import type { Timings } from './timings.ts'

/** One request as its guards see it; they set `caller` and `sentBody`. `C` is what the service knows about a caller. */
export type GuardedRequest<C> = {
  readonly operation: Operation
  readonly requestId: string
  /** W3C trace context for work that continues the request; null if it is not traced. */
  readonly traceparent: string | null
  /** Decoded; each parameter matches its pattern when the endpoint runs. */
  readonly params: Readonly<Record<string, string>>
  /** As it was sent. A repeated parameter is an array. No prototype. */
  readonly sentQuery: Readonly<Record<string, string | readonly string[]>>
  /** Adds the request id to every line. */
  readonly log: Logger
  readonly timings: Timings
  /** Aborted when the client disconnects before it has its answer. */
  readonly signal: AbortSignal
  /** For code that reads the body: a guard, or an endpoint that stores it as it arrives. */
  readonly raw: IncomingMessage
  /** Lower-case name. Several headers of one name are joined by ", ". */
  header(name: string): string | undefined
  /** Adds a header to the answer, whatever it will be. */
  setHeader(name: string, value: string): void
  /** Answers "100 Continue" to a client that waits for it before sending its body. */
  continueBody(): void
  /**
   * Calls the function once, when the request has ended in any way: its work is done, and its answer is sent or its
   * client gone.
   */
  onEnd(release: () => void): void
  caller: C | undefined
  /** As it was sent, once a guard has read it. */
  sentBody: unknown
}

/** One request as an endpoint sees it. */
export type ApiRequest<C> = Readonly<Omit<GuardedRequest<C>, 'caller'>> & { readonly caller: C }

/** One server-sent event; the data is sent as JSON. `id`: where a client that reconnects goes on. */
export type ServerSentEvent = { readonly id?: string; readonly event: string; readonly data: unknown }

/**
 * `body` is sent as JSON; a string or bytes with a `content-type` in `headers` are sent unchanged. `events` are sent
 * instead, as they come. They must not reject, since the response can no longer change, and they end when the client
 * disconnects.
 */
export type HttpResponse = {
  readonly status: number
  readonly body?: unknown
  readonly events?: AsyncIterable<ServerSentEvent>
  readonly headers?: Readonly<Record<string, string>>
  /** Not sent: hash of a body that the endpoint read itself, by which a repeated request is recognized. */
  readonly contentHash?: string
}

/** Refuses the request by throwing an AppError. */
export type Guard<C> = (request: GuardedRequest<C>) => void | Promise<void>

/** An operation and what answers its requests; `endpoint` creates one whose types follow from the operation. */
export type Endpoint<C> = {
  readonly operation: Operation
  readonly handle: (request: ApiRequest<C>) => HttpResponse | Promise<HttpResponse>
}

/** One row of the route table: the guards run in order, then the endpoint. */
export type Route<C> = Endpoint<C> & { readonly guards: readonly Guard<C>[] }
