import type { SearchMode } from '@cairn/contracts/http/search'
import { scoreOf } from '@cairn/contracts/labels'
import { readableShare, type Script } from '@cairn/contracts/scripts'
import type { VectorHit, WordHit } from '@cairn/domain/ports/vector-index'

/**
 * The parts of a score. `semantic` is the cosine, `lexical` the BM25 as a part of the best of the query. `readable`: how
 * much of the query, and of the text, the model can read. `matched`: the share of the query's words, by weight, that the
 * passage has.
 */
export type ScoreParts = {
  readonly mode: SearchMode
  readonly semantic?: number
  readonly lexical?: number
  readonly bm25?: number
  readonly readable?: { readonly query: number; readonly text: number }
  readonly matched?: number
}
/** Without parts: found by filters alone. */
export type ScoredHit = VectorHit & { readonly parts?: ScoreParts }

/** How a group of namespaces is searched. */
export type Ranking = {
  readonly mode: SearchMode
  /** Scripts that the model reads; unset: all of them, and cosines count in full. */
  readonly scripts: readonly Script[] | undefined
  /** How much of the query the model can read, 0 to 1. */
  readonly readableQuery: number
  /** Whether words rank in place of the cosine that the request expects. */
  readonly isFallback: boolean
}

/**
 * Share of the gap between cosine and 1 that the words of a query can fill. docs/evaluation.md has the qualities of 0.3
 * to 0.5.
 */
export const lexicalShare = 0.4

/** Below this readable share, a model is taken as not reading a text, where the choice is one or the other. */
export const minReadable = 0.5

/**
 * Returns how to rank. Explicit modes are kept. A request without one that would be compared by meaning alone, for its
 * threshold, is ranked by words where the model can't read the query.
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
 * Returns the score of a hit. The cosine counts as far as the model can read query and text; as far as it can't read
 * the query, words rank alone. The score is never below the cosine so weighted, grows with both parts, and stays between
 * 0 and 1, so that thresholds and labels keep their meaning; a fusion of ranks would not.
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

/** The best BM25 of these hits, 0 without any. */
export const bestBm25 = (hits: readonly WordHit[]): number => hits.reduce((best, { bm25 }) => Math.max(best, bm25), 0)

const byScore = (hits: readonly ScoredHit[]): ScoredHit[] => hits.toSorted((a, b) => b.score - a.score)

const readableIn = ({ scripts, readableQuery: query }: Ranking): Pick<ScoreParts, 'readable'> =>
  scripts ? { readable: { query, text: 1 } } : {}

/** Returns the hits of a search by vector with their scores, as if the model could read their texts. */
export const scoreByCosine = (hits: readonly VectorHit[], ranking: Ranking): ScoredHit[] =>
  byScore(
    hits.map((hit) => {
      const parts: ScoreParts = { mode: ranking.mode, semantic: hit.score, ...readableIn(ranking) }
      return { ...hit, score: ranking.scripts ? scoreFrom(parts) : hit.score, parts }
    }),
  )

/**
 * Returns the hits with their scores, best first, as if the model could read their texts. `best`: the best BM25 of the
 * query in all searched namespaces.
 */
export const scoreHits = (hits: readonly WordHit[], ranking: Ranking, best: number): ScoredHit[] =>
  byScore(
    hits.map(({ bm25, cosine, matched, ...address }) => {
      const { mode } = ranking
      // A later query can find better ones, when the best of the first were of versions that no longer count.
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

/** Returns the hit with its score as far as the model can read its text. It is never higher than before. */
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
