import { mulberry32 } from '../mulberry32.ts'

/** By id: 0 is not relevant. */
export type Grades = ReadonlyMap<string, number>
/** Distinct ids, best first. */
export type Ranking = readonly string[]

const gainOf = (grades: readonly number[], depth: number): number =>
  grades.slice(0, depth).reduce((sum, grade, index) => sum + grade / Math.log2(index + 2), 0)

/** Returns nDCG of the first `depth` results, 0 to 1, with the grade as gain (trec_eval's `ndcg_cut`). */
export const ndcg = (ranking: Ranking, grades: Grades, depth: number): number => {
  const best = gainOf(
    [...grades.values()].sort((a, b) => b - a),
    depth,
  )
  const gain = gainOf(
    ranking.map((id) => grades.get(id) ?? 0),
    depth,
  )
  return best === 0 ? 0 : gain / best
}

/** Returns the share of the relevant documents among the first `depth` results, 0 to 1. */
export const recall = (ranking: Ranking, grades: Grades, depth: number): number => {
  const relevant = [...grades].filter(([, grade]) => grade > 0).map(([id]) => id)
  const first = new Set(ranking.slice(0, depth))
  return relevant.length === 0 ? 0 : relevant.filter((id) => first.has(id)).length / relevant.length
}

/** Returns 1 ÷ the rank of the first relevant document; 0 without one. */
export const reciprocalRank = (ranking: Ranking, grades: Grades): number => {
  const place = ranking.findIndex((id) => (grades.get(id) ?? 0) > 0)
  return place < 0 ? 0 : 1 / (place + 1)
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** Rounds to four decimals, as scores are kept, so that kept and new scores of equal searches are equal. */
export const roundScore = (score: number): number => Math.round(score * 10_000) / 10_000

// Fixed, so that the same values always have the same result.
const seed = 1
const samples = 2_000
const flips = 10_000

/** Returns the 95 % confidence interval of the mean, by bootstrap over the values. */
export const interval95 = (values: readonly number[]): readonly [number, number] => {
  const next = mulberry32(seed)
  const sampledMean = (): number => {
    let sum = 0
    for (let count = 0; count < values.length; count += 1) sum += values[(next() >>> 0) % values.length] ?? 0
    return sum / Math.max(1, values.length)
  }
  const means = Array.from({ length: samples }, sampledMean).sort((a, b) => a - b)
  return [means[Math.floor(samples * 0.025)] ?? 0, means[Math.floor(samples * 0.975)] ?? 0]
}

/** One of a hundred comparisons of equal sides is wrong. */
export const significantBelow = 0.01

/**
 * Returns the probability of a difference of means at least this large if both sides are equal: a two-sided
 * randomization test that swaps random pairs. Both hold values for the same queries in order.
 */
export const pairedP = (one: readonly number[], other: readonly number[]): number => {
  // Pairs without a difference change no sum.
  const differences = one.map((value, index) => value - (other[index] ?? 0)).filter((difference) => difference !== 0)
  const seen = Math.abs(differences.reduce((sum, value) => sum + value, 0))
  // Sums of the same numbers with different signs differ in their last digits.
  const tolerance = 1e-12 * Math.max(1, differences.length)
  const next = mulberry32(seed)
  let asLarge = 0
  for (let flip = 0; flip < flips; flip += 1) {
    let sum = 0
    for (const difference of differences) sum += next() < 0 ? difference : -difference
    if (Math.abs(sum) >= seen - tolerance) asLarge += 1
  }
  return (asLarge + 1) / (flips + 1)
}
