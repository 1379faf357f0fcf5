import { isColumnWord, isData, isText, kindOf } from './cell-kinds.ts'
import { isNote, lineText, maxTitleUnits, type TableItem } from './table-lines.ts'
import type { TableHint, TableRow } from './table-row.ts'
import { type Columns, columnsOf, type RowText } from './table-rows.ts'
import type { Shape } from './table-shape.ts'

/** UTF-16 units. A longer record is cut into several chunks, which all begin with its first field. */
const longRow = 1500

export type Table = {
  readonly columns: Columns
  readonly names: ReadonlyMap<number, string>
  readonly from: number
  readonly to: number
  /** Columns of data only, and columns without data. */
  readonly data: ReadonlySet<number>
  readonly texts: ReadonlySet<number>
  readonly hint?: TableHint | undefined
}

export type RowWriter = (row: TableRow) => TableItem[]

export const cellsOf = ({ cells }: TableRow): string[] => [...cells.values()]

export const tableOf = (
  rows: readonly TableRow[],
  names: ReadonlyMap<number, string>,
  letters: (column: number) => string,
  hint?: TableHint,
): Table => {
  const bounds = [...rows.flatMap(({ cells }) => [...cells.keys()]), ...names.keys()]
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

/** Printed pages repeat the header. */
export const isHeaderAgain = ({ cells }: TableRow, names: ReadonlyMap<number, string>): boolean => {
  if (cells.size < 2) return false
  for (const [column, cell] of cells) if (names.get(column) !== cell) return false
  return true
}

export const rowItem = (
  row: TableRow,
  { text, cells: places }: Pick<RowText, 'text'> & Partial<RowText>,
  header?: string,
): TableItem => {
  const first = text.slice(0, text.indexOf('\n'))
  const isLong = header !== undefined && text.length > longRow && first.length > 0 && first.length <= maxTitleUnits
  const own = isLong ? `${header}\n${first}` : header
  const rows = { from: row.row, to: row.row }
  return { kind: 'row', text, ...(own ? { header: own } : {}), rows, ...(places && { places }) }
}

export const rowWriter = ({ columns, names }: Table): RowWriter => {
  let isAfterNote = false
  return (row) => {
    if (isHeaderAgain(row, names)) return []
    const isOnly = row.cells.size === 1 && names.size > 1
    // A long note continues in the next row.
    isAfterNote = isOnly && (isNote(row) || (isAfterNote && /^\s*\p{Ll}/u.test(cellsOf(row)[0] ?? '')))
    return [rowItem(row, isAfterNote ? { text: lineText(row) } : columns.row(row.cells), columns.header)]
  }
}

/** Whether most cells below data are text; a single one may be, such as "Insufficient". */
const hasTextForData = ({ cells }: TableRow, data: ReadonlySet<number>): boolean => {
  const inData = [...cells].flatMap(([column, cell]) => (data.has(column) ? [isText(cell)] : []))
  return inData.some(Boolean) && inData.filter(Boolean).length >= inData.length / 2
}

/** Whether the rows after a gap are more rows of the table. */
export const continuesTable = (
  { from, to, data, texts, names, hint }: Table,
  rows: readonly TableRow[],
  shape: Shape,
  { isList = false, isRecords = false }: { readonly isList?: boolean; readonly isRecords?: boolean },
): boolean => {
  if (hint && rows.every(({ row }) => row <= hint.toRow)) return true
  if (shape.kind === 'lines' || shape.titles > 0) return isList && names.size === 1 && shape.kind === 'lines'
  if (rows.some(({ cells }) => [...cells.keys()].some((column) => column < from || (column > to && !isRecords))))
    return false
  if (shape.kind === 'form' && rows.some((row) => /[:：]\s*$/.test(cellsOf(row)[0]?.slice(-5) ?? ''))) return false
  if (rows.some((row) => hasTextForData(row, data))) return false
  // A total, or a separate form, has data where the table has texts.
  const isNarrow = rows.every(({ cells }) => cells.size < names.size)
  if (isNarrow && rows.some(({ cells }) => [...cells].some(([column, cell]) => texts.has(column) && isData(cell))))
    return false
  if (shape.kind === 'form' || shape.levels === 0) return true
  return isRecords && data.size === 0 && !cellsOf(rows[0] as TableRow).some(isColumnWord)
}
