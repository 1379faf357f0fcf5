import type { Comparison, Mark, Measured } from './row.ts'

/** Limit of the spread, as a share of the median. Rounds with a wider spread are inconclusive. */
export const widestSpread = 0.25
export const minRounds = 5

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** Returns the lowest value that is at least as high as this share of all values. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] as number
}

/** Returns the range from the lowest to the highest round, as a share of the median. */
export const spread = (values: readonly number[]): number => {
  const range = Math.max(...values) - Math.min(...values)
  return range === 0 ? 0 : range / Math.abs(median(values))
}

export type Verdict = 'passed' | 'missed' | 'not decided'
export type Judged = { readonly value: number; readonly verdict: Verdict; readonly reason?: string }

/** Rounds of each side, by side name. */
export type Rounds = ReadonlyMap<string, readonly Measured[]>

const valuesOf = (rounds: Rounds, side: string, figure: string): number[] =>
  (rounds.get(side) ?? []).map((measured) => {
    const value = measured[figure]
    if (value === undefined) throw new Error(`${side} has not measured ${figure}`)
    return value
  })

const holds = (
  { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY }: Mark,
  value: number,
): boolean => value >= atLeast && value <= atMost

/** Returns the reason why the rounds of these sides are inconclusive; undefined if they are conclusive. */
const doubtOf = (
  sides: readonly { readonly side: string; readonly values: readonly number[] }[],
): string | undefined => {
  if (sides.some(({ values }) => values.length < minRounds)) return `fewer than ${minRounds} rounds`
  const wide = sides.find(({ values }) => spread(values) > widestSpread)
  return wide && `the rounds of ${wide.side} spread too far`
}

export const judge = (mark: Mark, rounds: Rounds): Judged => {
  const sides = mark.sides.map((side) => ({ side, values: valuesOf(rounds, side, mark.figure) }))
  const [values = [], over] = sides.map((side) => side.values)
  const value = over ? median(values) / median(over) : median(values)
  const verdict = holds(mark, value) ? 'passed' : 'missed'
  const reason = doubtOf(sides)
  const agree = !over && values.length >= minRounds && values.every((one) => holds(mark, one) === holds(mark, value))
  return reason === undefined || agree ? { value, verdict } : { value, verdict: 'not decided', reason }
}

export type Compared = { readonly value: number; readonly reason?: string }

/** Returns the ratio or difference of two sides' medians, and the reason to doubt it, if any. */
export const compare = ({ figure, sides: [first, second], as }: Comparison, rounds: Rounds): Compared => {
  const sides = [first, second].map((side) => ({ side, values: valuesOf(rounds, side, figure) }))
  const [own = Number.NaN, other = Number.NaN] = sides.map(({ values }) => median(values))
  const reason = doubtOf(sides)
  return { value: as === 'ratio' ? own / other : own - other, ...(reason === undefined ? {} : { reason }) }
}
