import { filterTooBroad } from '@cairn/contracts/api/failures'
import { filterOf, parseSearchQuery } from '@cairn/contracts/api/search-query'
import { parseMetadata, type UserObject } from '@cairn/contracts/documents/metadata'
import type { Filter } from '@cairn/contracts/documents/metadata-filter'
import { AppError } from '@cairn/contracts/errors'
import type { SearchMode } from '@cairn/contracts/http/search'
import { limits } from '@cairn/contracts/limits'
import { labelOf, type ScoreLabel, scoreOf } from '@cairn/contracts/text/labels'
import type { EmbeddingModel } from '@cairn/domain/ports/embedder'
import type { PointAddress, PointFilter } from '@cairn/domain/ports/vector-index'
import { FairSlots } from '@cairn/runtime/throttles/fair-slots'
import type { Readable, ReadableNamespace } from '../gate.ts'
import { requireAffordable } from '../require-affordable.ts'
import { slots } from '../slots.ts'
import type { Found, GroupBy, HitFile } from './find-hits.ts'
import { explainScore } from './score-hits.ts'
import { grouped, type SearchDeps, type SearchPorts, type SearchQuery, searchGroups } from './search-groups.ts'

export type SearchRequest = {
  readonly readable: Readable
  readonly namespaces: readonly string[]
  /** A text, which may end in filters, or a vector. */
  readonly query: string | readonly number[]
  readonly topK: number
  /** Lower scores are left out. */
  readonly threshold: number
  /** Ignored for a vector query, which is always `semantic`. */
  readonly mode: SearchMode
  /** If not, words rank where the model can't read the query. */
  readonly isModeChosen: boolean
  /** The filters in `query` must match too. */
  readonly filter?: Filter | undefined
  readonly groupBy?: GroupBy
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
}

export type SearchHit = {
  readonly id: string
  readonly score: number
  readonly label: ScoreLabel
  readonly text: string
  readonly metadata: UserObject
  /** By name. */
  readonly namespace: string
  /** `retrieval`: the score before reranking. */
  readonly explanation: ReturnType<typeof explainScore> & { readonly retrieval?: number }
  /** Further hits in the same file; set with `groupBy`. */
  readonly others: Found['others']
  /** Found by the index. */
  readonly point: PointAddress
  readonly embedding: EmbeddingModel | null
  /** Set for a chunk. */
  readonly file: HitFile | undefined
}

export const publishedHit = ({ id, score, label, text, metadata, namespace }: SearchHit) => ({
  id,
  score,
  label,
  text,
  metadata,
  namespace,
})

export type PublishedHit = ReturnType<typeof publishedHit>

export type Hits = {
  /** Best first. */
  readonly results: readonly SearchHit[]
  /** Points read. */
  readonly read: number
  /** All points that might be hits were read. */
  readonly complete: boolean
  /** Namespaces with points that the audit found missing in the index. */
  readonly degraded: readonly string[]
  /** By `Clock.monotonic`, ms. */
  readonly validatedAt: number
  readonly searchedAt: number
  readonly embedMs: number
}

/** Filter values, or query characters, times namespaces. */
const heavyComparisons = 1_000

const heavyCharacters = 20_000

const noFilter: PointFilter = { terms: [], words: [] }

/** Throws AppError `tooBroad` for filters that compare too many values. */
const queryOf = (request: SearchRequest): SearchQuery => {
  const { readable, query: sent, mode, isModeChosen, filter: metadataFilter, groupBy, signal } = request
  const wanted = { filter: metadataFilter, groupBy }
  const requester = { owner: readable.accountId, signal }
  const namespaces = new Set(request.namespaces).size
  const isHeavyAt = (comparisons: number, characters = 0) =>
    comparisons > heavyComparisons || characters * namespaces > heavyCharacters
  if (typeof sent !== 'string') {
    const isHeavy = isHeavyAt(requireAffordable(wanted, namespaces))
    const vector = Float32Array.from(sent)
    return { text: '', vector, filter: noFilter, wanted, mode: 'semantic', isModeChosen: true, requester, isHeavy }
  }
  const parsed = parseSearchQuery(sent)
  const { text } = parsed
  const isHeavy = isHeavyAt(requireAffordable({ ...parsed, ...wanted }, namespaces), text.length)
  return { text, vector: undefined, filter: filterOf(parsed), wanted, mode, isModeChosen, requester, isHeavy }
}

const findAll = async (readable: Readable, names: readonly string[]): Promise<ReadableNamespace[]> => {
  const namespaces = await Promise.all([...new Set(names)].map((name) => readable.namespace(name)))
  const types = new Set(namespaces.map(({ type }) => type))
  if (types.size > 1)
    throw new AppError('invalid', 'namespaces must all be of one type, text or vector', {
      body: { details: { field: 'namespaces', requirement: 'must all be of one type' } },
    })
  return namespaces.sort((a, b) => (a.name < b.name ? -1 : 1))
}

const keptQueries = 50

const keptQueryLength = 1_000

/** Keeps the query for a comparison of models, if the owner requested one. A search does not wait for it. */
const keepQuery = ({ store }: SearchPorts, namespaces: readonly ReadableNamespace[], { text }: SearchQuery): void => {
  if (text === '' || text.length > keptQueryLength) return
  for (const { id, reindex } of namespaces) {
    if (!reindex?.queries || reindex.queries.length >= keptQueries || reindex.queries.includes(text)) continue
    const { id: reindexId, phase } = reindex
    if (phase !== 'filling' && phase !== 'filled') continue
    store.namespaces.keepQuery(id, { id: reindexId, phase }, text).catch(() => undefined)
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Compares by code point, as the stores do; UTF-16 order puts emoji before some letters. */
const compareCodePoints = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

export type NamespaceSearch = (request: SearchRequest) => Promise<Hits>

export const createNamespaceSearch = (deps: SearchPorts): NamespaceSearch => {
  const heavy = new FairSlots(slots.heavySearches)
  const withSlots = { ...deps, embeddings: new FairSlots(slots.queryEmbeddings) }
  return async (request) => {
    const isOver = new AbortController()
    const signal = AbortSignal.any([request.signal, isOver.signal])
    const query = queryOf({ ...request, signal })
    const release = query.isHeavy ? await heavy.take(request.readable.accountId, signal) : undefined
    try {
      return await searchNamespaces(withSlots, request, query)
    } finally {
      release?.()
      // When one group fails, queries of others may be in progress.
      isOver.abort()
    }
  }
}

const searchNamespaces = async (deps: SearchDeps, request: SearchRequest, query: SearchQuery): Promise<Hits> => {
  const { readable, threshold } = request
  const { clock } = deps
  const topK = Math.min(request.topK, limits.topK)
  const namespaces = await findAll(readable, request.namespaces)
  keepQuery(deps, namespaces, query)
  const validatedAt = clock.monotonic()
  if (!query.vector && namespaces[0]?.type === 'vector') {
    throw new AppError('invalid', 'query must be an array of numbers for vector namespaces', {
      body: { details: { field: 'query', requirement: 'must be an array of numbers' } },
    })
  }
  const groups = await grouped(deps, namespaces, query)
  const searches = await searchGroups(deps, groups, query, topK)
  if (query.wanted.filter && searches.some(({ complete }) => !complete)) throw filterTooBroad(limits.searchReadPoints)
  const byId = new Map<string, ReadableNamespace>(namespaces.map((namespace) => [namespace.id, namespace]))
  const results = searches
    // In the fallback to words the best hit scores 1, however few of the words it has: `matched` must reach the
    // threshold too.
    .flatMap(({ found }, index) =>
      groups[index]?.ranking.isFallback ? found.filter(({ parts }) => (parts?.matched ?? 1) >= threshold) : found,
    )
    .map((hit) => ({ ...hit, score: scoreOf(hit.score), namespace: byId.get(hit.namespaceId)?.name ?? '' }))
    .filter(({ score }) => score >= threshold)
    .sort((a, b) => b.score - a.score || compare(a.namespace, b.namespace) || compareCodePoints(a.id, b.id))
    .slice(0, topK)
    .map(({ id, score, parts, body: { text, metadata }, file, namespace, others, namespaceId, version, passage }) => ({
      id,
      score,
      label: labelOf(score),
      text,
      metadata: parseMetadata(metadata),
      namespace,
      explanation: explainScore(
        parts ?? { mode: query.mode, ...(query.mode === 'semantic' ? { semantic: score } : {}) },
      ),
      others: others.map((other) => ({ id: other.id, score: scoreOf(other.score) })),
      point: { namespaceId, itemId: id, version, passage },
      embedding: byId.get(namespaceId)?.embedding ?? null,
      file,
    }))
  return {
    results,
    read: searches.reduce((sum, { read }) => sum + read, 0),
    complete: searches.every(({ complete }) => complete),
    degraded: namespaces.flatMap(({ name, lostPointsAt }) => (lostPointsAt ? [name] : [])),
    validatedAt,
    searchedAt: clock.monotonic(),
    embedMs: Math.max(0, ...searches.map(({ embedMs }) => embedMs)),
  }
}
