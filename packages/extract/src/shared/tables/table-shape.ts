import { median } from '@cairn/domain/text/median'
import { isColumnWord, isData, isNameOfData, isText, isYear, kindOf, styleOf } from './cell-kinds.ts'
import { lastColumnOf, namesOf } from './table-names.ts'
import type { TableRow } from './table-row.ts'

/**
 * Kind of consecutive rows, of which the first `titles` stand above the table.
 * - `table`: the next `levels` rows name the columns.
 * - `form`: each row is a label and its value.
 * - `lines`: titles, notes or a paragraph.
 */
export type Shape =
  | { readonly kind: 'table'; readonly titles: number; readonly levels: number }
  | { readonly kind: 'form'; readonly titles: number }
  | { readonly kind: 'lines' }

const maxColumns = 1000
/** Columns of a row with a header: the maximum of spreadsheets. */
const maxNamed = 16_384
const maxNameUnits = 100
/** Share of non-text cells in a data column. */
const dataShare = 0.6
/** Too long for a unit of measure. */
const maxUnitLength = 10
/** More labels and values are a table of two columns. */
const maxFormRows = 50

const firstColumn = (row: TableRow): number => row.cells.keys().next().value ?? 0
const cellsOf = (row: TableRow): string[] => [...row.cells.values()].slice(0, maxColumns)
const plain = (cell: string): string => cell.trim().toLowerCase()

const isSentence = (cell: string): boolean => cell.trim().length > maxNameUnits || /[\p{L})][.!?]$/u.test(cell.trim())

const below = (rows: readonly TableRow[], column: number): string[] =>
  rows.flatMap(({ cells }) => {
    const cell = cells.get(column)
    return cell === undefined || kindOf(cell) === 'mark' ? [] : [cell]
  })

/** Names may be numbers: years, dates, or 1, 2, 3. */
const isRunOfNames = (cells: readonly string[]): boolean => {
  const data = cells.filter(isData)
  if (data.length === 0 || data.length === cells.length) return data.length > 1 && data.every(isYear)
  if (data.every(isNameOfData)) return true
  return data.length > 2 && data.every((cell, index) => index === 0 || Number(cell) === Number(data[index - 1]) + 1)
}

/** Decides by texts alone: the first row is a header unless something speaks against that. */
const namesTexts = (first: TableRow, rows: readonly TableRow[]): boolean => {
  const cells = [...first.cells].slice(0, maxColumns)
  if (cells.some(([, cell]) => isSentence(cell) || kindOf(cell) === 'address')) return false
  // Repetitions of the whole header do not count.
  const others = rows.filter((row) => !cells.every(([column, cell]) => row.cells.get(column) === cell))
  if (others.length === 0) return false
  if (cells.some(([, cell]) => isColumnWord(cell))) return true
  const recurs = cells.some(
    ([column, cell]) => others.length > 1 && below(others, column).some((value) => plain(value) === plain(cell)),
  )
  if (recurs) return false
  // If the first row mixes styles and each column keeps its style below, it is a record.
  const styles = cells.map(([, cell]) => styleOf(cell)).filter((style) => style !== 'other')
  const isMixed = new Set(styles).size > 1
  const fits = cells.every(([column, cell]) => below(rows, column).every((value) => styleOf(value) === styleOf(cell)))
  return !(isMixed && fits && rows.length > 1)
}

export const hasHeader = ([first, ...rows]: readonly TableRow[]): boolean => {
  if (!first || rows.length === 0) return false
  const cells = cellsOf(first)
  const run = isRunOfNames(cells)
  if (cells.every((cell) => isData(cell) || kindOf(cell) === 'mark') && !run) return false
  let votes = 0
  for (const [column, cell] of [...first.cells].slice(0, maxColumns)) {
    const values = below(rows, column)
    if (values.length === 0) continue
    const kind = kindOf(cell)
    if (values.every(isData)) {
      if (kind !== 'data') votes += kind === 'mark' ? 0 : 1
      else if (!run || values.every(isNameOfData)) votes -= 1
    } else if (values.every((value) => kindOf(value) === 'code')) {
      if (kind === 'text') votes++
      else if (kind === 'code' && /^\p{L}+\d+$/u.test(cell.trim()) === /^\p{L}+\d+$/u.test(values[0] as string)) votes--
    } else if (kind === 'data' && !run) votes--
  }
  if (votes !== 0) return votes > 0
  return run || (!cells.some(isData) && namesTexts(first, rows))
}

const isNameLike = (cell: string): boolean => cell.length <= maxNameUnits && !isSentence(cell)

/** Whether `lower` holds units of measure. */
const areUnits = (upper: TableRow, lower: TableRow, rows: readonly TableRow[]): boolean =>
  rows.length > 1 &&
  lower.cells.size === upper.cells.size &&
  [...upper.cells].every(
    ([column, cell]) => isText(cell) && (lower.cells.get(column)?.length ?? maxUnitLength) < maxUnitLength,
  ) &&
  cellsOf(lower).every(isText) &&
  [...lower.cells.keys()].every((column) => below(rows, column).every(isData))

/** Whether both rows name the columns together: `2023` above `Plan` and `Actual`. */
const areTwoLevels = (upper: TableRow, lower: TableRow | undefined, rows: readonly TableRow[]): boolean => {
  if (!lower || rows.length === 0) return false
  const below2 = [...lower.cells].slice(0, maxColumns)
  if (!cellsOf(upper).every(isNameLike) || !below2.every(([, cell]) => isNameLike(cell))) return false
  if (cellsOf(upper).every((cell) => isData(cell) && !isNameOfData(cell))) return false
  const first = Math.min(firstColumn(upper), firstColumn(lower), ...rows.slice(0, 20).map(firstColumn))
  // The name of the first column may be in only one of the rows.
  const isRest =
    [upper, lower].some(({ cells }) => !cells.has(first)) || lower.cells.get(first) === upper.cells.get(first)
  const own = below2.filter(([column, cell]) => upper.cells.get(column) !== cell)
  if (own.some(([, cell]) => isData(cell) && !isNameOfData(cell))) return false
  const spanned = [...(upper.spans ?? [])].filter(([from]) => from > first || upper.cells.size > 1)
  const under = own.filter(([column]) => spanned.some(([from, to]) => column >= from && column <= to))
  if (under.length > 1) return true
  if (!isRest) return areUnits(upper, lower, rows)
  // Without merged cells, names must stand above data, and one of the rows must have gaps. Long names may continue.
  const body = rows.slice(
    Math.max(
      0,
      rows.findIndex((row) => row.cells.has(first) || !cellsOf(row).every(isText)),
    ),
  )
  const gaps =
    own.some(([column]) => !upper.cells.has(column)) ||
    [...upper.cells.keys()].some((column) => !lower.cells.has(column))
  const named = own
    .filter(([column]) => column !== first)
    .map(([column]) => below(body, column))
    .filter((values) => values.length > 0)
  const overData = named.filter(
    (values) => values.filter((value) => !isText(value)).length >= values.length * dataShare,
  )
  return (
    gaps &&
    own.length > 0 &&
    overData.length > 0 &&
    overData.length === named.length &&
    !own.some(([, cell]) => isData(cell) && !isYear(cell))
  )
}

export type ShapeOptions = {
  /** Rows of a single column are a list, as in a CSV file, not lines of text. */
  readonly isList?: boolean
  /** From a data file, where a form is unlikely. */
  readonly isRecords?: boolean
  /** The rows are the whole region, not only its beginning. */
  readonly isWhole?: boolean
  /** Last header row, if the file declares one. */
  readonly headerRow?: number
}

const valueKind = (value: string): string => (isNameOfData(value) ? 'date' : kindOf(value))

const hasColon = (cell: string): boolean => /[:：]\s*$/.test(cell.slice(-5))

/** Whether each row is a label and its value, or several such pairs. */
const isForm = (rows: readonly TableRow[], { isWhole = true, isRecords }: ShapeOptions): boolean => {
  if (!isWhole || rows.length > maxFormRows) return false
  const labelled = rows.filter((row) => cellsOf(row).some(hasColon))
  if (labelled.length >= rows.length * 0.6 && rows.every((row) => row.cells.size <= 8)) return true
  if (rows.some(({ cells }) => cells.size > 2)) return false
  const pairs = rows.filter(({ cells }) => cells.size === 2).map((row) => cellsOf(row) as [string, string])
  if (pairs.length < rows.length * 0.7 || new Set(rows.flatMap((row) => [...row.cells.keys()])).size > 2) return false
  const labels = pairs.map(([label]) => label)
  const [head, ...rest] = pairs
  if (!head || !labels.every((label) => isText(label) && label.length <= 60)) return false
  if (new Set(labels.map(plain)).size < labels.length) return false
  // A year may name a column of numbers; if texts follow below, it is the value of a form.
  if (!isText(head[1])) return !isRunOfNames([...head]) || rest.some(([, value]) => isText(value))
  if (rest.length === 0 || isColumnWord(head[1])) return false
  const values = rest.map(([, value]) => value)
  const data = values.filter((value) => !isText(value)).length
  const known = rest.filter(([label]) => isColumnWord(label)).length
  // Values of one kind form a column.
  if (data === values.length && new Set(values.map(valueKind)).size === 1) return known > 1 && known >= rest.length / 2
  const sameStyle = labels.every((label) => styleOf(label) === styleOf(labels[0] as string))
  if (data > 0) return sameStyle && (known > 0 || (!isRecords && rest.length > 1))
  return known > 0 && (isColumnWord(head[0]) || known > 1)
}

const isUpperLevel = (row: TableRow, usual: number, rows: readonly TableRow[], first: number): boolean =>
  firstColumn(row) > first &&
  (row.cells.size > 1 || (row.spans?.size ?? 0) > 0) &&
  (rows[0]?.cells.size ?? 0) >= usual / 2 &&
  areTwoLevels(row, rows[0], rows.slice(1))

/** The next row is the header if it has more names: `row` may hold a title and a date. */
const isAboveHeader = (row: TableRow, rows: readonly TableRow[]): boolean => {
  const [next] = rows
  if (!next || next.cells.size <= row.cells.size || !cellsOf(next).every(isText)) return false
  return cellsOf(row).some((cell) => !isText(cell)) && !areTwoLevels(row, next, rows.slice(1)) && hasHeader(rows)
}

/** A text of the others' kind, style and length may belong to their list. */
const isLikeOthers = (text: string, others: readonly string[]): boolean => {
  const words = (one: string) => one.trim().split(/\s+/).length
  return (
    others.every((other) => kindOf(other) === kindOf(text) && styleOf(other) === styleOf(text)) &&
    median(others.map(words)) < 3 * words(text)
  )
}

const oneColumn = (rows: readonly TableRow[], isList: boolean): Shape => {
  const cells = rows.map((row) => cellsOf(row)[0] ?? '')
  const [name = '', ...values] = cells
  const columns = new Set(rows.map(firstColumn))
  if (columns.size > 1 || values.length === 0) return { kind: 'lines' }
  if (isList) {
    const isNamed = isColumnWord(name) || (isNameLike(name) && !isLikeOthers(name, values))
    return { kind: 'table', titles: 0, levels: isNamed && hasHeader(rows) ? 1 : 0 }
  }
  // A title with the date of its report is no column.
  if (values.length === 1 && isNameOfData(values[0] as string)) return { kind: 'lines' }
  const isNamed = isNameLike(name) && isText(name) && !values.some(isText)
  const isLong = values.length > 2 && isNameLike(name) && (isColumnWord(name) || !isLikeOthers(name, values))
  const isShort = values.every((value) => value.length <= 2 * maxNameUnits && !isSentence(value))
  return isNamed || (isLong && isShort && hasHeader(rows)) ? { kind: 'table', titles: 0, levels: 1 } : { kind: 'lines' }
}

export const shapeOf = (rows: readonly TableRow[], options: ShapeOptions = {}): Shape => {
  const { isList = false, headerRow } = options
  const counts = rows.map(({ cells }) => cells.size)
  const several = counts.filter((count) => count > 1)
  if (several.length === 0) return oneColumn(rows, isList)
  const usual = median(several)
  const tableRows = rows.filter(({ cells }) => cells.size > 1)
  const first = Math.min(...tableRows.map(firstColumn))
  const declared = headerRow === undefined ? -1 : rows.findIndex(({ row }) => row === headerRow)
  if (declared >= 0 && (counts[declared] ?? 0) > 1) {
    const above = rows[declared - 1]
    const two = above && areTwoLevels(above, rows[declared], rows.slice(declared + 1)) && above.cells.size > 1
    return { kind: 'table', titles: two ? declared - 1 : declared, levels: two ? 2 : 1 }
  }
  const isStart = (row: TableRow, index: number): boolean => {
    if (isUpperLevel(row, usual, rows.slice(index + 1), first)) return true
    return row.cells.size > 1 && row.cells.size > usual / 2 && !isAboveHeader(row, rows.slice(index + 1))
  }
  const titles = rows.findIndex(isStart)
  const table = rows.slice(titles)
  if (isForm(table, options)) return { kind: 'form', titles }
  const [upper, lower, ...rest] = table
  if ((upper?.cells.size ?? 0) > maxNamed) return { kind: 'table', titles, levels: 0 }
  if (upper && lower && areTwoLevels(upper, lower, rest)) {
    // Long names may continue in a third row.
    const both = { row: lower.row, cells: namesOf([upper, lower], lastColumnOf(rows)) }
    const isThird = rest[0] !== undefined && !rest[0].cells.has(first) && areTwoLevels(both, rest[0], rest.slice(1))
    return { kind: 'table', titles, levels: isThird ? 3 : 2 }
  }
  return { kind: 'table', titles, levels: hasHeader(table) ? 1 : 0 }
}
