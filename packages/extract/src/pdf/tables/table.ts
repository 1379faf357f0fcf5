import { areFromRight } from '@cairn/domain/text/direction'
import type { Line } from '../lines/lines.ts'
import type { Segment } from '../words/segments.ts'

export type Cell = {
  readonly text: string
  /** None if they are on another page, as for a repeated header. */
  readonly lines: readonly Line[]
  readonly row: number
  readonly column: number
  readonly rows: number
  readonly columns: number
}

/** x coordinates in points. */
export type Span = { readonly from: number; readonly to: number }

/** Points of the frame. */
export type Table = {
  readonly columns: number
  readonly rows: number
  readonly headers: number
  readonly cells: readonly Cell[]
  readonly spans: readonly Span[]
  readonly segments: readonly Segment[]
  readonly x0: number
  readonly x1: number
  readonly y0: number
  readonly y1: number
}

const value =
  /^(?:(?:US|R)\$|EUR|USD|GBP|CHF)?[-–—(+$€£¥~<>≤≥\s]*(?:\d[\d\s.,'’/:]*|[-–—]+|n\/?a|\.{1,3})\s*[%)\]*†‡a-z]{0,3}(?: \[[\d,a-z]{1,5}\])?$/i

/** A number, an amount, a share, or a dash or `n/a` instead. */
export const isValue = (text: string): boolean => value.test(text)

export const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|')

type Grid = Pick<Table, 'columns' | 'rows' | 'cells'>

/** A cell that covers several positions fills all of them. */
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

export const gridOf = (table: Grid): string[][] => cellsIn(table).map((row) => row.map((cell) => cell?.text ?? ''))

/** From right to left if most of its text is written so. */
export const inReadingDirection = (table: Table): Table =>
  areFromRight(table.cells.map(({ text }) => text))
    ? {
        ...table,
        spans: table.spans.toReversed(),
        cells: table.cells
          .map((cell) => ({ ...cell, column: table.columns - cell.column - cell.columns }))
          .toSorted((a, b) => a.row - b.row || a.column - b.column),
      }
    : table

/** A table up to this length, with all of its header rows, fits into one chunk. */
const chunkUnits = 1_500

type Field = readonly Cell[]

/** Repeats no text: `2024 Plan`. */
const joinedHeader = (rows: readonly (readonly Field[])[]): Field[] =>
  (rows[0] ?? []).map((_, column) => {
    const cells = rows.flatMap((row) => row[column] ?? []).filter(({ text }) => text !== '')
    return cells.filter(({ text }, index) => cells.findIndex((cell) => cell.text === text) === index)
  })

/** `at` is the offset of the cell's text. */
export type Written = {
  readonly text: string
  readonly cells: readonly { readonly cell: Cell; readonly at: number }[]
}

const writeRow = (row: readonly Field[]): Written => {
  const cells: { cell: Cell; at: number }[] = []
  let text = '|'
  for (const field of row) {
    for (const cell of field) {
      text += ' '
      cells.push({ cell, at: text.length })
      text += escaped(cell.text)
    }
    text += field.length > 0 ? ' |' : '  |'
  }
  return { text, cells }
}

const writeLines = (lines: readonly Written[]): Written => {
  let index = 0
  const cells = lines.flatMap((line) => {
    const begin = index
    index += line.text.length + 1
    return line.cells.map((one) => ({ cell: one.cell, at: begin + one.at }))
  })
  return { text: lines.map(({ text }) => text).join('\n'), cells }
}

/**
 * Returns a long table as several of up to `limit` units. The first row is the Markdown header. Chunks repeat only this
 * row, so the header rows of a long table are joined to one.
 */
export const markdownOf = (table: Table, limit = Number.POSITIVE_INFINITY): Written[] => {
  const grid = cellsIn(table).map((row) => row.map((cell): Field => (cell ? [cell] : [])))
  const units = grid.flat().reduce((sum, field) => sum + (field[0] ? escaped(field[0].text).length : 0) + 3, 0)
  const rows =
    table.headers > 1 && units > chunkUnits
      ? [joinedHeader(grid.slice(0, table.headers)), ...grid.slice(table.headers)]
      : grid
  const [first = { text: '', cells: [] }, ...lines] = rows.map(writeRow)
  const header = [first, { text: `|${' --- |'.repeat(table.columns)}`, cells: [] }]
  const lengthOf = (written: readonly Written[]) => written.reduce((sum, { text }) => sum + text.length + 1, -1)
  const tables: Written[] = []
  let held: Written[] = [...header]
  let length = lengthOf(held)
  for (const line of lines) {
    if (length + line.text.length >= limit && held.length > header.length) {
      tables.push(writeLines(held))
      // A header that fills most of a block is not repeated.
      held = lengthOf(header) > limit / 4 ? [] : [...header]
      length = lengthOf(held)
    }
    held.push(line)
    length += line.text.length + 1
  }
  return [...tables, writeLines(held)]
}

/** If the table continues that of the previous page, adds its header. */
export const continued = (above: Table, table: Table): Table => {
  const isSame =
    above.columns === table.columns &&
    above.spans.every(({ from, to }, index) => {
      const span = table.spans[index]
      return span && span.from < to && from < span.to
    })
  if (!isSame) return table
  const { headers } = above
  const [header = [], first = []] = [gridOf(above)[0], gridOf(table)[0]]
  if (header.join('\n') === first.join('\n')) return table
  const cells = above.cells
    .filter(({ row }) => row < headers)
    .map((cell) => ({ ...cell, lines: [], rows: Math.min(cell.rows, headers - cell.row) }))
  return {
    ...table,
    rows: table.rows + headers,
    headers,
    cells: [...cells, ...table.cells.map((cell) => ({ ...cell, row: cell.row + headers }))],
  }
}

const closing = /^(?:[)%]+|\)%)$/
const currency = /^(?:[$€£¥₹]|R\$)$/

const before = (sign: Cell, cell: Cell): Cell => ({
  ...cell,
  text: `${sign.text} ${cell.text}`,
  lines: [...sign.lines, ...cell.lines],
})

const glued = (cell: Cell, sign: Cell): Cell => {
  const last = cell.lines.at(-1)
  const [own] = sign.lines
  const lines =
    last && own
      ? [
          ...cell.lines.slice(0, -1),
          { ...last, words: [...last.words, ...own.words], x1: own.x1, text: last.text + sign.text },
        ]
      : cell.lines
  return { ...cell, text: cell.text + sign.text, lines }
}

/** Joins columns that contain only signs (`$`, `)`) with the adjacent column of numbers. */
export const withoutSignColumns = (table: Table): Table => {
  const isOnly = (column: number, sign: RegExp) => {
    const own = table.cells.filter((cell) => cell.column === column && cell.columns === 1 && cell.text !== '')
    return own.length > 0 && own.every(({ text }) => sign.test(text))
  }
  for (let column = 1; column < table.columns; column += 1) {
    const isClosing = column > 1 && isOnly(column, closing)
    const isCurrency = !isClosing && column < table.columns - 1 && isOnly(column, currency)
    if (!isClosing && !isCurrency) continue
    const kept = isClosing ? column - 1 : column + 1
    const cellIn = (at: number, row: number) =>
      table.cells.find((cell) => cell.column === at && cell.row === row && cell.columns === 1 && cell.text !== '')
    const isSign = (cell: Cell) => cell.column === column && cell.columns === 1
    const cells = table.cells.flatMap((cell): Cell[] => {
      if (isSign(cell) && cellIn(kept, cell.row)) return []
      const sign = cell.column === kept && cell.columns === 1 ? cellIn(column, cell.row) : undefined
      const whole = sign === undefined ? cell : isClosing ? glued(cell, sign) : before(sign, cell)
      const from = cell.column > column ? cell.column - 1 : isSign(cell) && isClosing ? column - 1 : cell.column
      const reaches = cell.columns > 1 && cell.column <= column && cell.column + cell.columns > column
      return [{ ...whole, column: from, columns: reaches ? cell.columns - 1 : cell.columns }]
    })
    const spans = table.spans.filter((_, index) => index !== column)
    return withoutSignColumns({ ...table, cells, spans, columns: table.columns - 1 })
  }
  return table
}

/** Removes the space between double rules, for example. Returns undefined if fewer than two columns remain. */
export const withoutEmpty = (table: Table): Table | undefined => {
  const isUsed = (at: (cell: Cell) => number, count: number) =>
    Array.from({ length: count }, (_, index) => table.cells.some((cell) => cell.text !== '' && at(cell) === index))
  const rows = isUsed((cell) => cell.row, table.rows)
  const columns = isUsed((cell) => cell.column, table.columns)
  const before = (used: readonly boolean[], index: number) => used.slice(0, index).filter(Boolean).length
  const cells = table.cells
    .filter((cell) => cell.text !== '')
    .map((cell) => {
      const [row, column] = [before(rows, cell.row), before(columns, cell.column)]
      return {
        text: cell.text,
        lines: cell.lines,
        row,
        column,
        rows: Math.max(1, before(rows, cell.row + cell.rows) - row),
        columns: Math.max(1, before(columns, cell.column + cell.columns) - column),
      }
    })
  const [rowCount, columnCount] = [rows.filter(Boolean).length, columns.filter(Boolean).length]
  if (rowCount < 1 || columnCount < 2) return undefined
  const spans = table.spans.filter((_, index) => columns[index])
  return { ...table, spans, cells, rows: rowCount, columns: columnCount }
}
