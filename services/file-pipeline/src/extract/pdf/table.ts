import type { Line } from './lines.ts'
import type { Segment } from './segments.ts'

/** A cell covers `columns` columns and `rows` rows from its place on; texts of several lines are joined. */
export type Cell = {
  readonly text: string
  /** What its text is joined from; none if that is not on the page, as the header of a table that goes on. */
  readonly lines: readonly Line[]
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

export const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|')

type Grid = Pick<Table, 'columns' | 'rows' | 'cells'>

/** Returns cells by row and column; a cell that covers several places fills each. */
const cellsIn = ({ columns, rows, cells }: Grid): (Cell | undefined)[][] => {
  const grid = Array.from({ length: rows }, () => Array.from({ length: columns }, (): Cell | undefined => undefined))
  for (const cell of cells)
    for (let row = cell.row; row < cell.row + cell.rows; row += 1)
      for (let column = cell.column; column < cell.column + cell.columns; column += 1) {
        const line = grid[row]
        if (line) line[column] = cell
      }
  return grid
}

/** Returns texts by row and column. */
export const gridOf = (table: Grid): string[][] => cellsIn(table).map((row) => row.map((cell) => cell?.text ?? ''))

/** Returns the table as Markdown, its first row as header, and where in it the text of each cell begins. */
export const markdownOf = (table: Table) => {
  const cells: { readonly cell: Cell; readonly at: number }[] = []
  let text = ''
  for (const [index, row] of cellsIn(table).entries()) {
    text += index === 0 ? '|' : index === 1 ? `\n|${' --- |'.repeat(table.columns)}\n|` : '\n|'
    for (const cell of row) {
      if (cell) cells.push({ cell, at: text.length + 1 })
      text += ` ${escaped(cell?.text ?? '')} |`
    }
  }
  return { text: table.rows > 1 ? text : `${text}\n|${' --- |'.repeat(table.columns)}`, cells }
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
  const cells = above.cells.filter(({ row }) => row === 0).map((cell) => ({ ...cell, lines: [], rows: 1 }))
  return {
    ...table,
    rows: table.rows + 1,
    cells: [...cells, ...table.cells.map((cell) => ({ ...cell, row: cell.row + 1 }))],
  }
}
