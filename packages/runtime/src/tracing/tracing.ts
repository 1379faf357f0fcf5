import { isAppError } from '@cairn/contracts/errors'
import type { Logger } from '../logger.ts'

/**
 * Attributes of a span: names of OpenTelemetry's semantic conventions if they exist, else `cairn.…`. Counts, names and
 * codes; never a key, a text, a path or anything else a client wrote.
 */
export type SpanFacts = { readonly [name: string]: string | number | boolean | undefined }

/** A span of another process, or one that ended, as W3C headers. */
export type RemoteSpan = { readonly traceparent: string; readonly tracestate?: string }

export type SpanStart = {
  /** Few distinct values: the kind of work, never its object. */
  readonly name: string
  /** Default: `internal`. */
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  readonly facts?: SpanFacts
  /** Default: the active span. Without one, the span begins a trace. */
  readonly parent?: RemoteSpan | undefined
  /** Begins a new trace that links to this span. */
  readonly link?: RemoteSpan | undefined
}

export type Span = {
  /** The span for work in another process; undefined when tracing is off. */
  remote(): RemoteSpan | undefined
  set(facts: SpanFacts): void
  /** Marks the span as failed, with the kind of the error: messages may quote what users wrote. */
  fail(error: unknown): void
  /** Runs `work` and all it calls with this span as the active one. */
  run<T>(work: () => T): T
  /** Idempotent. */
  end(): void
}

/**
 * Records where the time of one piece of work went, across all processes. Nothing here throws or waits; what can't be
 * exported is dropped.
 */
export type Tracing = {
  /** False: nothing is recorded, and `start` and `within` are no-ops. */
  readonly on: boolean
  start(what: SpanStart): Span
  /** Runs `work` in a span, which fails if it does. */
  within<T>(what: SpanStart, work: (span: Span) => Promise<T>): Promise<T>
  /** Whether the active span is being recorded. */
  isRecording(): boolean
  /** Runs `work` without recording spans. What it publishes still belongs to the trace. */
  unrecorded<T>(work: () => T): T
  /** The active span, for work in another process. */
  remote(): RemoteSpan | undefined
  /** Ids for log lines. */
  ids(): { readonly trace_id: string; readonly span_id: string } | undefined
  /** Logs when spans can't be exported, and when they can again. */
  reportTo(log: Pick<Logger, 'info' | 'warn'>): void
  /** Exports the remaining spans, for at most a second. */
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

/** Returns the kind of an error: ours by its code, an engine's or Node's by its name. */
export const errorTypeOf = (error: unknown): string => {
  if (isAppError(error)) return error.code
  if (!(error instanceof Error)) return typeof error
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' ? code : error.name
}

const form = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/
/** Largest header value. The specification allows dropping longer ones. */
const maxStateLength = 512

/** Reads the span in which a request or message was sent from its headers; undefined if they are malformed. */
export const remoteSpan = (traceparent: unknown, tracestate?: unknown): RemoteSpan | undefined => {
  if (typeof traceparent !== 'string' || !form.test(traceparent)) return undefined
  const isKept = typeof tracestate === 'string' && tracestate !== '' && tracestate.length <= maxStateLength
  return isKept ? { traceparent, tracestate } : { traceparent }
}
