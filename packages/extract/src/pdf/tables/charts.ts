import { textOf } from '../lines/lines.ts'
import type { Segment } from '../words/segments.ts'
import type { Row } from './aligned-rows.ts'

/** Numbers along an axis, from top to bottom. */
type Axis = { readonly rows: number[]; readonly values: number[]; readonly x1: number }

const minNumbers = 4
const tolerance = 3
/** Cells beside an axis, as a share of its numbers: a table has more. */
const maxBeside = 0.5
const maxRows = 400

const numberOf = (piece: Segment): number => {
  const text = textOf(piece)
    .replaceAll(/[\s,%]/g, '')
    .replace(/^[–—]/, '-')
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
}

const isAxis = ({ rows: at, values }: Axis, rows: readonly Row[]): boolean => {
  if (values.length < minNumbers) return false
  const areEqual = (numbers: readonly number[], share: number) => {
    const [first = 0] = numbers
    return first > 0 && numbers.every((one) => Math.abs(one - first) <= first * share)
  }
  const steps = values.slice(1).map((value, index) => (values[index] as number) - value)
  const ys = at.map((row) => rows[row]?.y ?? 0)
  return (
    areEqual(steps, 0.001) &&
    areEqual(
      ys.slice(1).map((y, index) => y - (ys[index] as number)),
      0.12,
    )
  )
}

/** Whether a number is one step below the last one; the second number only has to be lower. */
const goesOn = ({ values }: Axis, value: number): boolean => {
  const [before, last] = values.slice(-2)
  return before === undefined || last === undefined
    ? value < (before ?? 0)
    : Math.abs(before - last - (last - value)) < (before - last) * 0.001
}

const axesOf = (rows: readonly Row[]): Axis[] => {
  const axes: Axis[] = []
  for (const [index, row] of rows.entries())
    for (const piece of row.pieces) {
      const value = numberOf(piece)
      if (Number.isNaN(value)) continue
      const axis = axes.findLast(({ x1 }) => Math.abs(x1 - piece.x1) < tolerance)
      if (axis && goesOn(axis, value)) {
        axis.rows.push(index)
        axis.values.push(value)
      } else axes.push({ rows: [index], values: [value], x1: piece.x1 })
    }
  return axes.filter((axis) => isAxis(axis, rows))
}

/** Rows of an axis, and the row below it. */
export const rowsOfCharts = (rows: readonly Row[]): ReadonlySet<number> => {
  const found = new Set<number>()
  if (rows.length > maxRows) return found
  const axes = axesOf(rows)
  const isOnAxis = (piece: Segment) => axes.some(({ x1 }) => Math.abs(x1 - piece.x1) < tolerance)
  for (const { rows: at } of axes) {
    const beside = at.flatMap((row) => (rows[row]?.pieces ?? []).filter((piece) => !isOnAxis(piece)))
    if (beside.length > at.length * maxBeside) continue
    for (let row = at[0] as number; row <= (at.at(-1) as number) + 1; row += 1) found.add(row)
  }
  return found
}
