import type { Rule } from '../characters/drawings.ts'
import { joinLines, type Line, linesOf, rowsOf } from '../lines/lines.ts'
import { isLeader, piecesOf, type Segment, segmentOf } from '../words/segments.ts'
import { type Cell, isValue, type Table, withoutEmpty, withoutSignColumns } from './table.ts'

/** Points up to which rules are one rule or meet. */
const snap = 3
const maxLines = 400
/** Points by which rules must extend beyond the last rule across them to form a column or row. */
const minOpen = 8
/** Points up to which a vertical rule is a wall of a column: boxes of cells may have gaps between them. */
const wallReach = 7

const joined = (rules: readonly Rule[]): Rule[] => {
  const result: Rule[] = []
  for (const rule of rules.toSorted((a, b) => a.at - b.at || a.from - b.from)) {
    const index = result.findIndex(
      (other) => Math.abs(other.at - rule.at) <= 1.5 && rule.from <= other.to + snap && other.from <= rule.to + snap,
    )
    const other = result[index]
    if (other) result[index] = { ...other, from: Math.min(other.from, rule.from), to: Math.max(other.to, rule.to) }
    else result.push(rule)
  }
  return result
}

const meet = (horizontal: Rule, vertical: Rule): boolean =>
  vertical.at >= horizontal.from - snap &&
  vertical.at <= horizontal.to + snap &&
  horizontal.at >= vertical.from - snap &&
  horizontal.at <= vertical.to + snap

/** Rules connected directly or through others. */
const groupsOf = (horizontal: readonly Rule[], vertical: readonly Rule[]): Rule[][] => {
  const all = [...horizontal, ...vertical]
  const parent = all.map((_, index) => index)
  const rootOf = (index: number): number => {
    let at = index
    while (parent[at] !== at) at = parent[at] as number
    return at
  }
  for (const [h, one] of horizontal.entries())
    for (const [v, other] of vertical.entries()) if (meet(one, other)) parent[rootOf(h)] = rootOf(horizontal.length + v)
  const groups = new Map<number, Rule[]>()
  for (const [index, rule] of all.entries()) {
    const root = rootOf(index)
    groups.set(root, [...(groups.get(root) ?? []), rule])
  }
  return [...groups.values()]
}

const positions = (rules: readonly Rule[]): number[] => {
  const found: number[] = []
  for (const at of rules.map((rule) => rule.at).sort((a, b) => a - b))
    if (found.length === 0 || at - (found.at(-1) as number) > snap) found.push(at)
  return found
}

/** A table is open where the rules across extend beyond the last rule. */
const withOpenEnds = (at: readonly number[], across: readonly Rule[]): number[] => {
  const from = Math.min(...across.map((rule) => rule.from))
  const to = Math.max(...across.map((rule) => rule.to))
  const [first = from, last = to] = [at[0], at.at(-1)]
  return [...(first - from > minOpen ? [from] : []), ...at, ...(to - last > minOpen ? [to] : [])]
}

type Area = { row: number; column: number; rows: number; columns: number }

/** Grid cells without a wall between them form one area. */
const areasOf = (xs: readonly number[], ys: readonly number[], rules: readonly Rule[]): Area[] => {
  const [columns, rows] = [xs.length - 1, ys.length - 1]
  const isWall = (isHorizontal: boolean, at: number, from: number, to: number): boolean => {
    const middle = (from + to) / 2
    return rules.some(
      (rule) =>
        rule.isHorizontal === isHorizontal &&
        Math.abs(rule.at - at) <= (isHorizontal ? snap : wallReach) &&
        rule.from <= middle &&
        rule.to >= middle,
    )
  }
  const taken = Array.from({ length: rows }, () => Array.from({ length: columns }, () => false))
  const areas: Area[] = []
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      if (taken[row]?.[column]) continue
      const y = (index: number) => ys[index] as number
      const x = (index: number) => xs[index] as number
      let width = 1
      while (
        column + width < columns &&
        !taken[row]?.[column + width] &&
        !isWall(false, x(column + width), y(row), y(row + 1))
      )
        width += 1
      let height = 1
      const isOpenBelow = (below: number) =>
        Array.from({ length: width }, (_, offset) => column + offset).every(
          (one) => !taken[below]?.[one] && !isWall(true, y(below), x(one), x(one + 1)),
        )
      while (row + height < rows && isOpenBelow(row + height)) height += 1
      for (let r = row; r < row + height; r += 1)
        for (let c = column; c < column + width; c += 1) (taken[r] as boolean[])[c] = true
      areas.push({ row, column, rows: height, columns: width })
    }
  return areas
}

/** Splits segments, because a program may draw a whole row as one text. */
const wordsWithin = (segments: readonly Segment[], x0: number, x1: number, y0: number, y1: number): Segment[] =>
  segments.flatMap((segment) => {
    const middle = segment.y - segment.size * 0.3
    if (middle < y0 || middle > y1 || segment.x1 < x0 || segment.x0 > x1) return []
    const words = segment.words.filter((word) => {
      const center = (word.x0 + word.x1) / 2
      return center >= x0 && center <= x1 && !isLeader(word)
    })
    return words.length > 0 ? [segmentOf(words)] : []
  })

type Filled = { readonly area: Area; readonly segments: readonly Segment[] }

/** The columns of an area may have rules only in other rows: splits it if each text fits into one column. */
const partedByColumns = ({ area, segments }: Filled, xs: readonly number[]): Filled[] => {
  const pieces = area.columns > 1 ? rowsOf(segments).map(piecesOf) : []
  if (!pieces.some((line) => line.length > 1)) return [{ area, segments }]
  const x = (column: number) => xs[column] as number
  const columns = Array.from({ length: area.columns }, (_, index) => area.column + index)
  const isIn = (piece: Segment, column: number) => piece.x0 > x(column) - snap && piece.x1 < x(column + 1) + snap
  if (!pieces.flat().every((piece) => columns.some((column) => isIn(piece, column)))) return [{ area, segments }]
  return columns.map((column) => ({
    area: { ...area, column, columns: 1 },
    segments: pieces.flat().filter((piece) => columns.find((one) => isIn(piece, one)) === column),
  }))
}

/** Font sizes between a row and the last line of the row above. */
const leastRowGap = 1.5

const startsOf = (lines: readonly Line[]): number[] =>
  lines.flatMap(({ y, size }, index) => (y - (lines[index - 1]?.y ?? -size) > size * leastRowGap ? [y] : []))

/**
 * Baselines of a group's rows: each begins below a gap and has a label in the first column, which may also have the
 * label of the group. Numbers along the axes of charts are no labels.
 */
const groupedRows = ([labels = [], ...others]: readonly (readonly Line[])[]): number[] => {
  const isIn = (list: readonly number[], y: number) => list.some((other) => Math.abs(other - y) < snap)
  const starts = others.flatMap(startsOf)
  const rows = labels.flatMap(({ y }) => (isIn(starts, y) ? [y] : []))
  const areRows = rows.length > 1 && starts.every((y) => isIn(rows, y)) && !labels.some(({ text }) => isValue(text))
  return areRows ? labels.flatMap(({ y }) => (isIn([...rows, ...startsOf(labels)], y) ? [y] : [])) : []
}

/** The baselines are those of the column with the most lines, or of the rows of a group. */
const innerRows = (columns: readonly (readonly Line[])[]): number[] => {
  const lines = columns.filter((one) => one.length > 0)
  const fullest = lines.reduce<readonly Line[]>((max, one) => (one.length > max.length ? one : max), [])
  if (lines.length < 2 || fullest.length < 2) return []
  const isOn = (line: Line) => fullest.some((row) => Math.abs(row.y - line.y) < line.size * 0.3)
  // Lines of wrapped text also stand beside each other; a column of numbers has one number in each row.
  const isColumn = (one: readonly Line[]) =>
    one.length >= fullest.length * 0.6 && one.filter(({ text }) => isValue(text)).length > one.length * 0.7
  return lines.every((one) => one.every(isOn)) && lines.some(isColumn)
    ? fullest.map((line) => line.y)
    : groupedRows(columns)
}

/** Returns undefined if the rules form only a box or a drawing, or if aligned cells show the columns better. */
const tableOf = (rules: readonly Rule[], segments: readonly Segment[]): Table | undefined => {
  const [horizontal, vertical] = [rules.filter((rule) => rule.isHorizontal), rules.filter((rule) => !rule.isHorizontal)]
  const ys = withOpenEnds(positions(horizontal), vertical)
  const xs = withOpenEnds(positions(vertical), horizontal)
  if (xs.length < 3 || ys.length < 2 || xs.length > 100 || ys.length > maxLines) return undefined
  const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = [xs[0], xs.at(-1), ys[0], ys.at(-1)]
  const areas = areasOf(xs, ys, rules)
  const filled = areas.flatMap((area) =>
    partedByColumns(
      {
        area,
        segments: wordsWithin(
          segments,
          xs[area.column] as number,
          xs[area.column + area.columns] as number,
          ys[area.row] as number,
          ys[area.row + area.rows] as number,
        ),
      },
      xs,
    ),
  )
  if (filled.filter((one) => one.segments.length > 0).length < 2) return undefined
  // The rules separate only the header or the rows.
  const lines = filled.flatMap((one) => rowsOf(one.segments))
  const undivided = lines.filter((line) => piecesOf(line).length > 1).length
  if (undivided > 1 && undivided > lines.length * 0.15) return undefined
  const cells: Cell[] = []
  let rows = 0
  for (let row = 0; row < ys.length - 1; row += 1) {
    const own = filled.filter(({ area }) => area.row === row)
    const single = own.filter(({ area }) => area.rows === 1)
    const baselines = single.length === own.length ? innerRows(own.map((one) => linesOf(one.segments))) : []
    const place = ({ area }: { area: Area }, lines: readonly Line[], offset: number, height: number) =>
      cells.push({
        text: joinLines(lines),
        lines,
        row: rows + offset,
        column: area.column,
        rows: height,
        columns: area.columns,
      })
    if (baselines.length > 1) {
      for (const one of own)
        for (const [offset, y] of baselines.entries()) {
          const next = baselines[offset + 1] ?? Number.POSITIVE_INFINITY
          const lines = linesOf(one.segments).filter(
            (line) =>
              line.y >= (offset === 0 ? Number.NEGATIVE_INFINITY : y - line.size * 0.4) &&
              line.y < next - line.size * 0.4,
          )
          place(one, lines, offset, 1)
        }
      rows += baselines.length
    } else {
      for (const one of own) place(one, linesOf(one.segments), 0, one.area.rows)
      rows += 1
    }
  }
  const used = segments.filter((segment) => {
    const middle = segment.y - segment.size * 0.3
    return middle >= y0 && middle <= y1 && segment.x0 >= x0 - snap && segment.x1 <= x1 + snap
  })
  const spans = xs.slice(1).map((to, index) => ({ from: xs[index] as number, to }))
  const whole = withoutEmpty({ spans, columns: xs.length - 1, rows, headers: 1, cells, segments: used, x0, x1, y0, y1 })
  // Shaded rows are boxes of one row each, as are boxes of a diagram.
  if (!whole || whole.rows === 1) return undefined
  const names = whole.cells.filter(({ row }) => row === 0)
  const isOver = names.some(({ columns }) => columns > 1 && columns < whole.columns)
  const headers = Math.min(whole.rows - 1, Math.max(isOver ? 2 : 1, ...names.map((cell) => cell.rows)))
  return withoutSignColumns({ ...whole, headers })
}

export const ruledTables = (rules: readonly Rule[], segments: readonly Segment[]): Table[] => {
  const horizontal = joined(rules.filter(({ isHorizontal }) => isHorizontal)).slice(0, maxLines)
  const vertical = joined(rules.filter(({ isHorizontal }) => !isHorizontal)).slice(0, maxLines)
  const tables: Table[] = []
  for (const group of groupsOf(horizontal, vertical)) {
    const table = tableOf(group, segments)
    if (table) tables.push(table)
  }
  return tables
}
