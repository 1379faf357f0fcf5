import { seededRandom } from '@cairn/testing/seeded-random'
import { expect, it } from 'vitest'
import { interval95, ndcg, pairedP, recall, reciprocalRank } from './measures.ts'

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
  const random = seededRandom(1)
  const of = (count: number) =>
    interval95(
      Array.from({ length: count }, (_, index) => index % 2),
      random,
    )
  const [few, many] = [of(20), of(1_000)]
  for (const [low, high] of [few, many]) {
    expect(low).toBeLessThan(0.5)
    expect(high).toBeGreaterThan(0.5)
  }
  expect(many[1] - many[0]).toBeLessThan(few[1] - few[0])
})

it('distinguishes a difference in each query from chance', () => {
  const random = seededRandom(2)
  const base = Array.from({ length: 50 }, (_, index) => (index % 10) / 10)
  expect(
    pairedP(
      base.map((value) => value + 0.05),
      base,
      random,
    ),
  ).toBeLessThan(0.01)
  const noisy = base.map((value, index) => value + (index % 2 === 0 ? 0.3 : -0.3))
  expect(pairedP(noisy, base, random)).toBeGreaterThan(0.5)
  expect(pairedP(base, base, random)).toBe(1)
})
