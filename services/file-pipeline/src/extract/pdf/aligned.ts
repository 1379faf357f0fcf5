import { withoutEmpty } from './grid.ts'
import { joinLines, type Line, lineOf, rowsOf, textOf } from './lines.ts'
import { piecesOf, type Segment, segmentOf } from './segments.ts'
import { type Cell, isValue, type Span, type Table } from './table.ts'

/** A line of a region as pieces that are far apart. */
type Row = { readonly pieces: readonly Segment[]; readonly y: number; readonly size: number }

const currency = /^(?:[$€£¥₹]|[A-Z]{2,3}\$?|R\$)$/
const closing = /^(?:[)%]+|\)%|pts?|x)$/
const marker = /^(?:[•‣◦▪●○■□–—·*-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]|§?\d+(?:\.\d+)+\.?)$/i
const leaders = /\.{4,}|(?:\. ){4,}|…{2,}/
/** Rows further apart do not belong to one table, in multiples of their size. */
const widestRowGap = 3.2
/** Lines without a second piece that may follow each other within a table. */
const mostSingles = 2
const maxColumns = 60

/** Joins signs in cells of their own with the number that they belong to. */
const withSigns = (pieces: readonly Segment[]): Segment[] => {
  const joined: Segment[] = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    const gap = last ? piece.x0 - last.x1 : 0
    const isPair =
      last &&
      ((currency.test(textOf(last)) && /^[\d(–—-]/.test(textOf(piece)) && gap < piece.size * 12) ||
        (closing.test(textOf(piece)) && /\d\)?$/.test(textOf(last)) && gap < piece.size * 2))
    if (isPair) joined[joined.length - 1] = segmentOf([...last.words, ...piece.words])
    else joined.push(piece)
  }
  return joined
}

const toRow = (segments: readonly Segment[]): Row => {
  const whole = segmentOf(segments.flatMap(({ words }) => words))
  return { pieces: withSigns(piecesOf(segments)), y: whole.y, size: whole.size }
}

/** Whether a row has cells: at least two pieces, which are no list item and no entry of a table of contents. */
const isTabular = ({ pieces }: Row): boolean => {
  const [first, second] = pieces
  if (!first || !second) return false
  if (pieces.some((piece) => leaders.test(textOf(piece)))) return false
  return pieces.length > 2 || !marker.test(textOf(first))
}

/** Returns ranges of rows that may be tables. */
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
    if (isFar || (from !== undefined && index - last > mostSingles + 1)) finish()
    if (!isTabular(row)) continue
    from ??= index
    last = index
    tabular += 1
  }
  finish()
  return found
}

/** Extends a table to lines above and below it whose only text stands in a column behind the first one. */
const extended = (rows: readonly Row[], { from, to }: Span, columns: readonly Span[], free: number): Span => {
  const second = columns[1]?.from ?? Number.POSITIVE_INFINITY
  const belongs = (row: Row | undefined, next: Row | undefined): boolean =>
    row !== undefined &&
    next !== undefined &&
    !isTabular(row) &&
    (row.pieces[0]?.x0 ?? 0) > second - row.size &&
    Math.abs(next.y - row.y) < row.size * 1.6
  let [first, end] = [from, to]
  while (first > free && belongs(rows[first - 1], rows[first])) first -= 1
  while (belongs(rows[end], rows[end - 1])) end += 1
  return { from: first, to: end }
}

/** Returns the x ranges of columns: places that pieces cover, apart from the few that reach over several columns. */
const columnsOf = (rows: readonly Row[]): Span[] => {
  const tabular = rows.filter(isTabular)
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

const overlap = (span: Span, x0: number, x1: number): number => Math.min(span.to, x1) - Math.max(span.from, x0)

/** Returns the first and last column that a piece stands in. */
const placeOf = (piece: Segment, columns: readonly Span[]): readonly [first: number, last: number] => {
  const touched = columns.flatMap((column, index) => (overlap(column, piece.x0, piece.x1) > 1 ? [index] : []))
  if (touched.length > 0) return [touched[0] as number, touched.at(-1) as number]
  const center = (piece.x0 + piece.x1) / 2
  const distances = columns.map(({ from, to }) => Math.max(from - center, center - to, 0))
  const nearest = distances.indexOf(Math.min(...distances))
  return [nearest, nearest]
}

/** Parts a piece at the borders of columns where its words leave a gap. */
const partedBy = (columns: readonly Span[], piece: Segment): Segment[] => {
  const parts: Segment[] = []
  for (const word of piece.words) {
    const last = parts.at(-1)
    const isBorder =
      last &&
      word.x0 - last.x1 > piece.size * 0.3 &&
      columns.slice(1).some((column, index) => {
        const before = columns[index] as Span
        const border = (before.to + column.from) / 2
        return last.x1 <= border + 2 && word.x0 >= border - 2
      })
    if (last && !isBorder) parts[parts.length - 1] = segmentOf([...last.words, word])
    else parts.push(segmentOf([word]))
  }
  return parts
}

type Placed = {
  readonly row: Row
  readonly cells: ReadonlyMap<number, { readonly pieces: readonly Segment[]; readonly last: number }>
}

const place = (row: Row, columns: readonly Span[]): Placed => {
  const cells = new Map<number, { pieces: Segment[]; last: number }>()
  for (const piece of row.pieces.flatMap((one) => partedBy(columns, one))) {
    const [first, last] = placeOf(piece, columns)
    const own = [...cells.values()].find((cell) => cell.last >= first)
    if (own) {
      own.pieces.push(piece)
      own.last = Math.max(own.last, last)
    } else cells.set(first, { pieces: [piece], last })
  }
  return { row, cells }
}

const linesAt = ({ cells }: Placed, column: number): Line[] =>
  (cells.get(column)?.pieces ?? []).map((piece) => lineOf([piece]))
const textAt = (placed: Placed, column: number): string => joinLines(linesAt(placed, column))

const valuesOf = (placed: Placed): number =>
  [...placed.cells.keys()].filter((column) => isValue(textAt(placed, column))).length

/** Whether a line goes on with the cells of the line above it. */
const continuesAbove = (above: Placed, line: Placed, usual: number): boolean => {
  const distance = (line.row.y - above.row.y) / line.row.size
  if (distance > Math.min(usual * 1.15, 1.7)) return false
  const columns = [...line.cells.keys()]
  const first = textAt(line, 0)
  if (columns.length === 1 && columns[0] === 0) {
    // A label of two lines, whose values stand beside its first one.
    const left = line.cells.get(0)?.pieces[0]?.x0 ?? 0
    const aboveLeft = above.cells.get(0)?.pieces[0]?.x0 ?? left
    const isIndented = left > aboveLeft + line.row.size * 0.4
    return (
      above.cells.has(0) && above.cells.size > 1 && (/^[\p{Ll}(]/u.test(first) || isIndented) && !first.endsWith(':')
    )
  }
  if (columns.includes(0)) return false
  const isWithin = columns.every((column) => above.cells.has(column))
  return isWithin && valuesOf(line) === 0 && columns.length < Math.max(2, above.cells.size)
}

/** Whether a line is the first part of a label whose values stand beside its last line. */
const continuesBelow = (line: Placed, below: Placed): boolean => {
  if (line.cells.size !== 1 || !line.cells.has(0) || !below.cells.has(0) || below.cells.size < 2) return false
  if ((below.row.y - line.row.y) / line.row.size > 1.45) return false
  const label = textAt(line, 0)
  const next = textAt(below, 0)
  return !/[:.]$/.test(label) && /^[\p{Ll}(]/u.test(next)
}

const merged = (above: Placed, below: Placed): Placed => {
  const cells = new Map([...above.cells].map(([column, cell]) => [column, { ...cell }]))
  for (const [column, cell] of below.cells) {
    const own = cells.get(column)
    cells.set(column, own ? { pieces: [...own.pieces, ...cell.pieces], last: Math.max(own.last, cell.last) } : cell)
  }
  return { row: { ...below.row, pieces: [...above.row.pieces, ...below.row.pieces] }, cells }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Joins the lines of each row. */
const joinRows = (lines: readonly Placed[]): Placed[] => {
  const full = lines.filter(({ cells }) => cells.size > 1)
  const usual = median(full.slice(1).map((line, index) => (line.row.y - (full[index] as Placed).row.y) / line.row.size))
  const rows: Placed[] = []
  for (const line of lines) {
    const above = rows.at(-1)
    if (above && (continuesAbove(above, line, usual) || continuesBelow(above, line)))
      rows[rows.length - 1] = merged(above, line)
    else rows.push(line)
  }
  return rows
}

/** Whether the cells of each column are aligned at their left, right or middle, as those of a table are. */
const areAligned = (rows: readonly Placed[], columns: readonly Span[], least = 0.6): boolean => {
  let aligned = 0
  let all = 0
  for (const index of columns.keys()) {
    const pieces = rows.flatMap(({ cells }) => {
      const cell = cells.get(index)
      return cell && cell.last === index ? [segmentOf(cell.pieces.flatMap(({ words }) => words))] : []
    })
    if (pieces.length < 2) continue
    const share = (at: (piece: Segment) => number): number => {
      const places = pieces.map(at)
      return Math.max(...places.map((x) => places.filter((other) => Math.abs(other - x) < 3).length))
    }
    aligned += Math.max(
      share(({ x0 }) => x0),
      share(({ x1 }) => x1),
      share(({ x0, x1 }) => (x0 + x1) / 2),
    )
    all += pieces.length
  }
  return all > 0 && aligned / all >= least
}

/** Whether two columns hold running text or entries of a list rather than cells. */
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
  const rows = joinRows(placed)
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
  return withoutEmpty({
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
}

/** Returns tables without rules between their columns, found by the places of their cells. */
export const alignedTables = (segments: readonly Segment[]): Table[] => {
  const rows = rowsOf(segments).map(toRow)
  const tables: Table[] = []
  let free = 0
  for (const range of candidates(rows)) {
    const columns = columnsOf(rows.slice(range.from, range.to))
    if (columns.length < 2 || columns.length > maxColumns) continue
    const { from, to } = extended(rows, range, columns, free)
    const table = tableOf(columns, rows.slice(from, to))
    if (!table) continue
    tables.push(table)
    free = to
  }
  return tables
}
