import type { SentSpan } from '@cairn/testing/otlp-spans'
import { expect, it } from 'vitest'
import { tracePicture, widestTrace } from './lib/trace-picture.ts'

const span = (of: Partial<SentSpan> & { readonly startMs: number; readonly endMs: number }): SentSpan => ({
  service: 'gateway',
  traceId: 'trace-1',
  spanId: of.name ?? 'root',
  parentSpanId: '',
  name: 'root',
  kind: 1,
  startNs: BigInt(of.startMs) * 1_000_000n,
  endNs: BigInt(of.endMs) * 1_000_000n,
  attributes: {},
  failed: false,
  ...of,
})

const spans = [
  span({ name: 'get <items>', parentSpanId: 'read', kind: 3, service: 'ingestion', startMs: 41, endMs: 59 }),
  span({
    name: 'read',
    parentSpanId: 'job',
    service: 'ingestion',
    startMs: 40,
    endMs: 60,
    attributes: { 'cairn.step': 'read' },
  }),
  span({ name: 'job', parentSpanId: 'call', service: 'ingestion', startMs: 30, endMs: 1_500, failed: true }),
  span({ name: 'call', parentSpanId: 'of the client', startMs: 0, endMs: 20 }),
]

it('draws a row for each span in the order of what happened in what, each step with its only call', () => {
  const picture = tracePicture(spans)
  const texts = [...picture.matchAll(/<text x="([\d.]+)" y="[\d.]+">([^<]*)<\/text>/g)].map(([, x, text]) => [
    Number(x),
    text,
  ])
  expect(texts).toEqual([
    [32, 'gateway'],
    [202, 'ingestion'],
    [25, 'call'],
    [38, 'job'],
    [51, 'read: get &lt;items&gt;'],
  ])
  expect(picture).toContain('Trace trace-1: 4 spans of 2 services in 1.50 s')
  expect([...picture.matchAll(/font-size="10" x="[\d.]+" y="[\d.]+">([^<]*)</g)].map(([, text]) => text)).toEqual([
    '20 ms',
    '1.47 s',
    '20 ms',
  ])
  expect(picture.match(/stroke="#b00020"/g)).toHaveLength(1)
})

it('takes the trace that most services took part in', () => {
  const other = [1, 2, 3, 4, 5].map((number) =>
    span({ traceId: 'trace-2', name: String(number), startMs: 0, endMs: 1 }),
  )
  expect(widestTrace([...other, ...spans]).map(({ traceId }) => traceId)).toEqual(spans.map(() => 'trace-1'))
})
