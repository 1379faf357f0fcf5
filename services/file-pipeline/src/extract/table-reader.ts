import { isColumnWord, kindOf } from './cell-kinds.ts'
import { cleanText } from './clean-text.ts'
import { lanesOf, rowWithin } from './table-lanes.ts'
import { type Columns, columnsOf } from './table-rows.ts'
import { namesOf, type Shape, shapeOf, type TableHint, type TableRow } from './table-shape.ts'

/** Text of a table or around it, in reading order. */
export type TableItem = {
  readonly kind: 'heading' | 'text' | 'row'
  readonly text: string
  readonly level?: number
  readonly header?: string
  readonly rows?: { readonly from: number; readonly to: number }
  /** Only names the part of the file, again. */
  readonly names?: boolean
}

/** Rows, cells and UTF-16 units of text that are held until it is decided what the rows are. */
const windowRows = 50
const windowCells = 20_000
const windowUnits = 2 * 1024 * 1024
/** More lines above a table are no titles. */
const maxLines = 50
const maxTitleUnits = 200
/** A longer record is cut into several chunks, each of which then begins with its first field. */
const longRow = 1500

export type TableOptions = {
  /** Name of a column without one. */
  readonly letters: (column: number) => string
  /** Level of the headings that titles become. */
  readonly level: number
  /** Name of what holds the tables, of the level above. */
  readonly outer?: string
  /** Rows of a single column are a list, not lines of text. */
  readonly isList?: boolean
  /** The rows are those of a data file: an empty one may stand within a table, and forms are rare. */
  readonly isRecords?: boolean
  readonly hints?: readonly TableHint[]
  /** Last row that stays in view while the others scroll. */
  readonly frozenRow?: number
}

type Table = {
  readonly columns: Columns
  readonly names: ReadonlyMap<number, string>
  readonly from: number
  readonly to: number
  /** Columns that hold nothing but data. */
  readonly data: ReadonlySet<number>
  readonly hint?: TableHint | undefined
}

type Line = { readonly text: string; readonly row: number; readonly region: number }
type Titled = { has: boolean }

const cellsOf = ({ cells }: TableRow): string[] => [...cells.values()]
const clean = (text: string): string => cleanText(text).trim()
const isOverHint = ({ cells }: TableRow, { fromColumn, toColumn }: TableHint): boolean =>
  [...cells.keys()].every((column) => column >= fromColumn && column <= toColumn)

/** A label and its value read as one line, `Member since: 2009`. */
const formText = (row: TableRow): string => {
  const cells = cellsOf(row).map(clean).filter(Boolean)
  const lines: string[] = []
  const byColon = cells.some((cell) => /[:：]$/.test(cell))
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at] as string
    const next = cells[at + 1]
    const isLabel = next !== undefined && (byColon ? /[:：]$/.test(cell) : at % 2 === 0)
    if (!isLabel) lines.push(cell)
    else {
      lines.push(`${cell.replace(/\s*[:：]$/, '')}: ${next}`)
      at++
    }
  }
  return lines.join('\n')
}

const lineText = (row: TableRow): string =>
  row.cells.size === 2 ? formText(row) : cellsOf(row).map(clean).filter(Boolean).join(' | ')

const isNote = (row: TableRow): boolean => {
  const [cell = ''] = row.cells.values()
  const text = cell.trim()
  return (
    (row.spans?.size ?? 0) > 0 ||
    text.split(/\s+/, 8).length > 7 ||
    /^[*†‡¹²#]\s*\p{L}|^(?:notes?|source|remarks?)\s*:/iu.test(text)
  )
}

const isHeading = (text: string): boolean =>
  text.length <= maxTitleUnits && !text.includes('\n') && !/[\p{L})][.!?]$/u.test(text)

/** Whether a row only repeats the names of its columns, as on each printed page. */
const isHeaderAgain = ({ cells }: TableRow, names: ReadonlyMap<number, string>): boolean => {
  if (cells.size < 2) return false
  for (const [column, cell] of cells) if (names.get(column) !== cell) return false
  return true
}

/** Whether a row that an empty one follows may name the columns of `next`. */
const isHeaderOf = (held: readonly TableRow[], next: TableRow): boolean => {
  const row = held.at(-1)
  if (!row || row.cells.size < 2 || next.cells.size < 2 || next.row > row.row + 3) return false
  if (held.slice(0, -1).some(({ cells }) => cells.size > 1)) return false
  const names = cellsOf(row)
  const columns = [...next.cells.keys()]
  if (!names.every((cell) => kindOf(cell) === 'text') || !columns.some((column) => row.cells.has(column))) return false
  const cells = cellsOf(next)
  if (cells.some((cell) => kindOf(cell) === 'data' || kindOf(cell) === 'code')) return cells.length >= names.length / 2
  const isSame =
    next.row === row.row + 2 && names.length === cells.length && columns.every((column) => row.cells.has(column))
  return (isSame || names.filter(isColumnWord).length >= names.length / 2) && !cells.some(isColumnWord)
}

/**
 * Reads rows as the tables, forms, titles and notes they are. An empty row ends a region; what a region is, is decided
 * from its first rows, so that any number of rows can follow. Tables side by side are read one after the other, up to
 * the size of the window at a time.
 */
export const tableReader = (options: TableOptions, inherited?: Table, titled: Titled = { has: false }) => {
  const { letters, level, outer, isList = false, isRecords = false, hints = [], frozenRow } = options
  let held: TableRow[] = []
  let heldCells = 0
  let heldUnits = 0
  let last: number | undefined
  let region = 0
  let lines: Line[] = []
  let table = inherited
  let write: ((row: TableRow) => TableItem[]) | undefined
  let lanes: { from: number; to: number; reader: ReturnType<typeof tableReader> }[] | undefined

  /** Lines are a title if a table follows them; otherwise they are text. */
  const takeLines = (isTitle: boolean): TableItem[] => {
    const taken = lines
    lines = []
    const final = taken.at(-1)
    const items: TableItem[] = []
    let text: Line[] = []
    const takeText = () => {
      const [from] = text
      if (from)
        items.push({
          kind: 'text',
          text: text.map((line) => line.text).join('\n'),
          rows: { from: from.row, to: text.at(-1)?.row ?? from.row },
        })
      text = []
    }
    for (const [at, line] of taken.entries()) {
      const isSecond = line === final && at > 0 && line.region !== taken[0]?.region
      if (isTitle && (at === 0 || isSecond) && isHeading(line.text)) {
        takeText()
        items.push({
          kind: 'heading',
          level: Math.min(6, at === 0 ? level : level + 1),
          text: line.text,
          rows: { from: line.row, to: line.row },
        })
        titled.has = true
      } else {
        if (text.length > 0 && text.at(-1)?.region !== line.region) takeText()
        text.push(line)
      }
    }
    takeText()
    return items
  }

  const addLine = (row: TableRow): TableItem[] => {
    const text = lineText(row)
    if (text === '' || lines.at(-1)?.text === text) return []
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

  const tableRow =
    ({ columns, names }: Table) =>
    (row: TableRow): TableItem[] => {
      const { header } = columns
      const isOnly = row.cells.size === 1 && names.size > 1
      if (isHeaderAgain(row, names)) return []
      return [rowItem(row, isOnly && isNote(row) ? lineText(row) : columns.row(row.cells), header)]
    }

  const continues = (rows: readonly TableRow[], shape: Shape): boolean => {
    if (!table) return false
    const { from, to, data, names, hint } = table
    if (hint && rows.every(({ row }) => row <= hint.toRow)) return true
    if (shape.kind === 'lines' || shape.titles > 0) return isList && names.size === 1 && shape.kind === 'lines'
    if (rows.some(({ cells }) => [...cells.keys()].some((column) => column < from || (column > to && !isRecords))))
      return false
    if (shape.kind === 'form' && rows.some((row) => /[:：]\s*$/.test(cellsOf(row)[0]?.slice(-5) ?? ''))) return false
    for (const { cells } of rows)
      for (const [column, cell] of cells) if (data.has(column) && kindOf(cell) === 'text') return false
    if (shape.kind === 'form' || shape.levels === 0) return true
    return isRecords && data.size === 0 && !cellsOf(rows[0] as TableRow).some(isColumnWord)
  }

  const newTable = (rows: readonly TableRow[], names: ReadonlyMap<number, string>, hint?: TableHint): Table => {
    const used = rows.flatMap(({ cells }) => [...cells.keys()])
    const bounds = [...used, ...names.keys()]
    const values = new Map<number, boolean>()
    for (const { cells } of rows)
      for (const [column, cell] of cells) {
        const kind = kindOf(cell)
        if (kind !== 'mark') values.set(column, (values.get(column) ?? true) && kind === 'data')
      }
    return {
      columns: columnsOf(names.size > 0 ? names : undefined, letters),
      names,
      from: bounds.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
      to: bounds.reduce((a, b) => Math.max(a, b), 0),
      data: new Set([...values].flatMap(([column, isData]) => (isData ? [column] : []))),
      hint,
    }
  }

  const hintOf = (rows: readonly TableRow[]): TableHint | undefined =>
    hints.find((hint) => rows.every((row) => row.row >= hint.fromRow && row.row <= hint.toRow && isOverHint(row, hint)))

  const headerRowOf = (rows: readonly TableRow[], hint: TableHint | undefined): number | undefined => {
    if (hint?.headerRows) return hint.fromRow + hint.headerRows - 1
    const frozen = rows.find(({ row }) => row === frozenRow)
    return frozen && !cellsOf(frozen).some((cell) => kindOf(cell) === 'data') ? frozenRow : undefined
  }

  const decide = (rows: readonly TableRow[], isWhole: boolean): TableItem[] => {
    const hint = hintOf(rows)
    const headerRow = headerRowOf(rows, hint)
    const found = shapeOf(rows, { isList, isRecords, isWhole, ...(headerRow === undefined ? {} : { headerRow }) })
    // A title belongs to what follows it.
    if (lines.length === 0 && headerRow === undefined && table && continues(rows, found)) {
      write = tableRow(table)
      return rows.flatMap(write)
    }
    const shape: Shape = hint?.headerRows === 0 ? { kind: 'table', titles: 0, levels: 0 } : found
    if (shape.kind === 'lines') {
      write = addLine
      return rows.flatMap(addLine)
    }
    const items = rows.slice(0, shape.titles).flatMap(addLine)
    const hasTitle = lines.length > 0
    items.push(...takeLines(true))
    const isNamed = shape.kind === 'form' || shape.levels > 0
    if (!hasTitle && isNamed && titled.has && outer !== undefined) {
      titled.has = false
      items.push({ kind: 'heading', level: level - 1, text: outer, names: true })
    }
    if (shape.kind === 'form') {
      table = undefined
      write = (row) => [rowItem(row, formText(row))]
      return [...items, ...rows.slice(shape.titles).flatMap(write)]
    }
    const levels = rows.slice(shape.titles, shape.titles + shape.levels)
    const body = rows.slice(shape.titles + shape.levels)
    const isAlone = body.length === 0 && isWhole
    const lastColumn = body.reduce((most, { cells }) => Math.max(most, [...cells.keys()].at(-1) ?? 0), 0)
    const opened = newTable(body, isAlone ? new Map() : namesOf(levels, lastColumn), hint)
    table = opened
    write = tableRow(opened)
    return [...items, ...(isAlone ? levels : body).flatMap(write)]
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

  /** Whether what the file declares to be a table begins at this row, or ended above it. */
  const isBorder = (row: TableRow): boolean =>
    !lanes &&
    hints.some((hint) => {
      if (hint.fromRow === row.row) return isOverHint(row, hint)
      if (hint.toRow !== row.row - 1) return false
      return write ? table?.hint === hint : held.length > 0 && held.every((one) => isOverHint(one, hint))
    })

  return {
    /** Takes the next row that has cells. */
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
