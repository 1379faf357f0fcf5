import type { Random } from '@cairn/testing/seeded-random'

/** Relevance of documents for one query, by id: 0 is not relevant. */
export type Grades = ReadonlyMap<string, number>
/** Distinct ids, best first. */
export type Ranking = readonly string[]

const gainOf = (grades: readonly number[], depth: number): number =>
  grades.slice(0, depth).reduce((sum, grade, index) => sum + grade / Math.log2(index + 2), 0)

/**
 * Returns the normalized discounted cumulative gain of the first `depth` results, 0 to 1, with the grade as gain
 * (trec_eval's `ndcg_cut`).
 */
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

/** Returns the share of the relevant documents that is among the first `depth` results, 0 to 1. */
export const recall = (ranking: Ranking, grades: Grades, depth: number): number => {
  const relevant = [...grades].filter(([, grade]) => grade > 0).map(([id]) => id)
  const first = new Set(ranking.slice(0, depth))
  return relevant.length === 0 ? 0 : relevant.filter((id) => first.has(id)).length / relevant.length
}

/** Returns 1 ÷ the rank of the first relevant document; 0 if no document is relevant. */
export const reciprocalRank = (ranking: Ranking, grades: Grades): number => {
  const place = ranking.findIndex((id) => (grades.get(id) ?? 0) > 0)
  return place < 0 ? 0 : 1 / (place + 1)
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

const samples = 2_000

/** Returns the 95 % confidence interval of the mean, by bootstrap over the values. */
export const interval95 = (values: readonly number[], random: Random): readonly [number, number] => {
  const means = Array.from({ length: samples }, () => mean(values.map(() => random.pick(values)))).sort((a, b) => a - b)
  return [means[Math.floor(samples * 0.025)] ?? 0, means[Math.floor(samples * 0.975)] ?? 0]
}

/**
 * Returns the probability of a difference of means at least this large under the hypothesis that both sides are equal:
 * a two-sided randomization test that swaps the sides of random pairs. `one` and `other` hold values for the same
 * queries in the same order.
 */
export const pairedP = (one: readonly number[], other: readonly number[], random: Random): number => {
  const differences = one.map((value, index) => value - (other[index] ?? 0))
  const seen = Math.abs(mean(differences))
  // Sums of the same numbers with different signs differ in their last digits.
  const tolerance = 1e-12
  const asLarge = Array.from({ length: samples }).filter(
    () => Math.abs(mean(differences.map((value) => (random.chance(0.5) ? value : -value)))) >= seen - tolerance,
  ).length
  return (asLarge + 1) / (samples + 1)
}
