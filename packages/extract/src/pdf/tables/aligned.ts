import { median } from '@cairn/domain/text/median'
import { type Segment, segmentOf } from '../words/segments.ts'
import { rowsOfLines } from './aligned-header.ts'
import { marker, toRows } from './aligned-lines.ts'
import { linesAt, type Placed, place, type Row, textAt, valuesOf } from './aligned-rows.ts'
import { type Cell, isValue, type Span, type Table, withoutEmpty } from './table.ts'

/** Font sizes between rows of one table. */
const widestRowGap = 3.2
/** Most consecutive lines within a table that are no rows of it; `maxLabels` if all are parts of a wrapped label. */
const maxOtherLines = 2
const maxLabels = 6
const maxColumns = 60

/** True for a part of a wrapped label. */
const isLabel = (line: Row, above: Row): boolean =>
  line.pieces.length === 1 && (line.pieces[0]?.x1 ?? 0) < Math.min(...above.pieces.slice(1).map(({ x0 }) => x0))

const candidates = (rows: readonly Row[]): Span[] => {
  const found: Span[] = []
  let from: number | undefined
  let last = 0
  let tabular = 0
  const finish = () => {
    if (from !== undefined && tabular >= 2) found.push({ from, to: last + 1 })
    from = undefined
    tabular = 0
  }
  for (const [index, row] of rows.entries()) {
    const above = rows[index - 1]
    const isFar = above && row.y - above.y > Math.max(above.size, row.size) * widestRowGap
    const between = from === undefined ? [] : rows.slice(last + 1, Math.min(index, last + maxLabels + 2))
    const max = between.every((line) => isLabel(line, rows[last] as Row)) ? maxLabels : maxOtherLines
    if (isFar || between.length > max) finish()
    if (!row.isTabular) continue
    from ??= index
    last = index
    tabular += 1
  }
  finish()
  return found
}

/** Lines at the head of a table that may name its columns. */
const maxNameLines = 5

/** Adds adjacent lines with text in a column after the first one. */
const extended = (rows: readonly Row[], { from, to }: Span, columns: readonly Span[], free: number): Span => {
  const [label, second] = columns
  const belongs = (row: Row | undefined, next: Row | undefined): boolean =>
    row !== undefined &&
    next !== undefined &&
    !row.isTabular &&
    (row.pieces[0]?.x0 ?? 0) > (second?.from ?? Number.POSITIVE_INFINITY) - row.size &&
    Math.abs(next.y - row.y) < row.size * 1.6
  const isOver = (name: Row | undefined, below: Row | undefined): boolean => {
    const [piece, ...more] = name?.pieces ?? []
    if (!piece || !name || !below || !label || !second || more.length > 0) return false
    const center = (piece.x0 + piece.x1) / 2
    const right = columns.at(-1)?.to ?? 0
    const isNear = below.y - name.y < name.size * 1.6 && Math.abs(below.size - name.size) < 0.5
    return isNear && piece.x0 > label.to && piece.x1 < right + name.size * 2 && center > second.from
  }
  let [first, end] = [from, to]
  while (first > free && (belongs(rows[first - 1], rows[first]) || isOver(rows[first - 1], rows[first]))) first -= 1
  while (belongs(rows[end], rows[end - 1])) end += 1
  return { from: first, to: end }
}

/** Ranges that pieces cover, ignoring the few that extend over several columns. */
const columnsOf = (rows: readonly Row[]): Span[] => {
  const tabular = rows.filter(({ isTabular }) => isTabular)
  const pieces = tabular.flatMap((row) => row.pieces)
  const left = Math.floor(Math.min(...pieces.map(({ x0 }) => x0)))
  const right = Math.ceil(Math.max(...pieces.map(({ x1 }) => x1)))
  const counts = new Uint16Array(Math.max(0, right - left + 1))
  for (const { x0, x1 } of pieces)
    for (let x = Math.floor(x0 - left); x <= Math.ceil(x1 - left); x += 1) if (x < counts.length) counts[x]! += 1
  const allowed = tabular.length < 4 ? 0 : Math.max(1, Math.floor(tabular.length * 0.12))
  const columns: Span[] = []
  let from: number | undefined
  for (let x = 0; x <= counts.length; x += 1) {
    const isCovered = x < counts.length && (counts[x] as number) > allowed
    if (isCovered) from ??= x
    else if (from !== undefined) {
      columns.push({ from: left + from, to: left + x })
      from = undefined
    }
  }
  return columns
}

const areAligned = (rows: readonly Placed[], columns: readonly Span[], minShare = 0.6): boolean => {
  let aligned = 0
  let all = 0
  for (const index of columns.keys()) {
    const pieces = rows.flatMap(({ cells }) => {
      const cell = cells.get(index)
      return cell && cell.last === index ? [segmentOf(cell.pieces.flatMap(({ words }) => words))] : []
    })
    if (pieces.length < 2) continue
    // A closing parenthesis may extend beyond the digits of other numbers.
    const tolerance = Math.max(3, (pieces[0]?.size ?? 0) * 0.45)
    const share = (at: (piece: Segment) => number): number => {
      const places = pieces.map(at)
      return Math.max(...places.map((x) => places.filter((other) => Math.abs(other - x) < tolerance).length))
    }
    aligned += Math.max(
      share(({ x0 }) => x0),
      share(({ x1 }) => x1),
      share(({ x0, x1 }) => (x0 + x1) / 2),
    )
    all += pieces.length
  }
  return all > 0 && aligned / all >= minShare
}

const isProse = (rows: readonly Placed[], columns: readonly Span[]): boolean => {
  const texts = columns.map((_, index) => rows.map((row) => textAt(row, index)).filter((text) => text !== ''))
  if (columns.length === 2) {
    const [first = [], second = []] = texts
    if (first.filter((text) => marker.test(text)).length > first.length / 2) return true
    const words = (list: readonly string[]) => median(list.map((text) => text.split(' ').length))
    return words(first) > 5 && words(second) > 5
  }
  const long = texts.filter((list) => median(list.map((text) => text.split(' ').length)) > 7).length
  return long > columns.length / 2
}

const tableOf = (columns: readonly Span[], lines: readonly Row[]): Table | undefined => {
  const placed = lines.map((line) => place(line, columns))
  const full = placed.filter(({ cells }) => cells.size > 1)
  if (full.length < 2 || (columns.length === 2 && full.length < 3)) return undefined
  const hasValues = full.filter((line) => valuesOf(line) > 0).length > full.length / 3
  if (full.length < 3 && !hasValues && !(columns.length > 2 && areAligned(placed, columns, 1))) return undefined
  if (isProse(full, columns) || !areAligned(placed, columns)) return undefined
  const { rows, headers } = rowsOfLines(placed)
  const cells: Cell[] = rows.flatMap((row, index) =>
    [...row.cells].map(([column, { last }]) => ({
      text: textAt(row, column),
      lines: linesAt(row, column),
      row: index,
      column,
      rows: 1,
      columns: last - column + 1,
    })),
  )
  const segments = lines.flatMap(({ pieces }) => pieces)
  const table = withoutEmpty({
    headers,
    spans: columns,
    columns: columns.length,
    rows: rows.length,
    cells,
    segments,
    x0: Math.min(...segments.map(({ x0 }) => x0)),
    x1: Math.max(...segments.map(({ x1 }) => x1)),
    y0: Math.min(...lines.map(({ y, size }) => y - size)),
    y1: Math.max(...lines.map(({ y, size }) => y + size * 0.3)),
  })
  return table && { ...table, headers: Math.min(headers, table.rows - 1) }
}

/** Finds a second table to the right: labels, and values under the same headers. */
const secondLabels = (lines: readonly Row[], columns: readonly Span[]): number | undefined => {
  if (columns.length < 4 || columns.length % 2 > 0) return undefined
  const half = columns.length / 2
  const placed = lines.map((line) => place(line, columns))
  const textsIn = (column: number) => placed.map((line) => textAt(line, column)).filter((text) => text !== '')
  const areLabels = (column: number) => {
    const texts = textsIn(column)
    return texts.length > 2 && texts.filter(isValue).length < texts.length * 0.2
  }
  const areValues = (column: number) => textsIn(column).filter(isValue).length > textsIn(column).length * 0.6
  const all = columns.map((_, column) => column)
  if (!all.every((column) => (column % half === 0 ? areLabels(column) : areValues(column)))) return undefined
  const values = all.slice(1, half)
  const haveNames = placed
    .slice(0, maxNameLines)
    .some(
      (line) =>
        !line.cells.has(0) &&
        !line.cells.has(half) &&
        values.every((column) => line.cells.has(column) && textAt(line, column) === textAt(line, column + half)),
    )
  return haveNames ? half : undefined
}

const tablesOf = (columns: readonly Span[], lines: readonly Row[]): Table[] => {
  const second = secondLabels(lines, columns)
  if (second !== undefined) {
    const border = ((columns[second - 1]?.to ?? 0) + (columns[second]?.from ?? 0)) / 2
    const side = (isIn: (piece: Segment) => boolean) =>
      lines.flatMap((line) => {
        const pieces = line.pieces.filter(isIn)
        return pieces.length > 0 ? [{ ...line, pieces }] : []
      })
    const left = tableOf(
      columns.slice(0, second),
      side(({ x0 }) => x0 < border),
    )
    const right = tableOf(
      columns.slice(second),
      side(({ x0 }) => x0 >= border),
    )
    if (left && right) return [left, right]
  }
  const table = tableOf(columns, lines)
  return table ? [table] : []
}

/** Tables without rules between their columns, found by the alignment of their cells. */
export const alignedTables = (segments: readonly Segment[]): Table[] => {
  const rows = toRows(segments)
  const tables: Table[] = []
  let free = 0
  for (const range of candidates(rows)) {
    const columns = columnsOf(rows.slice(range.from, range.to))
    if (columns.length < 2 || columns.length > maxColumns) continue
    const { from, to } = extended(rows, range, columns, free)
    const found = tablesOf(columns, rows.slice(from, to))
    if (found.length === 0) continue
    tables.push(...found)
    free = to
  }
  return tables
}
