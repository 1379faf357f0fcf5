import { AppError } from '@cairn/contracts/errors'
import { labelOf, scoreOf } from '@cairn/contracts/text/labels'
import type { Reranker } from '@cairn/domain/ports/reranker'
import type { GatewayPorts } from '../deps.ts'
import { bestPassagesOf } from './hit-details.ts'
import type { SearchHit } from './search-namespaces.ts'

/** Reranking is useful where the right hit is not among the first. */
export const fewestCandidates = 50

/** UTF-16 units of a text without a known best passage; more than any reranker reads. */
const maxUnits = 10_000

export type RerankReport = {
  readonly model: string
  readonly candidates: number
  /** Results whose rank has changed. */
  readonly moved: number
  readonly seconds: number
}
export type Reranked = { readonly hits: readonly SearchHit[]; readonly report: RerankReport }

/** Throws AppError `conflict` if none is configured. */
export const requireReranker = ({ reranker }: Pick<GatewayPorts, 'reranker'>): Reranker => {
  if (reranker) return reranker
  throw new AppError(
    'conflict',
    'No reranker is configured on this server: leave out rerank, or set CAIRN_RERANK_LOCAL_MODEL, CAIRN_RERANK_MODEL_DIR or CAIRN_RERANK_URL.',
  )
}

/** Orders by the relevance of the best passage, which becomes the score, and returns the best `count`. */
export const rerankHits = async (
  deps: Pick<GatewayPorts, 'embedders' | 'clock' | 'textWorker'>,
  reranker: Reranker,
  request: { readonly query: string; readonly hits: readonly SearchHit[]; readonly count: number },
  signal: AbortSignal,
): Promise<Reranked> => {
  const { query, hits, count } = request
  const from = deps.clock.monotonic()
  const passages = await bestPassagesOf(deps, hits, signal)
  const texts = hits.map(({ text }, index) => {
    const { start, end } = passages[index] ?? { start: 0, end: maxUnits }
    return text.slice(start, end).toWellFormed()
  })
  const relevances = await reranker.rerank(query, texts, { signal })
  const ordered = hits
    .map((hit, place) => ({ hit, place, score: scoreOf(relevances[place] ?? 0) }))
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, count)
  return {
    hits: ordered.map(({ hit, score }) => ({
      ...hit,
      score,
      label: labelOf(score),
      explanation: { ...hit.explanation, retrieval: hit.score },
    })),
    report: {
      model: reranker.model,
      candidates: hits.length,
      moved: ordered.filter(({ place }, index) => place !== index).length,
      seconds: Math.round(deps.clock.monotonic() - from) / 1_000,
    },
  }
}
