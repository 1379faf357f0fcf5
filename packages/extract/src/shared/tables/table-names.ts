import type { TableRow } from './table-row.ts'

export const lastColumnOf = (rows: readonly TableRow[]): number =>
  rows.reduce((max, { cells }) => Math.max(max, [...cells.keys()].at(-1) ?? 0), 0)

/** A name in a merged cell applies to all of its columns. */
const spread = ({ cells, spans }: TableRow, lastColumn: number): Map<number, string> => {
  const names = new Map(cells)
  for (const [from, to] of spans ?? []) {
    const name = cells.get(from)
    if (name === undefined) continue
    for (let column = from + 1; column <= Math.min(to, lastColumn); column++)
      if (!names.has(column)) names.set(column, name)
  }
  return new Map([...names].sort(([a], [b]) => a - b))
}

const underneath = (upper: ReadonlyMap<number, string>, isSpread: boolean, lower: TableRow): Map<number, string> => {
  const combined = new Map<number, string>()
  const first = upper.keys().next().value
  let left: string | undefined
  for (const column of [...new Set([...upper.keys(), ...lower.cells.keys()])].sort((a, b) => a - b)) {
    const own = upper.get(column)
    if (own !== undefined) left = column === first && !lower.cells.has(column) ? undefined : own
    const above = own ?? (isSpread ? undefined : left)
    const under = lower.cells.get(column)
    const parts = [above, under].filter((part) => part !== undefined)
    combined.set(column, above === under ? (parts[0] ?? '') : parts.join(' '))
  }
  return combined
}

export const namesOf = ([first, ...others]: readonly TableRow[], lastColumn: number): Map<number, string> => {
  if (!first) return new Map()
  const isSpread = (first.spans?.size ?? 0) > 0
  return others.reduce((names, row) => underneath(names, isSpread, row), spread(first, lastColumn))
}
