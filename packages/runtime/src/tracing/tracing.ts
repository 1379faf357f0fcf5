import { isAppError } from '@cairn/contracts/errors'
import type { Logger } from '../process/logger.ts'

/**
 * Attributes of a span: names of OpenTelemetry's semantic conventions if they exist, else `cairn.…`. Values are counts,
 * names and codes; never a key, a text, a path or anything else that a client wrote.
 */
export type SpanFacts = { readonly [name: string]: string | number | boolean | undefined }

/** Context of a span that runs in another process or has ended, as W3C headers. */
export type RemoteSpan = { readonly traceparent: string; readonly tracestate?: string }

export type SpanStart = {
  /** Name of the kind of work, with few distinct values; never names the object of the work. */
  readonly name: string
  /** Default: `internal`. */
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  readonly facts?: SpanFacts
  /** Default: the active span. Without a parent, the span begins a trace. */
  readonly parent?: RemoteSpan | undefined
  /** If set, the span begins a new trace that links to this span. */
  readonly link?: RemoteSpan | undefined
}

export type Span = {
  /** Returns the context of this span for work in another process; undefined when tracing is off. */
  remote(): RemoteSpan | undefined
  set(facts: SpanFacts): void
  /**
   * Marks the span as failed, with the error's type. The message is not recorded, because it may quote users' texts.
   */
  fail(error: unknown): void
  /** Runs `work` with this span as the active span. */
  run<T>(work: () => T): T
  /** Idempotent. */
  end(): void
}

/**
 * Traces a piece of work across all processes. Recording never throws or waits; spans that can't be exported are
 * dropped.
 */
export type Tracing = {
  /** False: nothing is recorded, and `start` and `within` are no-ops. */
  readonly on: boolean
  start(what: SpanStart): Span
  /** Runs `work` in a span, which is marked as failed if `work` fails. */
  within<T>(what: SpanStart, work: (span: Span) => Promise<T>): Promise<T>
  /** Returns whether the active span is being recorded. */
  isRecording(): boolean
  /** Runs `work` without recording spans. Messages that `work` publishes still belong to the trace. */
  unrecorded<T>(work: () => T): T
  /** Returns the context of the active span, for work in another process. */
  remote(): RemoteSpan | undefined
  /** Returns the ids of the active span, for log lines. */
  ids(): { readonly trace_id: string; readonly span_id: string } | undefined
  /** Logs when exports of spans begin to fail and when they recover. */
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

/** Returns the type of an error: its `code` if that is a string (AppErrors, Node), otherwise its name. */
export const errorTypeOf = (error: unknown): string => {
  if (isAppError(error)) return error.code
  if (!(error instanceof Error)) return typeof error
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' ? code : error.name
}

const form = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/
/** Maximum length of `tracestate`. The specification allows dropping longer values. */
const maxStateLength = 512

/** Parses the trace headers of a request or message; returns undefined if they are malformed. */
export const remoteSpan = (traceparent: unknown, tracestate?: unknown): RemoteSpan | undefined => {
  if (typeof traceparent !== 'string' || !form.test(traceparent)) return undefined
  const isKept = typeof tracestate === 'string' && tracestate !== '' && tracestate.length <= maxStateLength
  return isKept ? { traceparent, tracestate } : { traceparent }
}
