import { isUnreadable } from '../unreadable.ts'
import { formatNumber } from '../xlsx/formats.ts'
import { oneLine } from './clean-text.ts'
import { type Relation, readSmallXml } from './office-part.ts'
import type { CheckedZip } from './zip-check.ts'

/** All charts of a part together. */
const maxBytes = 8 * 1024 * 1024
const maxPoints = 10_000
/** One chart: levels of categories, and series multiplied by names and values. */
const maxLevels = 8
const maxCells = 1_000_000

type Field = {
  format: string
  /** Values by point; categories may have several levels, the innermost first. */
  readonly levels: Map<number, string>[]
}
type Series = Readonly<Record<'tx' | 'cat' | 'val', Field>>
/** The first row names the series; the others hold a category and its values. */
export type Chart = { readonly title: string; readonly rows: readonly (readonly string[])[] }

const fieldNames: Readonly<Record<string, keyof Series>> = {
  tx: 'tx',
  cat: 'cat',
  xVal: 'cat',
  val: 'val',
  yVal: 'val',
}

const newField = (): Field => ({ format: 'General', levels: [new Map()] })

const shown = ({ format }: Field, value: string): string =>
  /^-?[\d.]+(?:e[-+]?\d+)?$/i.test(value) ? formatNumber(value, format, false) : oneLine(value)

/** An outer level is stated once for the points that follow. */
const categoryOf = (field: Field, point: number): string =>
  field.levels
    .map((level, depth) => {
      const at = depth === 0 ? point : Math.max(-1, ...[...level.keys()].filter((key) => key <= point))
      return shown(field, level.get(at) ?? '')
    })
    .toReversed()
    .join(' ')
    .trim()

const rowsOf = (series: readonly Series[]): string[][] => {
  const rows = new Map<string, string[]>()
  for (const [column, { cat, val }] of series.entries())
    for (const [point, value] of val.levels[0] ?? []) {
      const category = categoryOf(cat, point) || String(point + 1)
      const row = rows.get(category) ?? []
      rows.set(category, row)
      row[column] = row[column] === undefined ? shown(val, value) : `${row[column]}, ${shown(val, value)}`
    }
  const names = series.map(({ tx }) => oneLine(tx.levels[0]?.get(0) ?? ''))
  const values = Array.from(rows, ([category, row]) => [category, ...names.map((_, at) => row[at] ?? '')])
  return values.length === 0 ? [] : [['', ...names], ...values]
}

const readChart = async (zip: CheckedZip, part: string): Promise<(Chart & { readonly points: number }) | undefined> => {
  const open: string[] = []
  const series: Series[] = []
  let [title, points, point] = ['', 0, 0]
  let field: Field | undefined
  await readSmallXml(
    zip,
    part,
    {
      open(name, attribute) {
        const parent = open.at(-1)
        open.push(name)
        if (name === 'ser') series.push({ tx: newField(), cat: newField(), val: newField() })
        const kind = parent === 'ser' && Object.hasOwn(fieldNames, name) ? fieldNames[name] : undefined
        if (kind) field = series.at(-1)?.[kind]
        if (name === 'lvl' && field?.levels[0]?.size && field.levels.length < maxLevels) field.levels.push(new Map())
        if (name === 'pt') point = Number(attribute('idx')) || 0
        if (name === 'formatCode' && field) field.format = ''
      },
      close(name) {
        open.pop()
        if (open.at(-1) === 'ser' && Object.hasOwn(fieldNames, name)) field = undefined
        if (name === 'p' && open[2] === 'title') title += ' '
      },
      text(text) {
        const name = open.at(-1)
        if (open[1] === 'chart' && open[2] === 'title' && (name === 't' || name === 'v')) title += text
        else if (field && name === 'formatCode') field.format += text
        else if (field && name === 'v' && points++ <= maxPoints) {
          const level = field.levels.at(-1)
          const key = open.at(-2) === 'pt' ? point : 0
          level?.set(key, (level.get(key) ?? '') + text)
        }
      },
    },
    maxBytes,
  )
  const filled = series.filter(({ val }) => val.levels[0]?.size)
  if (filled.length * points > maxCells || (title.trim() === '' && filled.length === 0)) return undefined
  return { title: oneLine(title), rows: rowsOf(filled), points }
}

/** The file around a damaged chart is still read. */
const leftOut = (error: unknown): undefined => {
  if (!isUnreadable(error)) throw error
}

/** Leaves out charts beyond the limits. */
export const readCharts = async (
  zip: CheckedZip,
  relations: readonly Relation[],
  points = maxPoints,
): Promise<ReadonlyMap<string, Chart>> => {
  const charts = new Map<string, Chart>()
  const left = { bytes: maxBytes, points }
  for (const { id, type, target } of relations) {
    if (type !== 'chart') continue
    left.bytes -= zip.entries.get(target)?.uncompressedSize ?? 0
    const chart = left.bytes >= 0 ? await readChart(zip, target).catch(leftOut) : undefined
    if (!chart || chart.points > left.points) continue
    left.points -= chart.points
    charts.set(id, chart)
  }
  return charts
}
