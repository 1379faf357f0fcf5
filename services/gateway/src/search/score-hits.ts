import type { SearchMode } from '@cairn/contracts/http/search'
import { scoreOf } from '@cairn/contracts/text/labels'
import { defaultLanguage, type Language } from '@cairn/contracts/text/languages'
import { cosineWeight, type LanguageCoverage, minReadable, readableShare } from '@cairn/contracts/text/scripts'
import type { VectorHit, WordHit } from '@cairn/domain/ports/vector-index'

/**
 * `semantic`: cosine; `lexical`: BM25 as a fraction of the query's best. `readable`: how far the model reads query and
 * text. `matched`: weighted share of the query's words in the passage.
 */
export type ScoreParts = {
  readonly mode: SearchMode
  readonly semantic?: number
  readonly lexical?: number
  readonly bm25?: number
  readonly readable?: { readonly query: number; readonly text: number }
  /** See `Ranking`. Default: `lexicalShare`. */
  readonly wordShare?: number
  readonly matched?: number
}
/** Without parts if found by filters alone. */
export type ScoredHit = VectorHit & { readonly parts?: ScoreParts }

export type Ranking = {
  readonly mode: SearchMode
  /** Unset: cosines count in full. */
  readonly reads: LanguageCoverage | undefined
  /** How far the model reads the query, 0 to 1. */
  readonly readableQuery: number
  /** Share of the gap between the cosine and 1 that the query's words can fill. */
  readonly wordShare: number
  /** Words replace the cosine that the request expects. */
  readonly isFallback: boolean
}

/** `wordShare` where the model reads the query. docs/evaluation.md compares values from 0.3 to 0.5. */
export const lexicalShare = 0.4

/** Keeps explicit modes; else a threshold for meaning alone ranks by words if the model can't read the query. */
export const rankingOf = (
  request: { readonly text: string; readonly mode: SearchMode; readonly isModeChosen: boolean },
  reads: LanguageCoverage | undefined,
  language: Language = defaultLanguage,
): Ranking => {
  const { text, mode, isModeChosen } = request
  if (mode === 'semantic' && isModeChosen)
    return { mode, reads: undefined, readableQuery: 1, wordShare: lexicalShare, isFallback: false }
  const readableQuery = readableShare(text, reads)
  const weight = cosineWeight(text, reads, language)
  const wordShare = weight === 1 ? lexicalShare : 1 - (1 - lexicalShare) * weight
  const isFallback = mode === 'semantic' && readableQuery < minReadable
  return { mode: isFallback ? 'lexical' : mode, reads, readableQuery, wordShare, isFallback }
}

/**
 * The cosine is weighted by how far the model reads query and text; if it doesn't read the query, words alone rank. A
 * score is never below the weighted cosine, grows with both parts, and stays between 0 and 1: thresholds and labels
 * keep their meaning, unlike with rank fusion.
 */
const scoreFrom = ({
  mode,
  semantic: cosine = 0,
  lexical = 0,
  readable = { query: 1, text: 1 },
  wordShare = lexicalShare,
}: ScoreParts): number => {
  if (mode === 'lexical') return lexical
  const semantic = Math.max(0, cosine) * readable.query * readable.text
  if (mode === 'semantic') return semantic
  return semantic + (1 - semantic) * wordShare * lexical
}

export const bestBm25 = (hits: readonly WordHit[]): number => hits.reduce((best, { bm25 }) => Math.max(best, bm25), 0)

const byScore = (hits: readonly ScoredHit[]): ScoredHit[] => hits.toSorted((a, b) => b.score - a.score)

const readableIn = ({ reads, readableQuery: query, wordShare }: Ranking): Pick<ScoreParts, 'readable' | 'wordShare'> =>
  reads ? { readable: { query, text: 1 }, wordShare } : {}

/** Scores hits as if the model could read the texts. */
export const scoreByCosine = (hits: readonly VectorHit[], ranking: Ranking): ScoredHit[] =>
  byScore(
    hits.map((hit) => {
      const parts: ScoreParts = { mode: ranking.mode, semantic: hit.score, ...readableIn(ranking) }
      return { ...hit, score: ranking.reads ? scoreFrom(parts) : hit.score, parts }
    }),
  )

/** Scores hits as if the model could read the texts. `best`: the query's best BM25 in all searched namespaces. */
export const scoreHits = (hits: readonly WordHit[], ranking: Ranking, best: number): ScoredHit[] =>
  byScore(
    hits.map(({ bm25, cosine, matched, ...address }) => {
      const { mode } = ranking
      // A later query can find a better BM25, when the first best one was of versions that no longer count.
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

/** Reduces the score by how far the model reads the text. */
export const withText = (hit: ScoredHit, text: string, { reads }: Pick<Ranking, 'reads'>): ScoredHit => {
  const { readable } = hit.parts ?? {}
  if (!hit.parts || !readable || readable.query === 0) return hit
  const share = readableShare(text, reads)
  if (share === 1) return hit
  const parts = { ...hit.parts, readable: { ...readable, text: share } }
  return { ...hit, score: scoreFrom(parts), parts }
}

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6

/** Returns the parts as published. */
export const explainScore = ({ mode, semantic, lexical, bm25, readable, matched }: ScoreParts) => ({
  mode,
  ...(semantic === undefined ? {} : { semantic: scoreOf(semantic) }),
  ...(readable === undefined ? {} : { readable: scoreOf(readable.query * readable.text) }),
  ...(lexical === undefined ? {} : { lexical: scoreOf(lexical) }),
  ...(bm25 === undefined ? {} : { bm25: rounded(bm25) }),
  ...(matched === undefined ? {} : { matched: scoreOf(matched) }),
})
