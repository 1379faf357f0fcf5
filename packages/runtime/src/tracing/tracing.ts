import { isAppError } from '@cairn/contracts/errors'
import type { Logger } from '../process/logger.ts'

/**
 * Names of OpenTelemetry's semantic conventions, else `cairn.…`. Values are counts, names and codes; never a key, a
 * text, a path or anything else that a client wrote.
 */
export type SpanFacts = { readonly [name: string]: string | number | boolean | undefined }

/** A span that runs in another process or has ended, as W3C headers. */
export type RemoteSpan = { readonly traceparent: string; readonly tracestate?: string }

export type SpanStart = {
  /** Kind of work, with few distinct values; never its object. */
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
  /** Returns the context for work in another process; undefined when tracing is off. */
  remote(): RemoteSpan | undefined
  set(facts: SpanFacts): void
  /** Records the error's type, not its message, which may quote users' texts. */
  fail(error: unknown): void
  /** Makes this span the active one. */
  run<T>(work: () => T): T
  /** Idempotent. */
  end(): void
}

/** Recording never throws or waits; spans that can't be exported are dropped. */
export type Tracing = {
  /** False: nothing is recorded, and `start` and `within` are no-ops. */
  readonly on: boolean
  start(what: SpanStart): Span
  /** Marks the span as failed if `work` fails. */
  within<T>(what: SpanStart, work: (span: Span) => Promise<T>): Promise<T>
  /** Whether the active span is being recorded. */
  isRecording(): boolean
  /** Messages that `work` publishes still belong to the trace. */
  unrecorded<T>(work: () => T): T
  /** Returns the context of the active span, for work in another process. */
  remote(): RemoteSpan | undefined
  /** Returns ids for log lines. */
  ids(): { readonly trace_id: string; readonly span_id: string } | undefined
  /** Logs when exports begin to fail and when they recover. */
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

/** Its `code` if that is a string (AppErrors, Node), otherwise its name. */
export const errorTypeOf = (error: unknown): string => {
  if (isAppError(error)) return error.code
  if (!(error instanceof Error)) return typeof error
  const { code } = error as { readonly code?: unknown }
  return typeof code === 'string' ? code : error.name
}

const form = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/
/** The specification allows dropping longer values. */
const maxStateLength = 512

/** Returns undefined if the headers are malformed. */
export const remoteSpan = (traceparent: unknown, tracestate?: unknown): RemoteSpan | undefined => {
  if (typeof traceparent !== 'string' || !form.test(traceparent)) return undefined
  const isKept = typeof tracestate === 'string' && tracestate !== '' && tracestate.length <= maxStateLength
  return isKept ? { traceparent, tracestate } : { traceparent }
}
