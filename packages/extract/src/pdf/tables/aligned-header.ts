import type { Segment } from '../words/segments.ts'
import { joinRows, type Placed, textAt, valuesOf } from './aligned-rows.ts'
import { isValue } from './table.ts'

type HeaderCell = {
  readonly column: number
  readonly last: number
  readonly pieces: readonly Segment[]
  readonly y: number
}

const maxLines = 8
/** Font sizes between two lines of one header cell. */
const widestDistance = 1.6
const widestInLabels = 1.35

const hasYears = (line: Placed): boolean => {
  const columns = [...line.cells.keys()].filter((column) => column > 0)
  return columns.length > 0 && columns.every((column) => /^(?:19|20)\d\d$/.test(textAt(line, column)))
}

/** Lines before the first row with a label and values, or before the title of a section; 0 if more than `maxLines`. */
const headerLines = (lines: readonly Placed[]): number => {
  const isData = (line: Placed) =>
    line.cells.has(0) && valuesOf(line) > (isValue(textAt(line, 0)) ? 1 : 0) && !hasYears(line)
  const isSection = (line: Placed, above: Placed | undefined) =>
    above !== undefined && line.cells.size === 1 && line.cells.has(0) && line.top - above.bottom >= line.row.size
  const end = lines.findIndex((line, index) => isData(line) || isSection(line, lines[index - 1]))
  return end <= maxLines ? Math.max(0, end) : 0
}

const placedOf = (cells: readonly HeaderCell[], like: Placed): Placed => ({
  row: { ...like.row, pieces: cells.flatMap(({ pieces }) => pieces) },
  top: Math.min(...cells.map(({ y }) => y)),
  bottom: like.bottom,
  cells: new Map(cells.map(({ column, last, pieces }) => [column, { pieces, last }])),
})

/** Returns undefined if the lines are separate rows. Header cells over several columns keep their row. */
const joinedNames = (lines: readonly Placed[]): Placed[] | undefined => {
  const rows: Placed[] = []
  const names = new Map<number, HeaderCell>()
  for (const line of lines) {
    const over: HeaderCell[] = []
    for (const [column, { pieces, last }] of line.cells) {
      const cell = { column, last, pieces, y: line.bottom }
      if (last > column) {
        // A header cell over columns that already have headers is a separate row.
        if ([...names.keys()].some((one) => one >= column && one <= last)) return undefined
        over.push(cell)
        continue
      }
      const above = names.get(column)
      const isFar = above && line.top - above.y > line.row.size * (column === 0 ? widestInLabels : widestDistance)
      if (isFar) return undefined
      names.set(column, above ? { ...cell, pieces: [...above.pieces, ...pieces] } : cell)
    }
    if (over.length > 0) rows.push(placedOf(over, line))
  }
  const last = lines.at(-1)
  if (names.size > 0 && last) rows.push(placedOf([...names.values()], last))
  return rows
}

export const rowsOfLines = (
  lines: readonly Placed[],
): { readonly rows: readonly Placed[]; readonly headers: number } => {
  const count = headerLines(lines)
  const names = joinedNames(lines.slice(0, count))
  return names
    ? { rows: [...names, ...joinRows(lines.slice(count))], headers: Math.max(1, names.length) }
    : { rows: joinRows(lines), headers: 1 }
}
