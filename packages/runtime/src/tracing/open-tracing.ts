import { noTracing, type Tracing } from './tracing.ts'
import { isTracingOn, type Sampler, type TracingSettings } from './tracing-config.ts'

const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const [name = '', value] = pair.split('=', 2).map((part) => part.trim())
      return name === '' || value === undefined ? [] : [[name, decode(value)]]
    }),
  )

const decode = (value: string): string => {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/**
 * Loads OpenTelemetry only if tracing is on. The exporter itself reads headers, timeout, compression and certificates
 * from their standard variables.
 */
export const openTracing = async (settings: TracingSettings, process: string): Promise<Tracing> => {
  if (!isTracingOn(settings)) return noTracing
  const { otelTracing } = await import('./otel-tracing.ts')
  const { otlpExporter } = await import('./otel-exporter.ts')
  const protocol = settings.otlpTracesProtocol ?? settings.otlpProtocol
  return otelTracing({
    exporter: await otlpExporter(protocol === 'http/json' ? 'http/json' : 'http/protobuf'),
    sampler: settings.tracesSampler as Sampler,
    share: settings.tracesSamplerArg === undefined ? 1 : Number(settings.tracesSamplerArg),
    resource: {
      'service.namespace': 'cairn',
      'service.name': `cairn-${process}`,
      ...attributesOf(settings.otelResourceAttributes ?? ''),
      ...(settings.otelServiceName === undefined ? {} : { 'service.name': settings.otelServiceName }),
    },
  })
}
