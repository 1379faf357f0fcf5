import type { LanguageCoverage } from '@cairn/contracts/text/scripts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bestBm25, explainScore, lexicalShare, rankingOf, scoreByCosine, scoreHits, withText } from './score-hits.ts'

const address = { namespaceId: 'ns', itemId: 'item', version: 'v', passage: 0 }
const hit = (bm25: number, cosine?: number, matched = 0.5) => ({
  ...address,
  bm25,
  matched,
  ...(cosine === undefined ? {} : { cosine }),
})
const latin: LanguageCoverage = { Latin: 1, MarkedLatin: 1 }
const hybrid = (text: string, reads = latin) => rankingOf({ text, mode: 'hybrid', isModeChosen: false }, reads)
/** Ranking for a model that reads every script. */
const readsAll = rankingOf({ text: 'арабский', mode: 'hybrid', isModeChosen: false }, undefined)

/** Returns the hybrid score of a passage with this text, for this query. */
const scoreOf = (
  bm25: number,
  cosine: number,
  best: number,
  { query = 'english', text = 'english', reads = latin } = {},
) => {
  const ranking = hybrid(query, reads)
  const [found] = scoreHits([hit(bm25, cosine)], ranking, best)
  return found ? withText(found, text, ranking).score : Number.NaN
}
/** A model that reads English, and Chinese a little. */
const partly: LanguageCoverage = { Latin: 1, Han: 0.45 }
const formerScore = (bm25: number, cosine: number, best: number) => {
  const semantic = Math.max(0, cosine)
  return semantic + (1 - semantic) * lexicalShare * (best === 0 ? 0 : Math.min(1, bm25 / best))
}

const anyCosine = fc.double({ min: -1, max: 1, noNaN: true })
const anyBm25 = fc.double({ min: 0, max: 50, noNaN: true })
const anyText = fc.constantFrom('english', 'naïve', 'mixed текст', 'ab цд', 'арабский', '汉字', '123')

it('is between 0 and 1, never below the weighted cosine, and grows with both parts, for any texts', () => {
  fc.assert(
    fc.property(
      anyCosine,
      anyCosine,
      anyBm25,
      anyBm25,
      anyText,
      anyText,
      fc.constantFrom(latin, partly, { Han: 0.7 }),
      (oneCosine, other, oneBm25, otherBm25, query, text, reads) => {
        const best = Math.max(oneBm25, otherBm25)
        const [low, high] = [Math.min(oneCosine, other), Math.max(oneCosine, other)]
        const few = Math.min(oneBm25, otherBm25)
        const score = scoreOf(few, low, best, { query, text, reads })
        const weight = scoreOf(0, 1, 0, { query, text, reads })
        expect(score).toBeGreaterThanOrEqual(Math.max(0, low) * weight - 1e-12)
        expect(score).toBeLessThanOrEqual(1)
        expect(scoreOf(few, high, best, { query, text, reads })).toBeGreaterThanOrEqual(score)
        expect(scoreOf(best, low, best, { query, text, reads })).toBeGreaterThanOrEqual(score)
      },
    ),
  )
})

it('is bit for bit what it was for texts that the model reads, and for a model that reads everything', () => {
  fc.assert(
    fc.property(anyCosine, anyBm25, anyBm25, (cosine, bm25, best) => {
      expect(scoreOf(bm25, cosine, best)).toBe(formerScore(bm25, cosine, best))
      const [found] = scoreHits([hit(bm25, cosine)], readsAll, best)
      expect(found && withText(found, 'арабский', readsAll).score).toBe(formerScore(bm25, cosine, best))
    }),
  )
})

it('ranks by words alone where the model can not read the query', () => {
  expect(scoreOf(4, 0.9, 8, { query: 'арабский', text: 'арабский' })).toBe(0.5)
  expect(scoreOf(8, 0.1, 8, { query: 'арабский', text: 'english' })).toBe(1)
  expect(scoreOf(0, 0.9, 8, { query: 'арабский' })).toBe(0)
})

it('leaves words their share where the model reads the query and not the passage', () => {
  expect(scoreOf(8, 0.9, 8, { text: 'арабский' })).toBe(lexicalShare)
  expect(scoreOf(0, 0.9, 8, { text: 'арабский' })).toBe(0)
  expect(scoreOf(0, 0.41, 8)).toBeGreaterThan(scoreOf(8, 0.9, 8, { text: 'арабский' }))
})

it('weights the cosine by the shares of letters that the model reads, of query times passage', () => {
  expect(scoreOf(0, 0.8, 0, { query: 'ab цд', text: 'abc ц' })).toBeCloseTo(0.8 * 0.5 * 0.75, 12)
  const ranking = hybrid('ab цд')
  const [found] = scoreHits([hit(0, 0.8)], ranking, 0)
  expect(explainScore(withText(found!, 'abc ц', ranking).parts!)).toEqual({
    mode: 'hybrid',
    semantic: 0.8,
    readable: 0.375,
    lexical: 0,
    bm25: 0,
    matched: 0.5,
  })
})

it('counts the cosine for as much as the model was measured to read, of query and passage', () => {
  expect(scoreOf(0, 0.5, 0, { query: '汉字', text: '汉字', reads: partly })).toBeCloseTo(0.5 * 0.45 * 0.45, 12)
  expect(scoreOf(8, 0, 8, { query: '汉字', text: '汉字', reads: partly })).toBeCloseTo(1 - 0.6 * 0.45, 12)
})

it('raises the share of words, and no score falls, for a query in another language in Latin letters', () => {
  expect(scoreOf(8, 0, 8, { query: 'où', text: 'là', reads: partly })).toBeCloseTo(1 - 0.6 * 0.5, 12)
  expect(scoreOf(0, 0.5, 0, { query: 'où', text: 'là', reads: partly })).toBe(0.5)
  const german = rankingOf({ text: 'ohne Marken', mode: 'hybrid', isModeChosen: false }, partly, 'de')
  expect(german).toMatchObject({ readableQuery: 1, wordShare: 0.7 })
  const threshold = rankingOf({ text: 'où', mode: 'semantic', isModeChosen: false }, partly)
  expect(scoreByCosine([{ ...address, score: 0.5 }], threshold)[0]?.score).toBe(0.5)
})

it('never scores a hit higher once its text is known', () => {
  fc.assert(
    fc.property(anyCosine, anyBm25, anyText, anyText, fc.constantFrom(latin, partly, { Han: 0.7 }), (...drawn) => {
      const [cosine, bm25, query, text, reads] = drawn
      const ranking = hybrid(query, reads)
      const [found] = scoreHits([hit(bm25, cosine)], ranking, 50)
      expect(withText(found!, text, ranking).score).toBeLessThanOrEqual(found!.score)
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
  const ranking = rankingOf({ text: 'q', mode: 'lexical', isModeChosen: true }, latin)
  expect(bestBm25(hits)).toBe(8)
  expect(scoreHits(hits, ranking, 8).map(({ score }) => score)).toEqual([1, 0.5, 0.25])
  expect(bestBm25([])).toBe(0)
})

it('ranks by words where a threshold was sent and the model can not read the query, and says what was matched', () => {
  const unread = { text: 'арабский', mode: 'semantic', isModeChosen: false } as const
  expect(rankingOf(unread, latin)).toMatchObject({ mode: 'lexical', isFallback: true })
  expect(rankingOf(unread, undefined)).toMatchObject({ mode: 'semantic', isFallback: false })
  expect(rankingOf({ ...unread, isModeChosen: true }, latin)).toMatchObject({ mode: 'semantic', isFallback: false })
  expect(rankingOf({ ...unread, text: 'ab цд' }, latin)).toMatchObject({ mode: 'semantic', isFallback: false })
  expect(rankingOf({ ...unread, text: 'ab цде' }, latin)).toMatchObject({ mode: 'lexical', isFallback: true })
  const [found] = scoreHits([hit(8, undefined, 0.3)], rankingOf(unread, latin), 8)
  expect(found?.score).toBe(1)
  expect(explainScore(found!.parts!)).toEqual({ mode: 'lexical', lexical: 1, bm25: 8, matched: 0.3 })
})

it('weights cosines compared with a threshold, and leaves those of a chosen mode as they are', () => {
  const hits = [{ ...address, score: 0.8 }]
  const ranking = rankingOf({ text: 'ab цд', mode: 'semantic', isModeChosen: false }, latin)
  expect(withText(scoreByCosine(hits, ranking)[0]!, 'ab цд', ranking).score).toBeCloseTo(0.2, 12)
  const chosen = rankingOf({ text: 'ab цд', mode: 'semantic', isModeChosen: true }, latin)
  expect(withText(scoreByCosine(hits, chosen)[0]!, 'ab цд', chosen).score).toBe(0.8)
  expect(explainScore({ mode: 'semantic', semantic: 0.7 })).toEqual({ mode: 'semantic', semantic: 0.7 })
})

it('explains a score by the parts of its mode', () => {
  const [found] = scoreHits([hit(4, -0.25)], readsAll, 8)
  expect(explainScore(found!.parts!)).toEqual({ mode: 'hybrid', semantic: 0, lexical: 0.5, bm25: 4, matched: 0.5 })
})
