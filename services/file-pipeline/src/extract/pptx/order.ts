import type { Box } from './shape.ts'

type Placed = { readonly box?: Box }

/** Maximum overlap of two shapes, as a share of the smaller one, up to which one still precedes the other. */
const tolerance = 0.25
/** Maximum depth of recursive cuts; parts at this depth are sorted by their corners. */
const maxDepth = 20

/** Cuts items, along one side of their boxes, where no item extends across the cut. */
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

/**
 * Orders shapes as they are read: from top to bottom, adjacent shapes from left to right, and columns one after the
 * other. Shapes without a position come last, in the order of the file.
 */
export const inReadingOrder = <T extends Placed>(items: readonly T[], depth = 0): T[] => {
  const placed = items.filter(({ box }) => box)
  const boxOf = ({ box }: T): Box => box as Box
  const ordered = (parts: readonly T[][]): T[] => parts.flatMap((part) => inReadingOrder(part, depth + 1))
  const rest = items.filter(({ box }) => !box)
  if (placed.length < 2) return [...placed, ...rest]
  if (depth < maxDepth) {
    const rows = cut(
      placed,
      (item) => boxOf(item).y0,
      (item) => boxOf(item).y1,
    )
    if (rows.length > 1) return [...ordered(rows), ...rest]
    const columns = cut(
      placed,
      (item) => boxOf(item).x0,
      (item) => boxOf(item).x1,
    )
    if (columns.length > 1) return [...ordered(columns), ...rest]
  }
  return [...placed.toSorted((a, b) => boxOf(a).y0 - boxOf(b).y0 || boxOf(a).x0 - boxOf(b).x0), ...rest]
}
