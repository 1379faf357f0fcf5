import { colourAt, escaped, svg } from './svg.ts'

/** Unix time in seconds, and the value at that time. */
type Point = readonly [number, number]
export type Series = { readonly label: string; readonly points: readonly Point[] }

/** A Grafana panel with Prometheus' responses to its queries. */
export type Panel = {
  readonly title: string
  readonly type: 'row' | 'stat' | 'timeseries'
  readonly unit: string
  /** Whether each series is stacked on the series before it. */
  readonly stacked?: boolean
  /** Position and size in Grafana's grid of 24 columns. */
  readonly place: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly series: readonly Series[]
}

const column = 60
const line = 30
const gap = 6
const head = 34
const legendLine = 14
const maxInLegend = 8
const axis = 52
const sizes = ['', 'Ki', 'Mi', 'Gi']

const rounded = (value: number): string =>
  value === 0 ? '0' : Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(2)))

const inBytes = (value: number): string => {
  const power = value < 1 ? 0 : Math.min(3, Math.floor(Math.log2(value) / 10))
  return `${rounded(value / 1024 ** power)} ${sizes[power]}B`
}

/** Formats a number as Grafana does for this unit. */
export const valueText = (value: number, unit: string): string => {
  if (unit === 'bytes') return inBytes(value)
  if (unit === 'percentunit') return `${rounded(value * 100)} %`
  if (unit === 's') return value !== 0 && Math.abs(value) < 1 ? `${rounded(value * 1_000)} ms` : `${rounded(value)} s`
  if (unit === 'reqps' || unit === 'ops') return `${rounded(value)}/s`
  return rounded(value)
}

/**
 * Returns the smallest round number at or above the value: a power of two for bytes, otherwise 1, 2 or 5 times a power
 * of ten.
 */
const roundUp = (value: number, unit: string): number => {
  if (value <= 0) return 1
  if (unit === 'bytes') return 2 ** Math.ceil(Math.log2(value))
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5].find((one) => one * power >= value) ?? 10) * power
}

const clock = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(11, 16)

const stacked = (series: readonly Series[]): Series[] => {
  const sums = new Map<number, number>()
  return series.map(({ label, points }) => ({
    label,
    points: points.map(([at, value]): Point => {
      const sum = (sums.get(at) ?? 0) + value
      sums.set(at, sum)
      return [at, sum]
    }),
  }))
}

/** Splits points at gaps, because a line across a gap would show values that were never measured. */
const stretches = (points: readonly Point[], stepSeconds: number): Point[][] => {
  const found: Point[][] = []
  for (const [index, point] of points.entries()) {
    const before = points[index - 1]
    if (before && point[0] - before[0] <= 1.5 * stepSeconds) found.at(-1)?.push(point)
    else found.push([point])
  }
  return found
}

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

const statParts = ({ series, unit }: Panel, { x, y, width }: Box): string[] =>
  series.map(({ label, points }, index) => {
    const last = points.at(-1)?.[1]
    const at = y + 40 + index * 20
    return `<text x="${x + 10}" y="${at}">${escaped(label)}</text><text x="${x + width - 10}" y="${at}" text-anchor="end" font-size="15" font-weight="600">${last === undefined ? 'no data' : valueText(last, unit)}</text>`
  })

type Range = { readonly from: number; readonly to: number; readonly stepSeconds: number }

const linesOf = (panel: Panel, { x, y, width, height }: Box, { from, to, stepSeconds }: Range): string[] => {
  const { unit } = panel
  const series = panel.stacked ? stacked(panel.series) : panel.series
  const listed = series.slice(0, maxInLegend)
  const area = {
    left: x + axis,
    right: x + width - 10,
    top: y + 30,
    bottom: y + height - 22 - listed.length * legendLine,
  }
  const max = roundUp(Math.max(0, ...series.flatMap(({ points }) => points.map(([, value]) => value))), unit)
  const xOf = (at: number) => area.left + ((at - from) / (to - from)) * (area.right - area.left)
  const yOf = (value: number) => area.bottom - (value / max) * (area.bottom - area.top)
  const grid = [0, 0.5, 1].map((share) => {
    const at = yOf(share * max).toFixed(1)
    return `<line x1="${area.left}" y1="${at}" x2="${area.right}" y2="${at}" stroke="#d0d7de"/><text font-size="10" x="${area.left - 4}" y="${Number(at) + 3}" text-anchor="end">${valueText(share * max, unit)}</text>`
  })
  const times = [from, (from + to) / 2, to].map(
    (at) =>
      `<text font-size="10" x="${xOf(at).toFixed(1)}" y="${area.bottom + 12}" text-anchor="middle">${clock(at)}</text>`,
  )
  const drawn = series.flatMap(({ points }, index) =>
    stretches(points, stepSeconds).map((stretch) => {
      const places = stretch.map(([at, value]) => `${xOf(at).toFixed(1)},${yOf(value).toFixed(1)}`)
      const [cx, cy] = (places[0] ?? '').split(',')
      if (places.length === 1) return `<circle cx="${cx}" cy="${cy}" r="1.5" fill="${colourAt(index)}"/>`
      return `<polyline points="${places.join(' ')}" fill="none" stroke="${colourAt(index)}" stroke-width="1.5"/>`
    }),
  )
  const legend = listed.map(({ label }, index) => {
    const at = area.bottom + 27 + index * legendLine
    const more =
      index === maxInLegend - 1 && series.length > maxInLegend ? ` (and ${series.length - maxInLegend} more)` : ''
    return `<rect x="${area.left}" y="${at - 8}" width="10" height="3" fill="${colourAt(index)}"/><text font-size="10" x="${area.left + 15}" y="${at - 3}">${escaped(label)}${more}</text>`
  })
  const nothing =
    series.length === 0
      ? [
          `<text x="${(area.left + area.right) / 2}" y="${(area.top + area.bottom) / 2}" text-anchor="middle" fill="#656d76">no data</text>`,
        ]
      : []
  return [...grid, ...times, ...drawn, ...legend, ...nothing]
}

/** Draws a dashboard over a time range as SVG. Times are Unix seconds, `stepSeconds` apart, and shown in UTC. */
export const dashboardPicture = (title: string, panels: readonly Panel[], range: Range): string => {
  const width = 24 * column + 2 * gap
  const height = head + Math.max(0, ...panels.map(({ place }) => place.y + place.h)) * line + gap
  const parts = panels.flatMap((panel) => {
    const { x, y, w, h } = panel.place
    const box = {
      x: gap + x * column + gap / 2,
      y: head + y * line + gap / 2,
      width: w * column - gap,
      height: h * line - gap,
    }
    if (panel.type === 'row')
      return [`<text font-size="13" font-weight="600" x="${box.x}" y="${box.y + 18}">${escaped(panel.title)}</text>`]
    return [
      `<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" fill="none" stroke="#d0d7de" rx="3"/>`,
      `<text font-weight="600" x="${box.x + 10}" y="${box.y + 18}">${escaped(panel.title)}</text>`,
      ...(panel.type === 'stat' ? statParts(panel, box) : linesOf(panel, box, range)),
    ]
  })
  const name = `${escaped(title)}, ${new Date(range.from * 1_000).toISOString().slice(0, 16)} to ${clock(range.to)} UTC`
  return svg(width, height, name, [
    `<text font-size="14" font-weight="600" x="${gap + 4}" y="22">${name}</text>`,
    ...parts,
  ])
}
