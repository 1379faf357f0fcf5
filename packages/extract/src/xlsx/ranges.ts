import type { TableRow } from '../shared/tables/table-row.ts'
import { type CheckedZip, checkZip, overlap } from '../shared/zip-check.ts'
import { type CellRange, cellRange, type SheetRow } from './sheet.ts'

const maxMerges = 20_000

export type SheetRanges = {
  readonly merges: readonly CellRange[]
  /** Its first row is a header. */
  readonly filter?: CellRange
}

/** Collects while the archive is checked: in the file these follow the rows, but they are needed before. */
export const gatherRanges = async (zip: CheckedZip): Promise<ReadonlyMap<string, SheetRanges>> => {
  const found = new Map<string, { merges: CellRange[]; filter?: CellRange }>()
  let count = 0
  await checkZip(zip, (name, text) => {
    if (!text.includes('mergeCell') && !text.includes('autoFilter')) return
    for (const { index, 0: whole, 1: element, 2: reference } of text.matchAll(
      /<(?:\w+:)?(mergeCell|autoFilter) [^<>]{0,40}?ref="([A-Z0-9:$]{1,40})"/g,
    )) {
      // The previous piece already matched references within the overlap, except in the first piece.
      const range = cellRange(reference ?? '')
      if (!range || count >= maxMerges || index + whole.length > text.length) continue
      const ranges: { merges: CellRange[]; filter?: CellRange } = found.get(name) ?? { merges: [] }
      found.set(name, ranges)
      if (element === 'autoFilter') {
        ranges.filter = range
        continue
      }
      const last = ranges.merges.at(-1)
      if (index < overlap && last && last.fromRow === range.fromRow && last.fromColumn === range.fromColumn) continue
      ranges.merges.push(range)
      count++
    }
  })
  for (const { merges } of found.values()) merges.sort((a, b) => a.fromRow - b.fromRow)
  return found
}

/** Fills merged cells, whose value is only in their first row. Call the function for each row in order. */
export const mergedRows = (merges: readonly CellRange[]) => {
  let next = 0
  /** By first column. Merged cells don't overlap in an undamaged file. */
  const active = new Map<number, { range: CellRange; value: string }>()
  return ({ row, cells }: SheetRow): TableRow => {
    for (const [column, { range }] of active) if (range.toRow < row) active.delete(column)
    for (let range = merges[next]; range && range.fromRow <= row; range = merges[++next]) {
      const value = range.fromRow === row ? cells.get(range.fromColumn) : undefined
      if (value !== undefined) active.set(range.fromColumn, { range, value })
    }
    if (active.size === 0) return { row, cells }
    const missing: [number, string][] = []
    const spans = new Map<number, number>()
    for (const [column, { range, value }] of active) {
      if (!cells.has(column)) missing.push([column, value])
      else if (range.fromRow < row) continue
      if (range.toColumn > column) spans.set(column, range.toColumn)
    }
    const filled = missing.length === 0 ? cells : new Map([...cells, ...missing].sort(([a], [b]) => a - b))
    return { row, cells: filled, ...(spans.size > 0 ? { spans } : {}) }
  }
}
