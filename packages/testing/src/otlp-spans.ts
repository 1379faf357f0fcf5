/** A span from OTLP's JSON format, with the service that sent it. */
export type SentSpan = {
  readonly service: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  readonly kind: number
  /** Nanoseconds since the epoch. */
  readonly startNs: bigint
  readonly endNs: bigint
  readonly attributes: Readonly<Record<string, string>>
  readonly failed: boolean
}

type Attribute = { readonly key: string; readonly value: Readonly<Record<string, unknown>> }
type RawSpan = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind?: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes?: readonly Attribute[]
  readonly status?: { readonly code?: number }
}
/** The content of one export request, and of a line from the collector's file exporter. */
export type TraceRequest = {
  readonly resourceSpans: readonly {
    readonly resource?: { readonly attributes?: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[]
  }[]
}

const factsOf = (attributes: readonly Attribute[] = []): Record<string, string> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]))

const failedCode = 2

export const spansOf = ({ resourceSpans }: TraceRequest): SentSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = factsOf(resource?.attributes)['service.name'] ?? ''
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        service,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        name: span.name,
        kind: span.kind ?? 0,
        startNs: BigInt(span.startTimeUnixNano),
        endNs: BigInt(span.endTimeUnixNano),
        attributes: factsOf(span.attributes),
        failed: span.status?.code === failedCode,
      })),
    )
  })
