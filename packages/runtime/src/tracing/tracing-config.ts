import { type ConfigRule, flag, setting } from '@cairn/contracts/settings'
import * as z from 'zod'

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** OpenTelemetry's standard names: variables set for other programs also work here. */
export const tracingConfig = {
  // Base URL; `/v1/traces` is appended. Unset: no traces.
  otlpEndpoint: setting('OTEL_EXPORTER_OTLP_ENDPOINT', z.string().optional()),
  // Full URL; nothing is appended.
  otlpTracesEndpoint: setting('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', z.string().optional()),
  // http/protobuf or http/json.
  otlpProtocol: setting('OTEL_EXPORTER_OTLP_PROTOCOL', z.string().default('http/protobuf')),
  otlpTracesProtocol: setting('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', z.string().optional()),
  // `none`: no traces, whatever the endpoint.
  tracesExporter: setting('OTEL_TRACES_EXPORTER', z.string().default('otlp')),
  tracesSampler: setting('OTEL_TRACES_SAMPLER', z.string().default('parentbased_always_on')),
  // Recorded share, 0 to 1, for samplers with a ratio.
  tracesSamplerArg: setting('OTEL_TRACES_SAMPLER_ARG', z.string().optional()),
  otelDisabled: setting('OTEL_SDK_DISABLED', flag().default(false)),
  // Default: cairn- and the name of the process.
  otelServiceName: setting('OTEL_SERVICE_NAME', z.string().optional()),
  otelResourceAttributes: setting('OTEL_RESOURCE_ATTRIBUTES', z.string().optional()),
}

export type TracingSettings = z.output<z.ZodObject<typeof tracingConfig>>
export type Sampler = (typeof samplers)[number]

export const isTracingOn = ({
  otelDisabled,
  tracesExporter,
  otlpEndpoint,
  otlpTracesEndpoint,
}: Partial<TracingSettings>): boolean =>
  otelDisabled !== true && tracesExporter !== 'none' && (otlpTracesEndpoint ?? otlpEndpoint) !== undefined

const isAddress = (value: unknown) => value === undefined || z.url({ protocol: /^https?$/ }).safeParse(value).success
const isShare = (value: unknown) => value === undefined || z.coerce.number().min(0).max(1).safeParse(value).success

/** Only when traces are on: other programs may use the variables with other values. */
export const tracingRule: ConfigRule = (config) => {
  const settings = config as Partial<TracingSettings>
  if (!isTracingOn(settings)) return []
  const {
    otlpEndpoint,
    otlpTracesEndpoint,
    otlpProtocol,
    otlpTracesProtocol,
    tracesExporter,
    tracesSampler,
    tracesSamplerArg,
  } = settings
  const fault = (isGood: boolean, text: string) => (isGood ? [] : [text])
  const protocolName =
    otlpTracesProtocol === undefined ? 'OTEL_EXPORTER_OTLP_PROTOCOL' : 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'
  return [
    ...fault(isAddress(otlpEndpoint), 'OTEL_EXPORTER_OTLP_ENDPOINT: not an http address'),
    ...fault(isAddress(otlpTracesEndpoint), 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: not an http address'),
    ...fault(
      ['http/protobuf', 'http/json'].includes(otlpTracesProtocol ?? otlpProtocol ?? ''),
      `${protocolName}: http/protobuf or http/json are spoken`,
    ),
    ...fault(tracesExporter === 'otlp', 'OTEL_TRACES_EXPORTER: otlp or none'),
    ...fault(samplers.includes(tracesSampler as Sampler), `OTEL_TRACES_SAMPLER: one of ${samplers.join(', ')}`),
    ...fault(isShare(tracesSamplerArg), 'OTEL_TRACES_SAMPLER_ARG: a number from 0 to 1'),
  ]
}
