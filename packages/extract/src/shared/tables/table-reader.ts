import { isColumnWord, isYear, kindOf } from './cell-kinds.ts'
import { lanesOf, rowWithin } from './table-lanes.ts'
import { formText, isNote, itemsOfLines, type Line, lineText, maxTitleUnits, type TableItem } from './table-lines.ts'
import { lastColumnOf, namesOf } from './table-names.ts'
import type { TableHint, TableRow } from './table-row.ts'
import { type Columns, columnsOf } from './table-rows.ts'
import { type Shape, shapeOf } from './table-shape.ts'

/** Held before the kind of the rows is decided. */
const windowRows = 50
const windowCells = 20_000
const windowUnits = 2 * 1024 * 1024
/** Lines that may be titles of a table. */
const maxLines = 50
/** UTF-16 units. A longer record is cut into several chunks, which all begin with its first field. */
const longRow = 1500

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

type Table = {
  readonly columns: Columns
  readonly names: ReadonlyMap<number, string>
  readonly from: number
  readonly to: number
  /** Columns of data only, and columns without data. */
  readonly data: ReadonlySet<number>
  readonly texts: ReadonlySet<number>
  readonly hint?: TableHint | undefined
}

type Titled = { has: boolean }

const cellsOf = ({ cells }: TableRow): string[] => [...cells.values()]
const isName = (cell: string): boolean => kindOf(cell) === 'text'
const isOverHint = ({ cells }: TableRow, { fromColumn, toColumn }: TableHint): boolean =>
  [...cells.keys()].every((column) => column >= fromColumn && column <= toColumn)

/** Printed pages repeat the header. */
const isHeaderAgain = ({ cells }: TableRow, names: ReadonlyMap<number, string>): boolean => {
  if (cells.size < 2) return false
  for (const [column, cell] of cells) if (names.get(column) !== cell) return false
  return true
}

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
  if (!texts.every(isName) || !columns.some((column) => row.cells.has(column))) return false
  const cells = cellsOf(next)
  if (cells.some((cell) => kindOf(cell) === 'data' || kindOf(cell) === 'code')) return cells.length >= names.length / 2
  const isSame =
    next.row === row.row + 2 && names.length === cells.length && columns.every((column) => row.cells.has(column))
  return (isSame || names.filter(isColumnWord).length >= names.length / 2) && !cells.some(isColumnWord)
}

/**
 * Reads rows as tables, forms, titles and notes. An empty row ends a region; its kind is decided from its first rows,
 * so that any number can follow. Adjacent tables are read one after the other within each window of rows.
 */
export const tableReader = (options: TableOptions, inherited?: Table, titled: Titled = { has: false }) => {
  const { letters, level, outer, isList = false, isRecords = false, hints = [], filterRow, frozenRow } = options
  let held: TableRow[] = []
  let heldCells = 0
  let heldUnits = 0
  let last: number | undefined
  let region = 0
  let lines: Line[] = []
  /** Names whose region has no values; they may name the columns of the next region. */
  let alone: TableItem[] = []
  let table = inherited
  let write: ((row: TableRow) => TableItem[]) | undefined
  let lanes: { from: number; to: number; reader: ReturnType<typeof tableReader> }[] | undefined

  /** Held lines are titles if a table follows. */
  const takeLines = (isTitle: boolean): TableItem[] => {
    const items = [...alone, ...itemsOfLines(lines, isTitle, level)]
    if (alone.length > 0) table = undefined
    lines = []
    alone = []
    if (items.some(({ kind }) => kind === 'heading')) titled.has = true
    return items
  }

  const addLine = (row: TableRow): TableItem[] => {
    const text = lineText(row)
    if (text === '') return []
    const items = lines.length >= maxLines ? takeLines(false) : []
    lines.push({ text, row: row.row, region })
    return items
  }

  const rowItem = (row: TableRow, text: string, header?: string): TableItem => {
    const first = text.slice(0, text.indexOf('\n'))
    const isLong = header !== undefined && text.length > longRow && first.length > 0 && first.length <= maxTitleUnits
    const own = isLong ? `${header}\n${first}` : header
    return { kind: 'row', text, ...(own ? { header: own } : {}), rows: { from: row.row, to: row.row } }
  }

  const tableRow = ({ columns, names }: Table) => {
    let isAfterNote = false
    return (row: TableRow): TableItem[] => {
      if (isHeaderAgain(row, names)) return []
      const isOnly = row.cells.size === 1 && names.size > 1
      // A long note continues in the next row.
      isAfterNote = isOnly && (isNote(row) || (isAfterNote && /^\s*\p{Ll}/u.test(cellsOf(row)[0] ?? '')))
      return [rowItem(row, isAfterNote ? lineText(row) : columns.row(row.cells), columns.header)]
    }
  }

  const continues = (rows: readonly TableRow[], shape: Shape): boolean => {
    if (!table) return false
    const { from, to, data, texts, names, hint } = table
    if (hint && rows.every(({ row }) => row <= hint.toRow)) return true
    if (shape.kind === 'lines' || shape.titles > 0) return isList && names.size === 1 && shape.kind === 'lines'
    if (rows.some(({ cells }) => [...cells.keys()].some((column) => column < from || (column > to && !isRecords))))
      return false
    if (shape.kind === 'form' && rows.some((row) => /[:：]\s*$/.test(cellsOf(row)[0]?.slice(-5) ?? ''))) return false
    // A single value may be a text, such as "Insufficient".
    for (const { cells } of rows) {
      const inData = [...cells].flatMap(([column, cell]) => (data.has(column) ? [isName(cell)] : []))
      if (inData.some(Boolean) && inData.filter(Boolean).length >= inData.length / 2) return false
    }
    // A total, or a separate form, has data where the table has texts.
    const isNarrow = rows.every(({ cells }) => cells.size < names.size)
    if (
      isNarrow &&
      rows.some(({ cells }) => [...cells].some(([column, cell]) => texts.has(column) && kindOf(cell) === 'data'))
    )
      return false
    if (shape.kind === 'form' || shape.levels === 0) return true
    return isRecords && data.size === 0 && !cellsOf(rows[0] as TableRow).some(isColumnWord)
  }

  /** Whether the last header names the columns of these rows under a title of their own. */
  const isUnderNames = (rows: readonly TableRow[]): boolean =>
    rows.some(({ cells }) => cells.size === table?.names.size) &&
    (alone.length === 0 || rows.flatMap(cellsOf).some((cell) => kindOf(cell) === 'data')) &&
    continues(rows, { kind: 'table', titles: 0, levels: 0 })

  const newTable = (rows: readonly TableRow[], names: ReadonlyMap<number, string>, hint?: TableHint): Table => {
    const used = rows.flatMap(({ cells }) => [...cells.keys()])
    const bounds = [...used, ...names.keys()]
    const [data, texts] = [new Set<number>(), new Set<number>()]
    for (const { cells } of rows)
      for (const [column, cell] of cells) {
        const kind = kindOf(cell)
        if (kind !== 'mark') (kind === 'data' ? data : texts).add(column)
      }
    return {
      columns: columnsOf(names.size > 0 ? names : undefined, letters),
      names,
      from: bounds.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
      to: bounds.reduce((a, b) => Math.max(a, b), 0),
      data: data.difference(texts),
      texts: texts.difference(data),
      hint,
    }
  }

  const hintOf = (rows: readonly TableRow[]): TableHint | undefined =>
    hints.find((hint) => rows.every((row) => row.row >= hint.fromRow && row.row <= hint.toRow && isOverHint(row, hint)))

  const headerRowOf = (rows: readonly TableRow[], hint: TableHint | undefined): number | undefined => {
    if (hint?.headerRows) return hint.fromRow + hint.headerRows - 1
    if (rows.some(({ row }) => row === filterRow)) return filterRow
    const frozen = rows.find(({ row }) => row === frozenRow)
    return frozen && !cellsOf(frozen).some((cell) => kindOf(cell) === 'data') ? frozenRow : undefined
  }

  const decide = (rows: readonly TableRow[], isWhole: boolean): TableItem[] => {
    const hint = hintOf(rows)
    const headerRow = headerRowOf(rows, hint)
    const found = shapeOf(rows, { isList, isRecords, isWhole, ...(headerRow === undefined ? {} : { headerRow }) })
    // Lines before the rows are the title of a new table, so the rows do not continue the previous one.
    if (lines.length + alone.length === 0 && headerRow === undefined && table && continues(rows, found)) {
      write = tableRow(table)
      return rows.flatMap(write)
    }
    const shape: Shape = hint?.headerRows === 0 ? { kind: 'table', titles: 0, levels: 0 } : found
    if (shape.kind === 'lines') {
      write = addLine
      return rows.flatMap(addLine)
    }
    const untitled = rows.slice(shape.titles)
    const namesAbove = shape.kind === 'table' && shape.levels === 0 && isUnderNames(untitled) && table?.names
    if (namesAbove) alone = []
    const items = rows.slice(0, shape.titles).flatMap(addLine)
    const hasTitle = lines.length > 0
    items.push(...takeLines(true))
    const isNamed = shape.kind === 'form' || shape.levels > 0 || Boolean(namesAbove)
    if (!hasTitle && isNamed && titled.has && outer !== undefined) {
      titled.has = false
      items.push({ kind: 'heading', level: level - 1, text: outer, names: true })
    }
    if (shape.kind === 'form') {
      table = undefined
      write = (row) => [rowItem(row, formText(row))]
      return [...items, ...untitled.flatMap(write)]
    }
    const isOne = !namesAbove && isWhole && untitled.length === 1 && cellsOf(untitled[0] as TableRow).every(isName)
    const levels = isOne ? 1 : shape.levels
    const body = untitled.slice(levels)
    const names = namesAbove || namesOf(untitled.slice(0, levels), lastColumnOf(untitled))
    table = newTable(body, names, hint)
    write = tableRow(table)
    if (!isWhole || !body.every((row) => isHeaderAgain(row, names))) return [...items, ...body.flatMap(write)]
    // A header without values is kept as rows, unless it names the columns of the next region.
    alone = untitled.flatMap(tableRow(newTable(body, new Map(), hint)))
    return items
  }

  const flush = (isWhole: boolean): TableItem[] => {
    const rows = held
    held = []
    heldCells = 0
    heldUnits = 0
    if (rows.length === 0) return []
    if (write) return rows.flatMap(write)
    const found = lanes ? [] : lanesOf(rows, hints)
    if (!lanes && found.length < 2) return decide(rows, isWhole)
    const items = lanes ? [] : takeLines(true)
    lanes ??= found.map((lane) => ({ ...lane, reader: tableReader(options, table, titled) }))
    for (const lane of lanes) {
      for (const row of rows) {
        const own = rowWithin(row, lane)
        if (own.cells.size > 0) items.push(...lane.reader.add(own))
      }
      items.push(...(isWhole ? lane.reader.end() : []))
    }
    return items
  }

  const endRegion = (): TableItem[] => {
    const items = flush(true)
    for (const { reader } of lanes ?? []) items.push(...reader.end())
    lanes = undefined
    write = undefined
    region++
    return items
  }

  /** Whether a declared table begins at this row or ended above it. */
  const isBorder = (row: TableRow): boolean =>
    !lanes &&
    hints.some((hint) => {
      if (hint.fromRow === row.row) return isOverHint(row, hint)
      if (hint.toRow !== row.row - 1) return false
      return write ? table?.hint === hint : held.length > 0 && held.every((one) => isOverHint(one, hint))
    })

  return {
    add(row: TableRow): TableItem[] {
      const isGap = last !== undefined && row.row > last + 1
      const isEnd =
        last !== undefined &&
        (isGap ? write !== undefined || lanes !== undefined || !isHeaderOf(held, row) : isBorder(row))
      const items = isEnd ? endRegion() : []
      last = row.row
      if (write) return [...items, ...write(row)]
      held.push(row)
      heldCells += row.cells.size
      for (const cell of row.cells.values()) heldUnits += cell.length
      if (held.length >= windowRows || heldCells > windowCells || heldUnits > windowUnits) items.push(...flush(false))
      return items
    },
    end(): TableItem[] {
      return [...endRegion(), ...takeLines(false)]
    },
  }
}
