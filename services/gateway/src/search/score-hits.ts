import type { SearchMode } from '@cairn/contracts/http/search'
import { scoreOf } from '@cairn/contracts/labels'
import { readableShare, type Script } from '@cairn/contracts/scripts'
import type { VectorHit, WordHit } from '@cairn/domain/ports/vector-index'

/**
 * Parts of a score. `semantic` is the cosine; `lexical` is the BM25 as a fraction of the query's best BM25. `readable`:
 * fraction of the query and of the text that the model can read. `matched`: share of the query's words, by weight, that
 * the passage has.
 */
export type ScoreParts = {
  readonly mode: SearchMode
  readonly semantic?: number
  readonly lexical?: number
  readonly bm25?: number
  readonly readable?: { readonly query: number; readonly text: number }
  readonly matched?: number
}
/** A hit with the parts of its score; without parts if it was found by filters alone. */
export type ScoredHit = VectorHit & { readonly parts?: ScoreParts }

/** How a group of namespaces is ranked. */
export type Ranking = {
  readonly mode: SearchMode
  /** Scripts that the model reads; unset: all of them, so that cosines count in full. */
  readonly scripts: readonly Script[] | undefined
  /** Share of the query that the model can read, 0 to 1. */
  readonly readableQuery: number
  /** Whether ranking by words replaces the cosine that the request expects. */
  readonly isFallback: boolean
}

/**
 * Share of the gap between the cosine and 1 that the query's words can fill. docs/evaluation.md compares values from
 * 0.3 to 0.5.
 */
export const lexicalShare = 0.4

/**
 * If the readable share is lower, the model is taken to be unable to read the text, where a yes-or-no decision is
 * needed.
 */
export const minReadable = 0.5

/**
 * Returns how to rank. Explicit modes are kept. A request without a mode, whose threshold would select ranking by
 * meaning alone, is ranked by words if the model can't read the query.
 */
export const rankingOf = (
  request: { readonly text: string; readonly mode: SearchMode; readonly isModeChosen: boolean },
  scripts: readonly Script[] | undefined,
): Ranking => {
  const { text, mode, isModeChosen } = request
  const readableQuery = readableShare(text, scripts)
  if (mode === 'semantic' && isModeChosen) return { mode, scripts: undefined, readableQuery: 1, isFallback: false }
  const isFallback = mode === 'semantic' && readableQuery < minReadable
  return { mode: isFallback ? 'lexical' : mode, scripts, readableQuery, isFallback }
}

/**
 * Returns the score of a hit. The cosine is weighted by how much of query and text the model can read; if it can't read
 * the query, words alone rank. The score is never below the weighted cosine, grows with both parts, and stays between 0
 * and 1, so that thresholds and labels keep their meaning; rank fusion would not ensure this.
 */
const scoreFrom = ({
  mode,
  semantic: cosine = 0,
  lexical = 0,
  readable = { query: 1, text: 1 },
}: ScoreParts): number => {
  if (mode === 'lexical') return lexical
  const semantic = Math.max(0, cosine) * readable.query * readable.text
  if (mode === 'semantic') return semantic
  const share = readable.query === 1 ? lexicalShare : 1 - (1 - lexicalShare) * readable.query
  return semantic + (1 - semantic) * share * lexical
}

/** Returns the best BM25 of these hits, 0 without hits. */
export const bestBm25 = (hits: readonly WordHit[]): number => hits.reduce((best, { bm25 }) => Math.max(best, bm25), 0)

const byScore = (hits: readonly ScoredHit[]): ScoredHit[] => hits.toSorted((a, b) => b.score - a.score)

const readableIn = ({ scripts, readableQuery: query }: Ranking): Pick<ScoreParts, 'readable'> =>
  scripts ? { readable: { query, text: 1 } } : {}

/** Returns the hits of a vector search with their scores, as if the model could read their texts. */
export const scoreByCosine = (hits: readonly VectorHit[], ranking: Ranking): ScoredHit[] =>
  byScore(
    hits.map((hit) => {
      const parts: ScoreParts = { mode: ranking.mode, semantic: hit.score, ...readableIn(ranking) }
      return { ...hit, score: ranking.scripts ? scoreFrom(parts) : hit.score, parts }
    }),
  )

/**
 * Returns the hits with their scores, best first, as if the model could read their texts. `best`: the query's best BM25
 * in all searched namespaces.
 */
export const scoreHits = (hits: readonly WordHit[], ranking: Ranking, best: number): ScoredHit[] =>
  byScore(
    hits.map(({ bm25, cosine, matched, ...address }) => {
      const { mode } = ranking
      // A later query can find a better BM25, when the best one of the first query belonged to versions that no longer
      // count.
      const lexical = best === 0 ? 0 : Math.min(1, bm25 / best)
      const parts: ScoreParts = {
        mode,
        lexical,
        bm25,
        matched,
        ...(cosine === undefined ? {} : { semantic: cosine }),
        ...(mode === 'lexical' ? {} : readableIn(ranking)),
      }
      return { ...address, score: scoreFrom(parts), parts }
    }),
  )

/** Returns the hit with its score reduced by how much of its text the model can read; never higher than before. */
export const withText = (hit: ScoredHit, text: string, { scripts }: Pick<Ranking, 'scripts'>): ScoredHit => {
  const { readable } = hit.parts ?? {}
  if (!hit.parts || !readable || readable.query === 0) return hit
  const share = readableShare(text, scripts)
  if (share === 1) return hit
  const parts = { ...hit.parts, readable: { ...readable, text: share } }
  return { ...hit, score: scoreFrom(parts), parts }
}

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6

/** Returns the parts of a hit's score as they are published. */
export const explainScore = ({ mode, semantic, lexical, bm25, readable, matched }: ScoreParts) => ({
  mode,
  ...(semantic === undefined ? {} : { semantic: scoreOf(semantic) }),
  ...(readable === undefined ? {} : { readable: scoreOf(readable.query * readable.text) }),
  ...(lexical === undefined ? {} : { lexical: scoreOf(lexical) }),
  ...(bm25 === undefined ? {} : { bm25: rounded(bm25) }),
  ...(matched === undefined ? {} : { matched: scoreOf(matched) }),
})
