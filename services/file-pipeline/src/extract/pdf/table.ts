import type { Segment } from './segments.ts'

/** A cell covers `columns` columns and `rows` rows from its place on; texts of several lines are joined. */
export type Cell = {
  readonly text: string
  readonly row: number
  readonly column: number
  readonly rows: number
  readonly columns: number
}

/** A range of x, in points. */
export type Span = { readonly from: number; readonly to: number }

/** A table of a page, in points of its frame. */
export type Table = {
  readonly columns: number
  readonly rows: number
  readonly cells: readonly Cell[]
  /** Where each column is. */
  readonly spans: readonly Span[]
  /** Segments whose text is in its cells. */
  readonly segments: readonly Segment[]
  readonly x0: number
  readonly x1: number
  readonly y0: number
  readonly y1: number
}

const value = /^[-–—(+$€£¥~<>≤≥]*\s*(?:\d[\d\s.,'’/:]*|[-–—]+|n\/?a|\.{1,3})\s*[%)\]*†‡a-z]{0,3}$/i

/** Whether a cell holds a number, an amount, a share or a sign that there is none. */
export const isValue = (text: string): boolean => value.test(text)

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|')

/** Returns texts by row and column; a cell that covers several places fills each. */
export const gridOf = ({ columns, rows, cells }: Pick<Table, 'columns' | 'rows' | 'cells'>): string[][] => {
  const grid = Array.from({ length: rows }, () => Array.from({ length: columns }, () => ''))
  for (const cell of cells)
    for (let row = cell.row; row < cell.row + cell.rows; row += 1)
      for (let column = cell.column; column < cell.column + cell.columns; column += 1) {
        const line = grid[row]
        if (line) line[column] = cell.text
      }
  return grid
}

/** Returns the table as Markdown, its first row as header. */
export const markdownOf = (table: Table): string => {
  const lines = gridOf(table).map((row) => `| ${row.map(escaped).join(' | ')} |`)
  return [lines[0], `|${' --- |'.repeat(table.columns)}`, ...lines.slice(1)].join('\n')
}

/** Returns the part of a table on the next page with the header of its first part; another table is returned as it is. */
export const continued = (above: Table, table: Table): Table => {
  const isSame =
    above.columns === table.columns &&
    above.spans.every(({ from, to }, index) => {
      const span = table.spans[index]
      return span && span.from < to && from < span.to
    })
  if (!isSame) return table
  const [header = [], first = []] = [gridOf(above)[0], gridOf(table)[0]]
  if (header.join('\n') === first.join('\n')) return table
  const cells = above.cells.filter(({ row }) => row === 0).map((cell) => ({ ...cell, rows: 1 }))
  return {
    ...table,
    rows: table.rows + 1,
    cells: [...cells, ...table.cells.map((cell) => ({ ...cell, row: cell.row + 1 }))],
  }
}
