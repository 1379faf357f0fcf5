export type TableRow = {
  /** From 1, as in a spreadsheet. */
  readonly row: number
  /** Non-empty cells by column, from 0, in order. */
  readonly cells: ReadonlyMap<number, string>
  /** Last column of each cell that spans several. */
  readonly spans?: ReadonlyMap<number, number>
}

/** Declared by the file; `headerRows` is undefined if it does not say. */
export type TableHint = {
  readonly fromRow: number
  readonly toRow: number
  readonly fromColumn: number
  readonly toColumn: number
  readonly headerRows?: number
}
