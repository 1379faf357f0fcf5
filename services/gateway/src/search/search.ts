import { invalidField } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { parseSearchQuery } from '@cairn/contracts/api/search-query'
import { type SearchMode, searchBody } from '@cairn/contracts/http/search'
import { limits } from '@cairn/contracts/limits'
import type { BodyOf, ResponseBody } from '@cairn/runtime/http/endpoint'
import { accountEndpoint } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { warningsOfBody, withWarnings } from './body-warnings.ts'
import { contextOf, highlightsOf } from './hit-details.ts'
import { fewestCandidates, requireReranker, rerankHits } from './rerank-hits.ts'
import { type NamespaceSearch, publishedHit, type SearchHit } from './search-namespaces.ts'

/** Clients that send a threshold chose it for cosines. */
export const defaultMode = (sent: { readonly isKiosk: boolean; readonly threshold: number | undefined }): SearchMode =>
  sent.isKiosk || sent.threshold !== undefined ? 'semantic' : 'hybrid'

const seconds = (ms: number): number => Math.round(ms) / 1_000

type SearchDeps = Pick<GatewayPorts, 'clock' | 'embedders' | 'store' | 'reranker' | 'textWorker'> & {
  readonly searchNamespaces: NamespaceSearch
}

type Hit = ResponseBody<typeof operations.search, 200>['results'][number]

/** Adds the optional fields that the request selects. */
const presentHits = async (
  deps: SearchDeps,
  hits: readonly SearchHit[],
  wanted: Pick<BodyOf<typeof operations.search>, 'explain' | 'highlights' | 'context' | 'group_by'>,
  signal: AbortSignal,
) => {
  const [marks, contexts] = await Promise.all([
    wanted.highlights ? highlightsOf(deps, hits, signal) : [],
    wanted.context > 0 ? contextOf(deps.store, hits, wanted.context) : [],
  ])
  return hits.map(
    (hit, index): Hit => ({
      ...publishedHit(hit),
      ...(wanted.explain && { explanation: hit.explanation }),
      ...marks[index],
      ...(wanted.context > 0 && { context: contexts[index] }),
      ...(wanted.group_by && { others: hit.others }),
    }),
  )
}

export const search = (deps: SearchDeps) =>
  accountEndpoint(operations.search, async (call) => {
    const { clock, searchNamespaces } = deps
    const from = clock.monotonic()
    const { query, namespaces, top_k: topK, kiosk_mode: isKiosk, threshold, ...sent } = call.body()
    if (typeof query !== 'string' && sent.mode !== undefined && sent.mode !== 'semantic')
      throw invalidField('mode', 'must be semantic when the query is a vector, which has no words')
    if (typeof query !== 'string' && sent.rerank)
      throw invalidField('rerank', 'must be false when the query is a vector, which has no words')
    const reranker = sent.rerank ? requireReranker(deps) : undefined
    const parsedAt = clock.monotonic()
    const hits = await searchNamespaces({
      readable: call.readable,
      query,
      namespaces,
      topK: reranker ? Math.max(topK, fewestCandidates) : topK,
      threshold: (isKiosk ? threshold : undefined) ?? 0,
      mode: sent.mode ?? defaultMode({ isKiosk, threshold }),
      isModeChosen: sent.mode !== undefined,
      filter: sent.filter,
      groupBy: sent.group_by,
      signal: call.signal,
    })
    const { results, read, complete, degraded, validatedAt, searchedAt, embedMs } = hits
    const text = typeof query === 'string' ? parseSearchQuery(query).text : ''
    const reranked =
      reranker && text !== ''
        ? await rerankHits(deps, reranker, { query: text, hits: results, count: topK }, call.signal)
        : undefined
    const presented = await presentHits(deps, reranked?.hits ?? results.slice(0, topK), sent, call.signal)
    const endedAt = clock.monotonic()
    return {
      status: 200,
      body: {
        results: presented,
        execution_time: seconds(endedAt - from),
        timings: {
          parse_validate: seconds(parsedAt - from),
          validate_namespace: seconds(validatedAt - parsedAt),
          prepare_vector: seconds(embedMs),
          fetch_data: seconds(searchedAt - validatedAt - embedMs),
          format_response: seconds(endedAt - searchedAt),
          total: seconds(endedAt - from),
        },
        optimization_info: {
          fetch_strategy: 'single_phase_with_early_filtering',
          initial_fetch: 'complete_data_with_early_filtering',
          complete_fetch: complete ? 'no_additional_fetch_needed' : `stopped_after_${limits.searchReadPoints}_points`,
          points_read: read,
        },
        ...(reranked && { rerank: reranked.report }),
        ...(degraded.length > 0 && { degraded }),
        ...withWarnings(call, warningsOfBody(call.sentBody, searchBody)),
      },
    }
  })
