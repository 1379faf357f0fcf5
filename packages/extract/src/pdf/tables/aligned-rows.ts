import { median } from '@cairn/domain/text/median'
import { joinLines, type Line, lineOf } from '../lines/lines.ts'
import { type Segment, segmentOf } from '../words/segments.ts'
import { isValue, type Span } from './table.ts'

export type Row = {
  readonly pieces: readonly Segment[]
  readonly y: number
  readonly size: number
  /** Has at least two pieces and is no list item, entry of a table of contents or part of a chart. */
  readonly isTabular: boolean
}

/** `top` and `bottom` are the baselines of the row's first and last line. */
export type Placed = {
  readonly row: Row
  readonly top: number
  readonly bottom: number
  readonly cells: ReadonlyMap<number, { readonly pieces: readonly Segment[]; readonly last: number }>
}

const overlap = (span: Span, x0: number, x1: number): number => Math.min(span.to, x1) - Math.max(span.from, x0)

const placeOf = (piece: Segment, columns: readonly Span[]): readonly [first: number, last: number] => {
  const touched = columns.flatMap((column, index) => (overlap(column, piece.x0, piece.x1) > 1 ? [index] : []))
  if (touched.length > 0) return [touched[0] as number, touched.at(-1) as number]
  const center = (piece.x0 + piece.x1) / 2
  const distances = columns.map(({ from, to }) => Math.max(from - center, center - to, 0))
  const nearest = distances.indexOf(Math.min(...distances))
  return [nearest, nearest]
}

/** Splits a piece at column borders where the gap is wider than its usual blanks. */
const partedBy = (columns: readonly Span[], piece: Segment): Segment[] => {
  const parts: Segment[] = []
  const gaps = piece.words.slice(1).map((word, index) => word.x0 - (piece.words[index] as { x1: number }).x1)
  const blank = gaps.length > 2 ? median(gaps) * 1.3 : 0
  for (const word of piece.words) {
    const last = parts.at(-1)
    const isBorder =
      last &&
      word.x0 - last.x1 > Math.max(piece.size * 0.3, blank) &&
      columns.slice(1).some((column, index) => {
        const before = columns[index] as Span
        const border = (before.to + column.from) / 2
        // A number may be wider than the others: after a word that ends where its column ends, another cell begins.
        const isEnd = Math.abs(last.x1 - before.to) < 2 && word.x0 > before.to
        return isEnd || (last.x1 <= border + 2 && word.x0 >= border - 2)
      })
    if (last && !isBorder) parts[parts.length - 1] = segmentOf([...last.words, word])
    else parts.push(segmentOf([word]))
  }
  return parts
}

export const place = (row: Row, columns: readonly Span[]): Placed => {
  const cells = new Map<number, { pieces: Segment[]; last: number }>()
  for (const piece of row.pieces.flatMap((one) => partedBy(columns, one))) {
    const [first, last] = placeOf(piece, columns)
    const own = [...cells.values()].find((cell) => cell.last >= first)
    if (own) {
      own.pieces.push(piece)
      own.last = Math.max(own.last, last)
    } else cells.set(first, { pieces: [piece], last })
  }
  return { row, top: row.y, bottom: row.y, cells }
}

export const linesAt = ({ cells }: Placed, column: number): Line[] =>
  (cells.get(column)?.pieces ?? []).map((piece) => lineOf([piece]))

export const textAt = (placed: Placed, column: number): string => joinLines(linesAt(placed, column))

export const valuesOf = (placed: Placed): number =>
  [...placed.cells.keys()].filter((column) => isValue(textAt(placed, column))).length

const hasLabelOnly = ({ cells }: Placed): boolean => cells.size === 1 && cells.has(0)
/** Multiples of the font size. */
const distanceOf = (above: Placed, below: Placed): number => (below.top - above.bottom) / below.row.size
/** Closer lines, as a share of the row distance, belong to one row. */
const nearer = 0.93

const continuesAbove = (above: Placed, line: Placed, next: Placed | undefined, { usual, near }: Distances): boolean => {
  const distance = distanceOf(above, line)
  if (distance > Math.min(usual * 1.15, 1.7)) return false
  const columns = [...line.cells.keys()]
  const first = textAt(line, 0)
  if (hasLabelOnly(line)) {
    // The second line of a label whose values stand beside or between its lines.
    if (!above.cells.has(0) || above.cells.size < 2 || first.endsWith(':')) return false
    const below = next?.cells.has(0) ? distanceOf(line, next) : Number.POSITIVE_INFINITY
    if (below < distance * nearer) return false
    const left = line.cells.get(0)?.pieces[0]?.x0 ?? 0
    const aboveLeft = above.cells.get(0)?.pieces[0]?.x0 ?? left
    const isIndented = left > aboveLeft + line.row.size * 0.4
    return distance < near || /^[\p{Ll}(]/u.test(first) || isIndented
  }
  if (columns.includes(0)) return false
  // The values are between the two lines of their label.
  if (hasLabelOnly(above) && distance < 0.9) return true
  const isWithin = columns.every((column) => above.cells.has(column))
  return isWithin && valuesOf(line) === 0 && columns.length < Math.max(2, above.cells.size)
}

/** Whether a line begins a label whose values stand beside the label's last line. */
const continuesBelow = (line: Placed, below: Placed, { near }: Distances): boolean => {
  if (!hasLabelOnly(line) || !below.cells.has(0) || below.cells.size < 2) return false
  const distance = distanceOf(line, below)
  if (distance > 1.45) return false
  const label = textAt(line, 0)
  if (/[:.]$/.test(label)) return false
  return distance < near || /^[\p{Ll}(]/u.test(textAt(below, 0))
}

const merged = (above: Placed, below: Placed): Placed => {
  const cells = new Map([...above.cells].map(([column, cell]) => [column, { ...cell }]))
  for (const [column, cell] of below.cells) {
    const own = cells.get(column)
    cells.set(column, own ? { pieces: [...own.pieces, ...cell.pieces], last: Math.max(own.last, cell.last) } : cell)
  }
  return {
    row: { ...below.row, pieces: [...above.row.pieces, ...below.row.pieces] },
    top: above.top,
    bottom: below.bottom,
    cells,
  }
}

/** Multiples of the font size: usual between rows, largest within a row. */
type Distances = { readonly usual: number; readonly near: number }

/** Measures between adjacent lines with several cells. */
const distancesIn = (lines: readonly Placed[]): Distances => {
  const isFull = ({ cells }: Placed) => cells.size > 1
  const distances = (all: readonly Placed[], areRows: (above: Placed, line: Placed) => boolean) =>
    all.slice(1).flatMap((line, index) => {
      const above = all[index] as Placed
      return areRows(above, line) ? [distanceOf(above, line)] : []
    })
  const neighbors = distances(lines, (above, line) => isFull(above) && isFull(line))
  return neighbors.length > 0
    ? { usual: median(neighbors), near: median(neighbors) * nearer }
    : { usual: median(distances(lines.filter(isFull), () => true)), near: 0 }
}

export const joinRows = (lines: readonly Placed[]): Placed[] => {
  const known = distancesIn(lines)
  const rows: Placed[] = []
  for (const [index, line] of lines.entries()) {
    const above = rows.at(-1)
    if (above && continuesAbove(above, line, lines[index + 1], known)) rows[rows.length - 1] = merged(above, line)
    else rows.push(line)
    for (let [first, second] = rows.slice(-2); first && second; [first, second] = rows.slice(-2)) {
      if (!continuesBelow(first, second, known)) break
      rows.splice(-2, 2, merged(first, second))
    }
  }
  return rows
}
