import type { XmlHandler } from '../shared/xml-scan.ts'
import type { CellFormats } from './formats.ts'
import { type SharedStrings, unescapeCell } from './strings.ts'

export const maxCellUnits = 1024 * 1024
export const lastRow = 1_048_576
export const lastColumn = 16_384

/** Both ends inclusive. Columns from 0, rows from 1. */
export type CellRange = {
  readonly fromRow: number
  readonly toRow: number
  readonly fromColumn: number
  readonly toColumn: number
}

export type SheetRow = { readonly row: number; readonly cells: ReadonlyMap<number, string>; readonly cut: boolean }

export const columnLetters = (column: number): string => {
  let letters = ''
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return letters
}

/** Returns undefined if invalid or outside a sheet's limits. */
export const cellAddress = (address: string): { row: number; column: number } | undefined => {
  const [, letters, digits] = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})$/.exec(address) ?? []
  if (!letters || !digits) return undefined
  let column = 0
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64
  const row = Number(digits)
  return row >= 1 && row <= lastRow && column <= lastColumn ? { row, column: column - 1 } : undefined
}

export const cellRange = (reference: string): CellRange | undefined => {
  const [first, second] = reference.split(':', 2)
  const from = cellAddress(first ?? '')
  const to = cellAddress(second ?? first ?? '')
  if (!from || !to || to.row < from.row || to.column < from.column) return undefined
  return { fromRow: from.row, toRow: to.row, fromColumn: from.column, toColumn: to.column }
}

type Cell = {
  column: number
  type: string
  style: number
  value: string
  inline: string
  cut: boolean
  formula: 'none' | 'without value' | 'with value'
}

/** Complete once the sheet is read. */
export type SheetFacts = {
  /** They stay in view while the others scroll. */
  frozenRows: number
  /** Only those that have cells. */
  readonly hiddenRows: Set<number>
  readonly hiddenColumns: Set<number>
  /** Cells whose formula has no stored result, and the first addresses. */
  formulas: number
  readonly firstFormulas: string[]
}

export const sheetFacts = (): SheetFacts => ({
  frozenRows: 0,
  hiddenRows: new Set(),
  hiddenColumns: new Set(),
  formulas: 0,
  firstFormulas: [],
})

const maxListed = 3
/** Recording all would take memory. */
const maxHidden = 10_000
const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true'

/** Emits non-empty rows in file order. Ignores the size that the sheet declares. */
export const sheetRows = (
  strings: SharedStrings,
  formats: CellFormats,
  facts: SheetFacts,
  emit: (row: SheetRow) => void,
): XmlHandler => {
  const hidden: { from: number; to: number }[] = []
  let isRowHidden = false
  let row = 0
  let column = -1
  let cells = new Map<number, string>()
  let cell: Cell | undefined
  let cut = false
  let into: 'value' | 'inline' | undefined
  let phonetic = 0

  const textOf = ({ type, value, inline, style }: Cell): string => {
    if (type === 's') return value.trim() === '' ? '' : (strings.get(Number(value)) ?? '')
    if (type === 'inlineStr') return unescapeCell(inline)
    if (type === 'str') return unescapeCell(value)
    if (type === 'b') return value.trim() === '1' ? 'TRUE' : value.trim() === '0' ? 'FALSE' : value
    if (type === 'e') return value
    if (type === 'd') return value.replace(/T00:00:00(?:\.0+)?Z?$/, '')
    if (value.trim() === '') return unescapeCell(inline)
    const number = Number(value)
    return Number.isFinite(number) ? formats.format(value, style) : value
  }

  return {
    open(name, attribute) {
      if (name === 'row') {
        const stated = Number(attribute('r'))
        row = Number.isInteger(stated) && stated >= 1 && stated <= lastRow ? stated : row + 1
        column = -1
        cells = new Map()
        cut = false
        isRowHidden = isTrue(attribute('hidden'))
      } else if (name === 'c') {
        column = cellAddress(attribute('r') ?? '')?.column ?? column + 1
        const style = Number(attribute('s') ?? 0)
        cell = { column, type: attribute('t') ?? 'n', style, value: '', inline: '', cut: false, formula: 'none' }
      } else if (name === 'rPh') {
        phonetic++
      } else if (name === 'f' && cell) {
        cell.formula = 'without value'
      } else if (name === 'v') {
        into = 'value'
        // The result of a formula may be an empty text.
        if (cell?.formula === 'without value' && cell.type === 'str') cell.formula = 'with value'
      } else if (name === 'pane') {
        facts.frozenRows = /^frozen/.test(attribute('state') ?? '') ? Number(attribute('ySplit') ?? 0) : 0
      } else if (name === 'col' && isTrue(attribute('hidden')) && hidden.length < lastColumn) {
        hidden.push({ from: Number(attribute('min')) - 1, to: Number(attribute('max')) - 1 })
      } else if (name === 't') {
        into = phonetic === 0 ? 'inline' : undefined
      }
    },
    close(name) {
      into = undefined
      if (name === 'rPh') {
        phonetic--
      } else if (name === 'c' && cell) {
        const text = textOf(cell)
        if (cell.formula === 'without value' && cell.value.trim() === '' && text.trim() === '') {
          facts.formulas++
          if (facts.firstFormulas.length < maxListed) facts.firstFormulas.push(`${columnLetters(cell.column)}${row}`)
        }
        if (text.trim() !== '' && cell.column < lastColumn) cells.set(cell.column, text)
        cut ||= cell.cut
        cell = undefined
      } else if (name === 'row' && cells.size > 0) {
        if (isRowHidden && facts.hiddenRows.size < maxHidden) facts.hiddenRows.add(row)
        for (const { from, to } of hidden)
          for (const column of cells.keys()) if (column >= from && column <= to) facts.hiddenColumns.add(column)
        emit({ row, cells, cut })
        cells = new Map()
      }
    },
    text(text) {
      if (!into || !cell) return
      cell[into] += text
      if (cell[into].length > maxCellUnits) {
        cell[into] = cell[into].slice(0, maxCellUnits)
        cell.cut = true
      }
    },
  }
}
