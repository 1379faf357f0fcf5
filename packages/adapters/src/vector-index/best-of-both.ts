import type { WordHit } from '@cairn/domain/ports/vector-index'
import { compareAddresses } from './compare-addresses.ts'

/** Returns the best `limit` by cosine, and those by BM25 that contain a word of the query. */
export const bestOfBoth = (hits: readonly WordHit[], limit: number): WordHit[] => {
  const best = (scoreOf: (hit: WordHit) => number) =>
    hits.toSorted((a, b) => scoreOf(b) - scoreOf(a) || compareAddresses(a, b)).slice(0, limit)
  const byWords = best(({ bm25 }) => bm25).filter(({ bm25 }) => bm25 > 0)
  const byVector = best(({ cosine = -1 }) => cosine).filter(({ cosine }) => cosine !== undefined)
  return [...new Set([...byVector, ...byWords])]
}
