import type { TableRow } from './table-row.ts'

const maxRows = 50
const maxCells = 20_000
const maxUnits = 2 * 1024 * 1024

/** Rows held until the kind of their region is decided. */
export class HeldRows {
  #rows: TableRow[] = []
  #cells = 0
  #units = 0

  get rows(): readonly TableRow[] {
    return this.#rows
  }

  get isFull(): boolean {
    return this.#rows.length >= maxRows || this.#cells > maxCells || this.#units > maxUnits
  }

  add(row: TableRow): void {
    this.#rows.push(row)
    this.#cells += row.cells.size
    for (const cell of row.cells.values()) this.#units += cell.length
  }

  /** Removes and returns the rows. */
  take(): readonly TableRow[] {
    const rows = this.#rows
    this.#rows = []
    this.#cells = 0
    this.#units = 0
    return rows
  }
}
