import { isAppError } from '@cairn/contracts/errors'
import type { Logger } from '../logger.ts'

/**
 * Attributes of a span: names of OpenTelemetry's semantic conventions where they have one, else `cairn.…`. Counts, names and codes of
 * ours; never a key, a text, a path or anything else a client wrote.
 */
export type SpanFacts = { readonly [name: string]: string | number | boolean | undefined }

/** A span that lies in another process or was ended long ago, as W3C headers. */
export type RemoteSpan = { readonly traceparent: string; readonly tracestate?: string }

export type SpanStart = {
  /** Of few values: what is done, never to what. */
  readonly name: string
  /** Default: `internal`. */
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  readonly facts?: SpanFacts
  /** Default: the active span; where there is none, the span begins a trace. */
  readonly parent?: RemoteSpan | undefined
  /** Begins a trace of its own that points to this one. */
  readonly link?: RemoteSpan | undefined
}

export type Span = {
  /** For whoever goes on in another process; undefined when tracing is off. */
  remote(): RemoteSpan | undefined
  set(facts: SpanFacts): void
  /** Marks it as failed, by what kind of error it was: messages may quote what users wrote. */
  fail(error: unknown): void
  /** `work` and all it calls have this span as the active one. */
  run<T>(work: () => T): T
  /** Idempotent. */
  end(): void
}

/**
 * Where the time of one piece of work went, over all processes that took part. Nothing here ever throws or waits: what can't be
 * exported is dropped.
 */
export type Tracing = {
  /** False: nothing is recorded, `start` and `within` cost a call. */
  readonly on: boolean
  start(what: SpanStart): Span
  /** The span lasts as long as `work`, and failed if that did. */
  within<T>(what: SpanStart, work: (span: Span) => Promise<T>): Promise<T>
  /** Whether the active span is one that is recorded. */
  isRecording(): boolean
  /** `work` records no spans; what it publishes still belongs to the trace. */
  unrecorded<T>(work: () => T): T
  /** The active span, for whoever goes on in another process. */
  remote(): RemoteSpan | undefined
  /** For lines of the log. */
  ids(): { readonly trace_id: string; readonly span_id: string } | undefined
  /** Told when spans can't be exported, and when they can be again. */
  reportTo(log: Pick<Logger, 'info' | 'warn'>): void
  /** Exports what is left, for at most a second. */
  close(): Promise<void>
}

export const noSpan: Span = {
  remote: () => undefined,
  set: () => undefined,
  fail: () => undefined,
  run: (work) => work(),
  end: () => undefined,
}

export const noTracing: Tracing = {
  on: false,
  start: () => noSpan,
  within: (_what, work) => work(noSpan),
  isRecording: () => false,
  unrecorded: (work) => work(),
  remote: () => undefined,
  ids: () => undefined,
  reportTo: () => undefined,
  close: async () => undefined,
}

/** An error's kind: ours by its code, an engine's or Node's by its name. */
export const errorTypeOf = (error: unknown): string => {
  if (isAppError(error)) return error.code
  if (!(error instanceof Error)) return typeof error
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' ? code : error.name
}

const form = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/
/** As long as a header of it may be; longer ones may be dropped by the specification. */
const longestState = 512

/** What the headers of a request or a message say of the span they were sent in; undefined when that is nothing well formed. */
export const remoteSpan = (traceparent: unknown, tracestate?: unknown): RemoteSpan | undefined => {
  if (typeof traceparent !== 'string' || !form.test(traceparent)) return undefined
  const isKept = typeof tracestate === 'string' && tracestate !== '' && tracestate.length <= longestState
  return isKept ? { traceparent, tracestate } : { traceparent }
}
