import type { XmlHandler } from '../shared/xml-scan.ts'
import type { Attribute } from '../shared/xml-steps.ts'
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

type SheetContext = {
  readonly strings: SharedStrings
  readonly formats: CellFormats
  readonly facts: SheetFacts
  readonly emit: (row: SheetRow) => void
}

/** Emits non-empty rows in file order. Ignores the size that the sheet declares. */
export class SheetReader implements XmlHandler {
  readonly #context: SheetContext
  readonly #hiddenColumns: { readonly from: number; readonly to: number }[] = []
  #row = { number: 0, cells: new Map<number, string>(), isHidden: false, isCut: false }
  #column = -1
  #cell: Cell | undefined
  /** What the text belongs to. */
  #into: 'value' | 'inline' | undefined
  #phonetic = 0

  constructor(context: SheetContext) {
    this.#context = context
  }

  open(name: string, attribute: Attribute): void {
    const cell = this.#cell
    if (name === 'row') this.#beginRow(attribute)
    else if (name === 'c') this.#beginCell(attribute)
    else if (name === 'rPh') this.#phonetic++
    else if (name === 'f' && cell) cell.formula = 'without value'
    else if (name === 'v') {
      this.#into = 'value'
      // The result of a formula may be an empty text.
      if (cell?.formula === 'without value' && cell.type === 'str') cell.formula = 'with value'
    } else if (name === 't') this.#into = this.#phonetic === 0 ? 'inline' : undefined
    else if (name === 'pane') {
      const isFrozen = /^frozen/.test(attribute('state') ?? '')
      this.#context.facts.frozenRows = isFrozen ? Number(attribute('ySplit') ?? 0) : 0
    } else if (name === 'col' && isTrue(attribute('hidden')) && this.#hiddenColumns.length < lastColumn)
      this.#hiddenColumns.push({ from: Number(attribute('min')) - 1, to: Number(attribute('max')) - 1 })
  }

  close(name: string): void {
    this.#into = undefined
    if (name === 'rPh') this.#phonetic--
    else if (name === 'c') this.#endCell()
    else if (name === 'row') this.#endRow()
  }

  text(text: string): void {
    const cell = this.#cell
    if (!this.#into || !cell) return
    cell[this.#into] += text
    if (cell[this.#into].length > maxCellUnits) {
      cell[this.#into] = cell[this.#into].slice(0, maxCellUnits)
      cell.cut = true
    }
  }

  #beginRow(attribute: Attribute): void {
    const stated = Number(attribute('r'))
    const number = Number.isInteger(stated) && stated >= 1 && stated <= lastRow ? stated : this.#row.number + 1
    this.#row = { number, cells: new Map(), isHidden: isTrue(attribute('hidden')), isCut: false }
    this.#column = -1
  }

  #beginCell(attribute: Attribute): void {
    this.#column = cellAddress(attribute('r') ?? '')?.column ?? this.#column + 1
    const [column, type, style] = [this.#column, attribute('t') ?? 'n', Number(attribute('s') ?? 0)]
    this.#cell = { column, type, style, value: '', inline: '', cut: false, formula: 'none' }
  }

  #endCell(): void {
    const cell = this.#cell
    if (!cell) return
    const { facts } = this.#context
    const text = this.#textOf(cell)
    if (cell.formula === 'without value' && cell.value.trim() === '' && text.trim() === '') {
      facts.formulas++
      if (facts.firstFormulas.length < maxListed)
        facts.firstFormulas.push(`${columnLetters(cell.column)}${this.#row.number}`)
    }
    if (text.trim() !== '' && cell.column < lastColumn) this.#row.cells.set(cell.column, text)
    this.#row.isCut ||= cell.cut
    this.#cell = undefined
  }

  #endRow(): void {
    const { number: row, cells, isHidden, isCut: cut } = this.#row
    if (cells.size === 0) return
    const { facts, emit } = this.#context
    if (isHidden && facts.hiddenRows.size < maxHidden) facts.hiddenRows.add(row)
    for (const { from, to } of this.#hiddenColumns)
      for (const column of cells.keys()) if (column >= from && column <= to) facts.hiddenColumns.add(column)
    emit({ row, cells, cut })
    this.#row.cells = new Map()
  }

  #textOf({ type, value, inline, style }: Cell): string {
    const { strings, formats } = this.#context
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
}
