// node scripts/draw-dashboard.ts <url of Prometheus> <picture.svg> [minutes]: draws Cairn's Grafana dashboard from the
// data of a Prometheus server, without Grafana. The queries are read from the dashboard's file.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dashboardPicture, type Panel, type Series } from './lib/dashboard-picture.ts'

type Target = { readonly expr: string; readonly legendFormat: string }
type GrafanaPanel = {
  readonly title: string
  readonly type: Panel['type']
  readonly gridPos: Panel['place']
  readonly fieldConfig?: {
    readonly defaults: { readonly unit?: string; readonly custom?: { readonly stacking?: { readonly mode: string } } }
  }
  readonly targets?: readonly Target[]
}
type Answer = {
  readonly data: {
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>
      readonly values: readonly [number, string][]
    }[]
  }
}

const stepSeconds = 15
/** Grafana's `$__rate_interval`: four scrape intervals. */
const rateInterval = '1m'
const dashboard = join(import.meta.dirname, '../infra/observability/grafana/dashboards/cairn.json')

const [url, picture, minutes = '10'] = process.argv.slice(2)
if (url === undefined || picture === undefined || !(Number(minutes) > 0)) {
  process.stderr.write('usage: node scripts/draw-dashboard.ts <url of Prometheus> <picture.svg> [minutes]\n')
  process.exit(1)
}
const to = Math.floor(Date.now() / 1_000)
const from = to - Number(minutes) * 60

const query = async ({ expr, legendFormat }: Target): Promise<Series[]> => {
  const query = expr.replaceAll('$__rate_interval', rateInterval)
  const parameters = new URLSearchParams({ query, start: String(from), end: String(to), step: String(stepSeconds) })
  const answer = await fetch(`${url}/api/v1/query_range?${parameters}`, { signal: AbortSignal.timeout(10_000) })
  if (!answer.ok) throw new Error(`Prometheus answered ${answer.status} to ${query}: ${await answer.text()}`)
  const { data } = (await answer.json()) as Answer
  return data.result.map(({ metric, values }) => ({
    label: legendFormat.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => metric[name] ?? ''),
    // A quantile of an empty histogram is NaN.
    points: values.map(([at, value]) => [at, Number(value)] as const).filter(([, value]) => Number.isFinite(value)),
  }))
}

const { title, panels } = JSON.parse(readFileSync(dashboard, 'utf8')) as {
  readonly title: string
  readonly panels: readonly GrafanaPanel[]
}
const drawn = await Promise.all(
  panels.map(async ({ title: name, type, gridPos: place, fieldConfig, targets = [] }): Promise<Panel> => {
    const series = (await Promise.all(targets.map(query))).flat().filter(({ points }) => points.length > 0)
    const { unit = 'short', custom } = fieldConfig?.defaults ?? {}
    return { title: name, type, place, unit, stacked: custom?.stacking?.mode === 'normal', series }
  }),
)
writeFileSync(picture, dashboardPicture(title, drawn, { from, to, stepSeconds }))
