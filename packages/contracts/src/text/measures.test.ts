import { type Random, seededRandom } from '@cairn/testing/seeded-random'
import { expect, it } from 'vitest'
import { interval95, mean, ndcg, pairedP, recall, reciprocalRank, significantBelow } from './measures.ts'

const grades = new Map([
  ['a', 2],
  ['b', 1],
  ['c', 1],
  ['no', 0],
])

it('computes nDCG with the grade as gain and the best order of all judged documents as 1', () => {
  expect(ndcg(['a', 'b', 'c'], grades, 10)).toBe(1)
  expect(ndcg(['x', 'y'], grades, 10)).toBe(0)
  // Calculated by hand: (0 + 2/log2(3) + 1/2) / (2 + 1/log2(3) + 1/2)
  expect(ndcg(['no', 'a', 'b'], grades, 10)).toBeCloseTo(0.56273, 4)
  expect(ndcg(['x', 'a'], grades, 1)).toBe(0)
  expect(ndcg(['a'], new Map(), 10)).toBe(0)
})

it('computes recall over the relevant documents, at and beside the depth', () => {
  expect(recall(['a', 'x', 'b'], grades, 2)).toBeCloseTo(1 / 3)
  expect(recall(['a', 'x', 'b'], grades, 3)).toBeCloseTo(2 / 3)
  expect(recall(['no'], grades, 10)).toBe(0)
})

it('computes the reciprocal rank of the first relevant document', () => {
  expect(reciprocalRank(['no', 'x', 'c', 'a'], grades)).toBeCloseTo(1 / 3)
  expect(reciprocalRank(['no', 'x'], grades)).toBe(0)
})

it('encloses the mean, more closely the more values there are', () => {
  const of = (count: number) => interval95(Array.from({ length: count }, (_, index) => index % 2))
  const [few, many] = [of(20), of(1_000)]
  for (const [low, high] of [few, many]) {
    expect(low).toBeLessThan(0.5)
    expect(high).toBeGreaterThan(0.5)
  }
  expect(many[1] - many[0]).toBeLessThan(few[1] - few[0])
})

it('distinguishes a difference in each query from chance', () => {
  const base = Array.from({ length: 50 }, (_, index) => (index % 10) / 10)
  expect(
    pairedP(
      base.map((value) => value + 0.05),
      base,
    ),
  ).toBeLessThan(0.01)
  const noisy = base.map((value, index) => value + (index % 2 === 0 ? 0.3 : -0.3))
  expect(pairedP(noisy, base)).toBeGreaterThan(0.5)
  expect(pairedP(base, base)).toBe(1)
})

const questions = 150
const gainAt = (rank: number): number => 1 / Math.log2(rank + 1)
/** Returns scores as of a good search with one right document for each question: most are found first, few not at all. */
const simulated = (random: Random): number[] =>
  Array.from({ length: questions }, () => {
    const chance = random.next()
    if (chance < 0.06) return 0
    return chance < 0.7 ? 1 : gainAt(2 + random.below(9))
  })
const isLoss = (now: readonly number[], before: readonly number[]): boolean =>
  mean(now) < mean(before) && pairedP(now, before) < significantBelow
const seeds = Array.from({ length: 20 }, (_, index) => index + 1)

it('flags a collection of which 10 % of the right documents are hidden, in at least 19 of 20 runs', () => {
  const flagged = seeds.filter((seed) => {
    const random = seededRandom(seed)
    const before = simulated(random)
    const hidden = new Set(random.shuffle([...before.keys()]).slice(0, questions / 10))
    // A hidden document also makes room: documents below it rise by one rank.
    const now = before.map((score, index) => {
      if (hidden.has(index)) return 0
      return score > 0 && score < 1 && random.chance(0.1) ? Math.min(1, score * 1.2) : score
    })
    return isLoss(now, before)
  })
  expect(flagged.length).toBeGreaterThanOrEqual(19)
})

it('raises no alarm in 20 runs without a change, nor where ranks change by chance', () => {
  const alarms = seeds.filter((seed) => {
    const random = seededRandom(seed)
    const scores = simulated(random)
    /** Returns the scores after one question in ten got another rank, on both sides of the comparison alike. */
    const disturbed = () => {
      const others = simulated(random)
      return scores.map((score, index) => (random.chance(0.1) ? (others[index] ?? 0) : score))
    }
    return isLoss([...scores], scores) || isLoss(disturbed(), disturbed())
  })
  expect(alarms).toEqual([])
})
