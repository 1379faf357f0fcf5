export type TableRow = {
  /** As in a spreadsheet, from 1. */
  readonly row: number
  /** Non-empty cells by column, from 0, in order. */
  readonly cells: ReadonlyMap<number, string>
  /** Last column of each cell that spans several columns. */
  readonly spans?: ReadonlyMap<number, number>
}

/** Area that the file itself declares to be a table, with its number of header rows if that is known. */
export type TableHint = {
  readonly fromRow: number
  readonly toRow: number
  readonly fromColumn: number
  readonly toColumn: number
  readonly headerRows?: number
}
