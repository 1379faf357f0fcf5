import { type OtelTracingOptions, otelTracing } from './otel-tracing.ts'

type Exporter = OtelTracingOptions['exporter']
export type CollectedSpan = Parameters<Exporter['export']>[0][number]

/** Creates tracing that keeps its spans in this process, in the order in which they ended. */
export const collectedSpans = (options: Partial<OtelTracingOptions> = {}) => {
  const spans: CollectedSpan[] = []
  const exporter: Exporter = {
    export: (ended, done) => {
      spans.push(...ended)
      done({ code: 0 })
    },
    shutdown: async () => undefined,
  }
  const tracing = otelTracing({
    exporter,
    sampler: 'parentbased_always_on',
    share: 1,
    resource: { 'service.name': 'test' },
    gatherMs: 10,
    ...options,
  })
  const named = (name: string) => spans.filter((span) => span.name === name)
  return {
    tracing,
    spans,
    named,
    one: (name: string): CollectedSpan => {
      const [found, more] = named(name)
      if (!found || more)
        throw new Error(
          `${named(name).length} spans named ${name}; there are ${spans.map((span) => span.name).join(', ')}`,
        )
      return found
    },
    /** Returns the names from a span up to the root of its trace. */
    chain: (span: CollectedSpan): string[] => {
      const names: string[] = []
      for (let at: CollectedSpan | undefined = span; at; ) {
        names.push(at.name)
        const above: string | undefined = at.parentSpanContext?.spanId
        at = spans.find((other) => other.spanContext().spanId === above)
      }
      return names
    },
  }
}
