import type { SearchMode } from '@cairn/contracts/http/search'
import { scoreOf } from '@cairn/contracts/labels'
import type { VectorHit, WordHit } from '@cairn/ports/vector-index/port'

/** The parts of a score. `semantic` is the cosine, `lexical` the BM25 as a part of the best of the query. */
export type ScoreParts = { readonly semantic?: number; readonly lexical?: number; readonly bm25?: number }
export type ScoredHit = VectorHit & { readonly parts?: ScoreParts }

/**
 * How much of what the cosine leaves open the words of a query can add. docs/evaluation.md has the qualities of 0.3 to
 * 0.5.
 */
export const lexicalShare = 0.4

/**
 * Returns the score of a hit. It is never below the cosine, grows with both parts, and stays between 0 and 1, so that
 * thresholds and labels keep their meaning; a fusion of ranks would not.
 */
const fuse = (cosine: number, lexical: number): number => {
  const semantic = Math.max(0, cosine)
  return semantic + (1 - semantic) * lexicalShare * lexical
}

/** The best BM25 of these hits, 0 without any. */
export const bestBm25 = (hits: readonly WordHit[]): number => hits.reduce((best, { bm25 }) => Math.max(best, bm25), 0)

/** Returns the hits with their scores, best first. `best`: the best BM25 of the query in all searched namespaces. */
export const scoreHits = (hits: readonly WordHit[], mode: Exclude<SearchMode, 'semantic'>, best: number): ScoredHit[] =>
  hits
    .map(({ bm25, cosine, ...address }) => {
      // A later query can find better ones, when the best of the first were of versions that no longer count.
      const lexical = best === 0 ? 0 : Math.min(1, bm25 / best)
      const score = mode === 'lexical' ? lexical : fuse(cosine ?? 0, lexical)
      return { ...address, score, parts: { lexical, bm25, ...(cosine === undefined ? {} : { semantic: cosine }) } }
    })
    .sort((a, b) => b.score - a.score)

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6

/** Returns the parts of a hit's score as they are published. */
export const explainScore = (mode: SearchMode, score: number, parts: ScoreParts | undefined) => {
  const { semantic = mode === 'semantic' ? score : undefined, lexical, bm25 } = parts ?? {}
  return {
    mode,
    ...(semantic === undefined ? {} : { semantic: scoreOf(semantic) }),
    ...(lexical === undefined ? {} : { lexical: scoreOf(lexical) }),
    ...(bm25 === undefined ? {} : { bm25: rounded(bm25) }),
  }
}
