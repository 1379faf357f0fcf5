import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  createContextKey,
  defaultTextMapGetter,
  defaultTextMapSetter,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from '../process/logger.ts'
import { errorTypeOf, noSpan, type RemoteSpan, remoteSpan, type Span, type SpanStart, type Tracing } from './tracing.ts'
import type { Sampler } from './tracing-config.ts'

export type OtelTracingOptions = {
  readonly exporter: SpanExporter
  readonly sampler: Sampler
  /** Recorded share of the traces started here, 0 to 1. */
  readonly share: number
  readonly resource: Readonly<Record<string, string>>
  /** Ended spans are gathered before export. Default: 5,000. */
  readonly gatherMs?: number
}

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const

/** Spans that wait for export; more are dropped. */
const maxWaitingSpans = 2_048
/** Per request or run of a job: a large file has a hundred thousand steps, too many to read. */
const maxSpans = 256
/** All values set here are far shorter. */
const maxValueLength = 256
const exportWithinMs = 10_000
const closeWithinMs = 1_000

const samplerOf = (name: Sampler, share: number) => {
  const roots = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(share),
  }
  const root = roots[name.replace('parentbased_', '') as keyof typeof roots]()
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

/** Logs when exports begin to fail and when they recover. */
const reporting = (inner: SpanExporter) => {
  let log: Pick<Logger, 'info' | 'warn'> | undefined
  let failing = false
  const reportExport = (error: unknown) => {
    if (error !== undefined && !failing)
      log?.warn({ err: error }, 'trace export failed; spans are dropped until it recovers')
    if (error === undefined && failing) log?.info({}, 'trace export recovered')
    failing = error !== undefined
  }
  const exporter: SpanExporter = {
    export: (spans, done) =>
      inner.export(spans, (result) => {
        reportExport(result.code === 0 ? undefined : (result.error ?? new Error('the exporter gave no reason')))
        done(result)
      }),
    shutdown: () => inner.shutdown(),
    forceFlush: async () => inner.forceFlush?.(),
  }
  const reportTo = (to: Pick<Logger, 'info' | 'warn'>) => {
    log = to
  }
  return { exporter, reportTo }
}

const budgetKey = createContextKey('spans left')
type Budget = { left: number; leftOut: number }

const spend = (budget: Budget): boolean => {
  const isLeft = budget.left > 0
  if (isLeft) budget.left -= 1
  else budget.leftOut += 1
  return isLeft
}

const propagator = new W3CTraceContextPropagator()

const contextOf = (remote: RemoteSpan): Context => propagator.extract(ROOT_CONTEXT, remote, defaultTextMapGetter)

const remoteOf = (span: SpanContext): RemoteSpan | undefined => {
  const carrier: { traceparent?: string; tracestate?: string } = {}
  propagator.inject(trace.setSpanContext(ROOT_CONTEXT, span), carrier, defaultTextMapSetter)
  return remoteSpan(carrier.traceparent, carrier.tracestate)
}

/** Spans by asynchronous context. */
class Spans {
  readonly #tracer: Tracer
  readonly #contexts = new AsyncLocalStorage<Context>()

  constructor(tracer: Tracer) {
    this.#tracer = tracer
  }

  active(): OtelSpan | undefined {
    return trace.getSpan(this.#context())
  }

  remote(): RemoteSpan | undefined {
    const span = this.active()
    return span && remoteOf(span.spanContext())
  }

  start({ name, kind = 'internal', facts = {}, parent, link }: SpanStart): Span {
    const above = link ? ROOT_CONTEXT : parent ? contextOf(parent) : this.#context()
    const linked = link && trace.getSpanContext(contextOf(link))
    const budget = above.getValue(budgetKey) as Budget | undefined
    const isWork = kind === 'server' || kind === 'consumer' || budget === undefined
    if (!isWork && !spend(budget)) return { ...noSpan, remote: () => this.remote() }
    const inner = this.#tracer.startSpan(
      name,
      { kind: kinds[kind], attributes: { ...facts }, ...(linked ? { links: [{ context: linked }] } : {}) },
      above,
    )
    const below: Budget = isWork ? { left: maxSpans, leftOut: 0 } : budget
    return this.#wrap(inner, trace.setSpan(above, inner).setValue(budgetKey, below), isWork ? below : undefined)
  }

  async within<T>(what: SpanStart, work: (span: Span) => Promise<T>): Promise<T> {
    const span = this.start(what)
    try {
      return await span.run(() => work(span))
    } catch (error) {
      span.fail(error)
      throw error
    } finally {
      span.end()
    }
  }

  unrecorded<T>(work: () => T): T {
    const context = this.#context()
    const span = trace.wrapSpanContext(trace.getSpanContext(context) ?? INVALID_SPAN_CONTEXT)
    return this.#contexts.run(trace.setSpan(context, span), work)
  }

  #context(): Context {
    return this.#contexts.getStore() ?? ROOT_CONTEXT
  }

  #wrap(inner: OtelSpan, context: Context, budget?: Budget): Span {
    return {
      remote: () => remoteOf(inner.spanContext()),
      set: (facts) => {
        for (const [name, value] of Object.entries(facts)) if (value !== undefined) inner.setAttribute(name, value)
      },
      fail: (error) => {
        inner.setAttribute('error.type', errorTypeOf(error))
        inner.setStatus({ code: SpanStatusCode.ERROR })
      },
      run: (work) => this.#contexts.run(context, work),
      end: () => {
        if (!inner.isRecording()) return
        if (budget && budget.leftOut > 0) inner.setAttribute('cairn.spans_left_out', budget.leftOut)
        inner.end()
      },
    }
  }
}

const shutDown = async (provider: TracerProvider): Promise<void> => {
  const late = AbortSignal.timeout(closeWithinMs)
  const over = new Promise<void>((resolve) => late.addEventListener('abort', () => resolve()))
  // Failed exports were already logged.
  await Promise.race([provider.shutdown().catch(() => undefined), over])
}

/** Uses OpenTelemetry's SDK without patches and without global registration. */
export const otelTracing = (options: OtelTracingOptions): Tracing => {
  const { exporter, reportTo } = reporting(options.exporter)
  const provider = new TracerProvider({
    resource: resourceFromAttributes(options.resource),
    sampler: samplerOf(options.sampler, options.share),
    spanLimits: { attributeValueLengthLimit: maxValueLength, attributeCountLimit: 64 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: maxWaitingSpans,
        exportTimeoutMillis: exportWithinMs,
        scheduledDelayMillis: options.gatherMs ?? 5_000,
      }),
    ],
  })
  const spans = new Spans(provider.getTracer('cairn'))
  let closed: Promise<void> | undefined
  return {
    on: true,
    start: (what) => spans.start(what),
    within: (what, work) => spans.within(what, work),
    isRecording: () => spans.active()?.isRecording() ?? false,
    unrecorded: (work) => spans.unrecorded(work),
    remote: () => spans.remote(),
    ids: () => {
      const span = spans.active()?.spanContext()
      return span && isSpanContextValid(span) ? { trace_id: span.traceId, span_id: span.spanId } : undefined
    },
    reportTo,
    close: () => {
      closed ??= shutDown(provider)
      return closed
    },
  }
}
