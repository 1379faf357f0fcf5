import type { Box } from './shape.ts'

type Placed = { readonly box?: Box }

/** Overlap, as a share of the smaller shape, up to which one shape still precedes the other. */
const tolerance = 0.25
/** Deeper parts are sorted by their corners. */
const maxDepth = 20

/** Cuts, along one side of the boxes, where no item extends across. */
const cut = <T>(items: readonly T[], from: (item: T) => number, to: (item: T) => number): T[][] => {
  const parts: T[][] = []
  let end = Number.NEGATIVE_INFINITY
  let minSize = Number.POSITIVE_INFINITY
  for (const item of items.toSorted((a, b) => from(a) - from(b))) {
    const size = to(item) - from(item)
    minSize = Math.min(minSize, size)
    if (from(item) >= end - tolerance * Math.max(0, Math.min(minSize, size))) {
      parts.push([])
      minSize = size
    }
    parts.at(-1)?.push(item)
    end = Math.max(end, to(item))
  }
  return parts
}

const sizeOf = <T extends Placed>(items: readonly T[], from: 'x0' | 'y0', to: 'x1' | 'y1') => {
  const boxes = items.flatMap(({ box }) => box ?? [])
  return { from: Math.min(...boxes.map((box) => box[from])), to: Math.max(...boxes.map((box) => box[to])) }
}

/**
 * Joins rows that are the heads and the texts of cards side by side: equally many columns, rows of different height,
 * and less space between the rows than between the columns.
 */
const joinCards = <T extends Placed>(rows: readonly T[][], columnsOf: (items: readonly T[]) => T[][]): T[][] => {
  const joined: T[][] = []
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1] ?? []
    const columns = columnsOf([...before, ...row])
    const [upper, lower] = [sizeOf(before, 'y0', 'y1'), sizeOf(row, 'y0', 'y1')]
    const widths = columns.map((column) => sizeOf(column, 'x0', 'x1'))
    const space = Math.min(...widths.slice(1).map(({ from }, at) => from - (widths[at]?.to ?? 0)))
    const isCards =
      columns.length > 1 &&
      columnsOf(before).length === columns.length &&
      columnsOf(row).length === columns.length &&
      lower.to - lower.from > 1.3 * (upper.to - upper.from) &&
      lower.from - upper.to < space
    if (isCards) joined.at(-1)?.push(...row)
    else joined.push([...row])
  }
  return joined
}

/**
 * From top to bottom, adjacent shapes from left to right, columns one after the other. Shapes without a position come
 * last, in the order of the file.
 */
export const inReadingOrder = <T extends Placed>(items: readonly T[], depth = 0): T[] => {
  const placed = items.filter(({ box }) => box)
  const boxOf = ({ box }: T): Box => box as Box
  const ordered = (parts: readonly T[][]): T[] => parts.flatMap((part) => inReadingOrder(part, depth + 1))
  const rest = items.filter(({ box }) => !box)
  if (placed.length < 2) return [...placed, ...rest]
  if (depth < maxDepth) {
    const columnsOf = (some: readonly T[]): T[][] =>
      cut(
        some,
        (item) => boxOf(item).x0,
        (item) => boxOf(item).x1,
      )
    const cutRows = cut(
      placed,
      (item) => boxOf(item).y0,
      (item) => boxOf(item).y1,
    )
    const rows = joinCards(cutRows, columnsOf)
    if (rows.length > 1) return [...ordered(rows), ...rest]
    const columns = columnsOf(placed)
    if (columns.length > 1) return [...ordered(columns), ...rest]
  }
  return [...placed.toSorted((a, b) => boxOf(a).y0 - boxOf(b).y0 || boxOf(a).x0 - boxOf(b).x0), ...rest]
}
