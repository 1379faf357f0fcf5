export type TableRow = {
  /** Row number from 1, as in a spreadsheet. */
  readonly row: number
  /** Non-empty cells by column, from 0, in order. */
  readonly cells: ReadonlyMap<number, string>
  /** Last column of each cell that spans several columns. */
  readonly spans?: ReadonlyMap<number, number>
}

/** Area that the file declares to be a table; `headerRows` is undefined if the file does not state it. */
export type TableHint = {
  readonly fromRow: number
  readonly toRow: number
  readonly fromColumn: number
  readonly toColumn: number
  readonly headerRows?: number
}
