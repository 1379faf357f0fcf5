import type { SpanExporter } from '@opentelemetry/sdk-trace'

/** Loads only the protocol's package. */
export const otlpExporter = async (protocol: 'http/protobuf' | 'http/json'): Promise<SpanExporter> => {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter()
}
