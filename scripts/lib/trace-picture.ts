import type { SentSpan } from '@cairn/testing/otlp-spans'
import { colourAt, escaped, svg } from './svg.ts'

type Bar = { readonly label: string; readonly depth: number; readonly span: SentSpan }

const row = 17
const left = 430
const right = 720
const margin = 16
const head = 74
const clientKind = 3
const stepsOfScale = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000]

const ms = (ns: bigint) => Number(ns) / 1e6
const time = (value: number) =>
  value >= 1_000 ? `${(value / 1_000).toFixed(2)} s` : `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`

const byStart = (one: SentSpan, other: SentSpan) =>
  one.startNs < other.startNs ? -1 : one.startNs > other.startNs ? 1 : 0

/**
 * Returns the bars depth first, each span before its children. A step that consists of a single store call shares a row
 * with that call.
 */
const barsOf = (spans: readonly SentSpan[]): Bar[] => {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const below = Map.groupBy(spans.toSorted(byStart), ({ parentSpanId }) => (ids.has(parentSpanId) ? parentSpanId : ''))
  const bars: Bar[] = []
  const add = (span: SentSpan, depth: number) => {
    const children = below.get(span.spanId) ?? []
    const [only, second] = children
    const isShared =
      only !== undefined &&
      second === undefined &&
      only.kind === clientKind &&
      span.attributes['cairn.step'] !== undefined
    bars.push({ label: isShared ? `${span.name}: ${only.name}` : span.name, depth, span })
    if (!isShared) for (const child of children) add(child, depth + 1)
  }
  for (const root of below.get('') ?? []) add(root, 0)
  return bars
}

/** Returns the trace with the most services; among several, the one with the most spans. */
export const widestTrace = (spans: readonly SentSpan[]): SentSpan[] => {
  const servicesIn = (trace: readonly SentSpan[]) => new Set(trace.map(({ service }) => service)).size
  const traces = [...Map.groupBy(spans, ({ traceId }) => traceId).values()]
  return traces.toSorted((one, other) => servicesIn(other) - servicesIn(one) || other.length - one.length)[0] ?? []
}

/** Draws a trace as a waterfall diagram in SVG. */
export const tracePicture = (spans: readonly SentSpan[]): string => {
  const bars = barsOf(spans)
  const [first] = spans.toSorted(byStart)
  if (!first) throw new Error('there is no span to draw')
  const from = first.startNs
  const total = Math.max(...spans.map(({ endNs }) => ms(endNs - from)))
  const services = [...new Set(bars.map(({ span }) => span.service))]
  const colourOf = (service: string) => colourAt(services.indexOf(service))
  const x = (at: number) => margin + left + (at / total) * right
  const width = margin * 2 + left + right + 60
  const height = head + bars.length * row + margin
  const step = stepsOfScale.find((one) => total / one <= 10) ?? total
  const ticks = Array.from({ length: Math.floor(total / step) + 1 }, (_, index) => index * step)
  const background = (index: number) =>
    `<rect x="${margin}" y="${head + index * row}" width="${width - 2 * margin}" height="${row}" fill="#f5f6f8"/>`
  const part = (index: number, { label, depth, span }: Bar) => {
    const y = head + index * row
    const [start, length] = [ms(span.startNs - from), ms(span.endNs - span.startNs)]
    const wide = Math.max(1.5, (length / total) * right)
    const end = x(start) + wide
    const colour = colourOf(span.service)
    return [
      `<rect x="${margin + depth * 13}" y="${y + 4}" width="4" height="${row - 8}" fill="${colour}"/>`,
      `<text x="${margin + depth * 13 + 9}" y="${y + 12.5}">${escaped(label)}</text>`,
      `<rect x="${x(start).toFixed(1)}" y="${y + 4}" width="${wide.toFixed(1)}" height="${row - 8}" rx="1.5" fill="${colour}"${span.failed ? ' stroke="#b00020" stroke-width="2"' : ''}/>`,
      `<text font-size="10" x="${(end + 4).toFixed(1)}" y="${y + 12.5}">${time(length)}</text>`,
    ].join('')
  }
  const legend = services.map((service, index) => {
    const at = margin + index * 170
    return `<rect x="${at}" y="32" width="11" height="11" fill="${colourOf(service)}"/><text x="${at + 16}" y="42">${escaped(service)}</text>`
  })
  const title = `Trace ${escaped(first.traceId)}: ${spans.length} spans of ${services.length} services in ${time(total)}`
  return svg(width, height, title, [
    `<text font-size="13" font-weight="600" x="${margin}" y="20">${title}</text>`,
    ...legend,
    ...bars.map((_, index) => (index % 2 === 0 ? background(index) : '')),
    ...ticks.map(
      (at) =>
        `<line x1="${x(at).toFixed(1)}" y1="${head - 4}" x2="${x(at).toFixed(1)}" y2="${height - margin}" stroke="#d0d7de"/><text font-size="10" x="${x(at).toFixed(1)}" y="${head - 8}" text-anchor="middle">${at === 0 ? '0' : time(at)}</text>`,
    ),
    ...bars.map((bar, index) => part(index, bar)),
  ])
}
