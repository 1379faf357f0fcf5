import { isColumnWord, isData, isText, isYear, kindOf } from './cell-kinds.ts'
import {
  cellsOf,
  continuesTable,
  isHeaderAgain,
  type RowWriter,
  rowItem,
  rowWriter,
  type Table,
  tableOf,
} from './table.ts'
import { lanesOf, rowWithin } from './table-lanes.ts'
import { formText, itemsOfLines, type Line, lineText, type TableItem } from './table-lines.ts'
import { lastColumnOf, namesOf } from './table-names.ts'
import type { TableHint, TableRow } from './table-row.ts'
import { type Shape, shapeOf } from './table-shape.ts'

/** Held before the kind of the rows is decided. */
const maxWindowRows = 50
const maxWindowCells = 20_000
const maxWindowUnits = 2 * 1024 * 1024
/** Lines that may be titles of a table. */
const maxLines = 50

export type TableOptions = {
  readonly letters: (column: number) => string
  readonly level: number
  /** The container of the tables, such as a sheet; its heading is one level higher. */
  readonly outer?: string
  /** Rows of a single column are a list, not lines of text. */
  readonly isList?: boolean
  /** From a data file: tables may contain empty rows, and forms are rare. */
  readonly isRecords?: boolean
  readonly hints?: readonly TableHint[]
  /** Counts as a header row. */
  readonly filterRow?: number | undefined
  /** Last row that stays in view while the others scroll. */
  readonly frozenRow?: number
}

const isOverHint = ({ cells }: TableRow, { fromColumn, toColumn }: TableHint): boolean =>
  [...cells.keys()].every((column) => column >= fromColumn && column <= toColumn)

/** Whether a row that an empty row follows may be the header of `next`. */
const isHeaderOf = (held: readonly TableRow[], next: TableRow): boolean => {
  const row = held.at(-1)
  if (!row || row.cells.size < 2 || next.cells.size < 2 || next.row > row.row + 3) return false
  const upper = held.findIndex(({ cells }) => cells.size > 1)
  // Names may continue in the next row, in which the first column has none.
  const isContinued = upper === held.length - 2 && !row.cells.has(held[upper]?.cells.keys().next().value ?? 0)
  if (held[upper] !== row && !isContinued) return false
  const names = cellsOf(row)
  const columns = [...next.cells.keys()]
  const texts = names.length > 2 && names.slice(1).every(isYear) ? names.slice(0, 1) : names
  if (!texts.every(isText) || !columns.some((column) => row.cells.has(column))) return false
  const cells = cellsOf(next)
  if (cells.some((cell) => isData(cell) || kindOf(cell) === 'code')) return cells.length >= names.length / 2
  const isSame =
    next.row === row.row + 2 && names.length === cells.length && columns.every((column) => row.cells.has(column))
  return (isSame || names.filter(isColumnWord).length >= names.length / 2) && !cells.some(isColumnWord)
}

const noRows = () => ({ rows: [] as TableRow[], cells: 0, units: 0 })
const isNamed = (shape: Shape): boolean => shape.kind === 'form' || (shape.kind === 'table' && shape.levels > 0)

/**
 * Reads rows as tables, forms, titles and notes. An empty row ends a region; its kind is decided from its first rows,
 * so that any number can follow. Adjacent tables are read one after the other within each window of rows.
 */
export class TableReader {
  readonly #options: TableOptions
  readonly #hints: readonly TableHint[]
  /** Whether a title stands above the tables since the last heading of `outer`. Adjacent tables share it. */
  readonly #titled: { has: boolean }
  #held = noRows()
  #lastRow: number | undefined
  #region = 0
  /** Titles if a table follows. */
  #lines: Line[] = []
  /** Names whose region has no values; they may name the columns of the next region. */
  #alone: TableItem[] = []
  #table: Table | undefined
  /** Undefined until the kind of the region is decided. */
  #write: RowWriter | undefined
  #lanes: { readonly from: number; readonly to: number; readonly reader: TableReader }[] | undefined

  constructor(options: TableOptions, table?: Table, titled = { has: false }) {
    this.#options = options
    this.#hints = options.hints ?? []
    this.#table = table
    this.#titled = titled
  }

  add(row: TableRow): TableItem[] {
    const items = this.#endsRegion(row) ? this.#endRegion() : []
    this.#lastRow = row.row
    if (this.#write) return [...items, ...this.#write(row)]
    const held = this.#held
    held.rows.push(row)
    held.cells += row.cells.size
    for (const cell of row.cells.values()) held.units += cell.length
    if (held.rows.length >= maxWindowRows || held.cells > maxWindowCells || held.units > maxWindowUnits)
      items.push(...this.#flush(false))
    return items
  }

  end(): TableItem[] {
    return [...this.#endRegion(), ...this.#takeLines(false)]
  }

  /** Whether the region ends above this row. */
  #endsRegion(row: TableRow): boolean {
    if (this.#lastRow === undefined) return false
    if (row.row <= this.#lastRow + 1) return this.#isBorder(row)
    return this.#write !== undefined || this.#lanes !== undefined || !isHeaderOf(this.#held.rows, row)
  }

  /** Whether a declared table begins at this row or ended above it. */
  #isBorder(row: TableRow): boolean {
    if (this.#lanes) return false
    const held = this.#held.rows
    return this.#hints.some((hint) => {
      if (hint.fromRow === row.row) return isOverHint(row, hint)
      if (hint.toRow !== row.row - 1) return false
      return this.#write ? this.#table?.hint === hint : held.length > 0 && held.every((one) => isOverHint(one, hint))
    })
  }

  #endRegion(): TableItem[] {
    const items = this.#flush(true)
    for (const { reader } of this.#lanes ?? []) items.push(...reader.end())
    this.#lanes = undefined
    this.#write = undefined
    this.#region++
    return items
  }

  /** `isWhole`: the rows are all of the region. */
  #flush(isWhole: boolean): TableItem[] {
    const { rows } = this.#held
    this.#held = noRows()
    if (rows.length === 0) return []
    if (this.#write) return rows.flatMap(this.#write)
    const items: TableItem[] = []
    if (!this.#lanes) {
      const lanes = lanesOf(rows, this.#hints)
      if (lanes.length < 2) return this.#decide(rows, isWhole)
      items.push(...this.#takeLines(true))
      this.#lanes = lanes.map((lane) => ({
        ...lane,
        reader: new TableReader(this.#options, this.#table, this.#titled),
      }))
    }
    for (const lane of this.#lanes) {
      for (const row of rows) {
        const own = rowWithin(row, lane)
        if (own.cells.size > 0) items.push(...lane.reader.add(own))
      }
      if (isWhole) items.push(...lane.reader.end())
    }
    return items
  }

  #decide(rows: readonly TableRow[], isWhole: boolean): TableItem[] {
    const { isList = false, isRecords = false } = this.#options
    const hint = this.#hintOf(rows)
    const headerRow = this.#headerRowOf(rows, hint)
    const found = shapeOf(rows, { isList, isRecords, isWhole, ...(headerRow === undefined ? {} : { headerRow }) })
    // Lines before the rows are the title of a new table, so the rows do not continue the previous one.
    const isUntitled = this.#lines.length + this.#alone.length === 0
    if (isUntitled && headerRow === undefined && this.#table && this.#continues(rows, found))
      return this.#writeWith(rowWriter(this.#table), rows)
    const shape: Shape = hint?.headerRows === 0 ? { kind: 'table', titles: 0, levels: 0 } : found
    if (shape.kind === 'lines') return this.#writeWith((row) => this.#addLine(row), rows)
    const body = rows.slice(shape.titles)
    const namesAbove = this.#namesAbove(body, shape)
    if (namesAbove) this.#alone = []
    const titles = this.#takeTitles(rows.slice(0, shape.titles), namesAbove !== undefined || isNamed(shape))
    if (shape.kind === 'table')
      return [...titles, ...this.#beginTable(body, namesAbove, { levels: shape.levels, isWhole, hint })]
    this.#table = undefined
    return [...titles, ...this.#writeWith((row) => [rowItem(row, { text: formText(row) })], body)]
  }

  #writeWith(write: RowWriter, rows: readonly TableRow[]): TableItem[] {
    this.#write = write
    return rows.flatMap(write)
  }

  #hintOf(rows: readonly TableRow[]): TableHint | undefined {
    return this.#hints.find((hint) =>
      rows.every((row) => row.row >= hint.fromRow && row.row <= hint.toRow && isOverHint(row, hint)),
    )
  }

  #headerRowOf(rows: readonly TableRow[], hint: TableHint | undefined): number | undefined {
    const { filterRow, frozenRow } = this.#options
    if (hint?.headerRows) return hint.fromRow + hint.headerRows - 1
    if (rows.some(({ row }) => row === filterRow)) return filterRow
    const frozen = rows.find(({ row }) => row === frozenRow)
    return frozen && !cellsOf(frozen).some(isData) ? frozenRow : undefined
  }

  #continues(rows: readonly TableRow[], shape: Shape): boolean {
    return this.#table !== undefined && continuesTable(this.#table, rows, shape, this.#options)
  }

  /** Names of the last header, if it names the columns of these rows under a title of their own. */
  #namesAbove(rows: readonly TableRow[], shape: Shape): ReadonlyMap<number, string> | undefined {
    const names = this.#table?.names
    if (shape.kind !== 'table' || shape.levels > 0 || !rows.some(({ cells }) => cells.size === names?.size))
      return undefined
    if (this.#alone.length > 0 && !rows.flatMap(cellsOf).some(isData)) return undefined
    return this.#continues(rows, { kind: 'table', titles: 0, levels: 0 }) ? names : undefined
  }

  /** Returns the titles of the rows that follow. Rows with names but without a title get the title of the whole. */
  #takeTitles(rows: readonly TableRow[], isNamed: boolean): TableItem[] {
    const { outer, level } = this.#options
    const items = rows.flatMap((row) => this.#addLine(row))
    const hasTitle = this.#lines.length > 0
    items.push(...this.#takeLines(true))
    if (!hasTitle && isNamed && this.#titled.has && outer !== undefined) {
      this.#titled.has = false
      items.push({ kind: 'heading', level: level - 1, text: outer, names: true })
    }
    return items
  }

  #beginTable(
    rows: readonly TableRow[],
    namesAbove: ReadonlyMap<number, string> | undefined,
    found: { readonly levels: number; readonly isWhole: boolean; readonly hint: TableHint | undefined },
  ): TableItem[] {
    const { isWhole, hint } = found
    const { letters } = this.#options
    const isOne = !namesAbove && isWhole && rows.length === 1 && cellsOf(rows[0] as TableRow).every(isText)
    const levels = isOne ? 1 : found.levels
    const body = rows.slice(levels)
    const names = namesAbove ?? namesOf(rows.slice(0, levels), lastColumnOf(rows))
    this.#table = tableOf(body, names, letters, hint)
    this.#write = rowWriter(this.#table)
    if (!isWhole || !body.every((row) => isHeaderAgain(row, names))) return body.flatMap(this.#write)
    // A header without values is kept as rows, unless it names the columns of the next region.
    this.#alone = rows.flatMap(rowWriter(tableOf(body, new Map(), letters, hint)))
    return []
  }

  #addLine(row: TableRow): TableItem[] {
    const text = lineText(row)
    if (text === '') return []
    const items = this.#lines.length >= maxLines ? this.#takeLines(false) : []
    this.#lines.push({ text, row: row.row, region: this.#region })
    return items
  }

  #takeLines(isTitle: boolean): TableItem[] {
    const items = [...this.#alone, ...itemsOfLines(this.#lines, isTitle, this.#options.level)]
    if (this.#alone.length > 0) this.#table = undefined
    this.#lines = []
    this.#alone = []
    if (items.some(({ kind }) => kind === 'heading')) this.#titled.has = true
    return items
  }
}
