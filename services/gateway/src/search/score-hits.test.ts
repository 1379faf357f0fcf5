import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bestBm25, explainScore, lexicalShare, scoreHits } from './score-hits.ts'

const hit = (bm25: number, cosine?: number) => ({
  namespaceId: 'ns',
  itemId: `${bm25} ${cosine}`,
  version: 'v',
  passage: 0,
  bm25,
  ...(cosine === undefined ? {} : { cosine }),
})
const scoreOf = (bm25: number, cosine: number, best: number) =>
  scoreHits([hit(bm25, cosine)], 'hybrid', best)[0]?.score ?? Number.NaN

it('is between 0 and 1, never below the cosine, and grows with both parts', () => {
  const cosine = fc.double({ min: -1, max: 1, noNaN: true })
  const bm25 = fc.double({ min: 0, max: 50, noNaN: true })
  fc.assert(
    fc.property(cosine, cosine, bm25, bm25, (oneCosine, otherCosine, oneBm25, otherBm25) => {
      const best = Math.max(oneBm25, otherBm25)
      const [low, high] = [Math.min(oneCosine, otherCosine), Math.max(oneCosine, otherCosine)]
      const [few, many] = [Math.min(oneBm25, otherBm25), best]
      const score = scoreOf(few, low, best)
      expect(score).toBeGreaterThanOrEqual(Math.max(0, low))
      expect(score).toBeLessThanOrEqual(1)
      expect(scoreOf(few, high, best)).toBeGreaterThanOrEqual(score)
      expect(scoreOf(many, low, best)).toBeGreaterThanOrEqual(score)
    }),
  )
})

it('is the cosine when no hit has a word of the query, and near 1 for the same text', () => {
  expect(scoreOf(0, 0.5, 0)).toBe(0.5)
  expect(scoreOf(9, 1, 9)).toBe(1)
  expect(scoreOf(9, 0, 9)).toBe(lexicalShare)
})

it('orders by words alone in mode lexical', () => {
  const hits = [hit(2), hit(8), hit(4)]
  expect(bestBm25(hits)).toBe(8)
  expect(scoreHits(hits, 'lexical', 8).map(({ score }) => score)).toEqual([1, 0.5, 0.25])
  expect(bestBm25([])).toBe(0)
})

it('explains a score by the parts of its mode', () => {
  const [hybrid] = scoreHits([hit(4, -0.25)], 'hybrid', 8)
  expect(explainScore('hybrid', hybrid?.score ?? 0, hybrid?.parts)).toEqual({
    mode: 'hybrid',
    semantic: 0,
    lexical: 0.5,
    bm25: 4,
  })
  const [lexical] = scoreHits([hit(8)], 'lexical', 8)
  expect(explainScore('lexical', 1, lexical?.parts)).toEqual({ mode: 'lexical', lexical: 1, bm25: 8 })
  expect(explainScore('semantic', 0.7, undefined)).toEqual({ mode: 'semantic', semantic: 0.7 })
})
