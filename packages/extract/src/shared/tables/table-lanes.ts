import { isColumnWord, isData } from './cell-kinds.ts'
import { lastColumnOf, namesOf } from './table-names.ts'
import type { TableHint, TableRow } from './table-row.ts'
import { shapeOf } from './table-shape.ts'

/** Column range of one of several adjacent tables; both ends inclusive. */
export type Lane = { readonly from: number; readonly to: number }

/** More are one table with gaps. */
const maxLanes = 8

export const rowWithin = ({ row, cells, spans }: TableRow, { from, to }: Lane): TableRow => {
  const within = <T>(map: ReadonlyMap<number, T>): [number, T][] =>
    [...map].filter(([column]) => column >= from && column <= to)
  const clipped = spans && new Map(within(spans).map(([column, last]) => [column, Math.min(last, to)]))
  return { row, cells: new Map(within(cells)), ...(clipped ? { spans: clipped } : {}) }
}

const rowsWithin = (rows: readonly TableRow[], lane: Lane): TableRow[] =>
  rows.map((row) => rowWithin(row, lane)).filter(({ cells }) => cells.size > 0)

const isContiguous = (rows: readonly TableRow[]): boolean =>
  rows.every(({ row }, index) => index === 0 || row === (rows[index - 1]?.row ?? 0) + 1)

const namesIn = (rows: readonly TableRow[]): string[] | undefined => {
  const shape = shapeOf(rows)
  if (shape.kind === 'form') return []
  if (shape.kind !== 'table' || shape.levels === 0) return undefined
  return [...namesOf(rows.slice(shape.titles, shape.titles + shape.levels), lastColumnOf(rows)).values()]
}

/** Whether the columns right of a gap are a separate table, not the rest of the one to the left. */
const isOwnTable = (left: readonly TableRow[], right: readonly TableRow[]): boolean => {
  if (left.length < 2 || right.length < 2 || !isContiguous(left) || !isContiguous(right)) return false
  const names = namesIn(right)
  const others = namesIn(left)
  if (!names || !others) return false
  const isElsewhere = left[0]?.row !== right[0]?.row || left.at(-1)?.row !== right.at(-1)?.row
  if (isElsewhere || names.some((name) => others.includes(name))) return true
  // A first column with a different text in each row identifies the rows of a separate table.
  const first = Math.min(...right.map(({ cells }) => cells.keys().next().value ?? 0))
  const labels = right.map(({ cells }) => cells.get(first) ?? '')
  return labels.every((label) => label !== '' && !isData(label)) && new Set(labels).size === labels.length
}

const isRemark = (rows: readonly TableRow[]): boolean => {
  const [cell = ''] = rows[0]?.cells.values() ?? []
  return rows.length === 1 && rows[0]?.cells.size === 1 && cell.trim().split(/\s+/, 3).length > 2 && !isColumnWord(cell)
}

/** Adjacent tables are separated by empty columns or declared by the file. */
export const lanesOf = (rows: readonly TableRow[], hints: readonly TableHint[]): readonly Lane[] => {
  const everything = [{ from: 0, to: Number.POSITIVE_INFINITY }]
  const used = new Set<number>()
  for (const { cells, spans } of rows) {
    if (cells.size < 2) continue
    for (const column of cells.keys()) used.add(column)
    for (const [from, to] of spans ?? [])
      for (let column = from; column <= Math.min(to, from + 100); column++) used.add(column)
  }
  const borders = new Set(
    hints
      .filter(({ fromRow, toRow }) => rows.some(({ row }) => row >= fromRow && row <= toRow))
      .flatMap(({ fromColumn, toColumn }) => [fromColumn, toColumn + 1]),
  )
  const columns = [...used].sort((a, b) => a - b)
  const groups: { lane: Lane; isDeclared: boolean }[] = []
  for (const [index, column] of columns.entries()) {
    const last = groups.at(-1)
    if (last && !borders.has(column) && columns[index - 1] === column - 1) last.lane = { ...last.lane, to: column }
    else groups.push({ lane: { from: column, to: column }, isDeclared: borders.has(column) })
  }
  if (groups.length < 2 || groups.length > 4 * maxLanes) return everything
  const lanes: Lane[] = []
  for (const { lane, isDeclared } of groups) {
    const last = lanes.at(-1)
    const isWide = (one: Lane) => one.to > one.from
    const right = rowsWithin(rows, lane)
    const isOwn =
      last &&
      (isDeclared ||
        (rows.length > 2 && isRemark(right)) ||
        (isWide(last) && isWide(lane) && isOwnTable(rowsWithin(rows, last), right)))
    if (last && !isOwn) lanes[lanes.length - 1] = { from: last.from, to: lane.to }
    else lanes.push(lane)
  }
  if (lanes.length < 2 || lanes.length > maxLanes) return everything
  // Lanes include the empty columns between tables, which may contain titles and notes.
  const found = lanes.map(({ from }, index) => ({
    from: index === 0 ? 0 : from,
    to: (lanes[index + 1]?.from ?? Number.POSITIVE_INFINITY) - 1,
  }))
  // Each lane has fewer cells than the rows, so the recursion ends.
  return found.every((lane) => rowsWithin(rows, lane).length > 0) ? found : everything
}
