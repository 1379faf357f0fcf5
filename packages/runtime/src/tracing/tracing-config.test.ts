import { expect, it } from 'vitest'
import * as z from 'zod'
import { readConfig } from '../config/config.ts'
import { openTracing } from './open-tracing.ts'
import { isTracingOn, tracingConfig, tracingRule } from './tracing-config.ts'

const schema = z.object(tracingConfig)
const read = (env: Readonly<Record<string, string>>) => readConfig(schema, env, [tracingRule])
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }

it.each([
  ['nothing is set', {}, false],
  ['there is an address', endpoint, true],
  ['there is one for traces alone', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }, true],
  ['the address is empty', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }, false],
  ['OpenTelemetry is disabled', { ...endpoint, OTEL_SDK_DISABLED: 'true' }, false],
  ['another signal is meant', { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }, false],
])('when %s', async (_case, env, isOn) => {
  const settings = read(env)
  expect(isTracingOn(settings)).toBe(isOn)
  const tracing = await openTracing(settings, 'test')
  expect(tracing.on).toBe(isOn)
  await tracing.close()
})

it.each([
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'grpc'],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'collector:4318'],
  ['OTEL_TRACES_EXPORTER', 'zipkin'],
  ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
])('refuses a %s it does not know, and does not mind it while there are no traces', (name, value) => {
  expect(() => read({ ...endpoint, [name]: value })).toThrow(name)
  if (!name.endsWith('ENDPOINT')) expect(() => read({ [name]: value })).not.toThrow()
})
