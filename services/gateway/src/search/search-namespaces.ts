import { filterTooBroad } from '@cairn/contracts/api/failures'
import { filterOf, parseSearchQuery } from '@cairn/contracts/api/search-query'
import { parseMetadata, type UserObject } from '@cairn/contracts/documents/metadata'
import { type Filter, fieldFilterOf } from '@cairn/contracts/documents/metadata-filter'
import { AppError } from '@cairn/contracts/errors'
import type { SearchMode } from '@cairn/contracts/http/search'
import { limits } from '@cairn/contracts/limits'
import { labelOf, type ScoreLabel, scoreOf } from '@cairn/contracts/text/labels'
import type { Language } from '@cairn/contracts/text/languages'
import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import type { NamespaceType } from '@cairn/domain/namespaces/record'
import type { Embedder, EmbeddingModel } from '@cairn/domain/ports/embedder'
import type {
  EmbeddingSpace,
  ItemVersion,
  PointAddress,
  PointFilter,
  Requester,
  VectorHit,
  WordHit,
} from '@cairn/domain/ports/vector-index'
import { retryUnavailable } from '@cairn/runtime/process/retry'
import { FairSlots } from '@cairn/runtime/throttles/fair-slots'
import type { GatewayPorts } from '../deps.ts'
import type { Readable, ReadableNamespace } from '../gate.ts'
import { requireAffordable } from '../require-affordable.ts'
import { slots } from '../slots.ts'
import { type Found, findHits, firstLimit, type GroupBy, type HitSearch, listHits } from './find-hits.ts'
import {
  bestBm25,
  explainScore,
  type Ranking,
  rankingOf,
  type ScoredHit,
  scoreByCosine,
  scoreHits,
  withText,
} from './score-hits.ts'
import { searchWords } from './search-words.ts'

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

type SearchPorts = Pick<GatewayPorts, 'store' | 'vectors' | 'embedders' | 'clock' | 'coverageOf'>
type Deps = SearchPorts & { readonly embeddings: FairSlots }
type Searched = HitSearch & { readonly embedMs: number }
type Query = {
  readonly text: string
  readonly vector: Float32Array | undefined
  readonly filter: PointFilter
  /** Checked against the stored records, whatever the index returns. */
  readonly wanted: { readonly filter?: Filter | undefined; readonly groupBy?: GroupBy }
  readonly mode: SearchMode
  readonly isModeChosen: boolean
  readonly requester: Requester
  /** An account may run only one such search at a time. */
  readonly isHeavy: boolean
}
type Group = {
  readonly ranking: Ranking
  readonly space: EmbeddingSpace
  readonly type: NamespaceType
  readonly language: Language
  /** Version of the points' lexemes. */
  readonly lexemes: number
  readonly embedder: Embedder | undefined
  readonly namespaces: readonly ReadableNamespace[]
}

/** Filter values, or query characters, times namespaces. */
const heavyComparisons = 1_000
const heavyCharacters = 20_000

const noFilter: PointFilter = { terms: [], words: [] }

/** Throws AppError `tooBroad` for filters that compare too many values. */
const queryOf = (request: SearchRequest): Query => {
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

/** Namespaces of one embedding space, language and version of lexemes are searched together. */
const grouped = async (
  { embedders, coverageOf }: SearchPorts,
  namespaces: readonly ReadableNamespace[],
  query: Query,
): Promise<Group[]> => {
  const groups = new Map<string, Group>()
  for (const namespace of namespaces) {
    const space = embeddingSpaceOf(namespace)
    const embedder = namespace.embedding ? embedders.of(namespace.embedding) : undefined
    const { type, language, lexemes } = namespace
    const key = `${language} ${lexemes} ${space.key}`
    const namespaces = [...(groups.get(key)?.namespaces ?? []), namespace]
    const ranking = groups.get(key)?.ranking ?? rankingOf(query, embedder && (await coverageOf(embedder)), language)
    groups.set(key, { space, type, language, lexemes, embedder, namespaces, ranking })
  }
  return [...groups.values()]
}

const nameOf = (embedding: EmbeddingModel | null): string => {
  const { provider, model, weights } = embedding ?? {}
  return `the model ${provider} ${model}${weights === undefined ? '' : ` with the weights ${weights}`}`
}

const vectorFor = async (
  { clock, embeddings }: Deps,
  query: Query,
  { space, embedder, namespaces }: Group,
): Promise<Float32Array> => {
  const [namespace] = namespaces as readonly [ReadableNamespace, ...ReadableNamespace[]]
  if (query.vector) {
    if (query.vector.length === space.dimension) return query.vector
    throw new AppError(
      'invalid',
      `query must have ${space.dimension} dimensions for namespace "${namespace.name}", it has ${query.vector.length}`,
      {
        body: { details: { field: 'query', requirement: `must have ${space.dimension} dimensions` } },
      },
    )
  }
  if (!embedder) {
    throw new AppError(
      'conflict',
      `Namespace "${namespace.name}" was filled with ${nameOf(namespace.embedding)}, which is not configured on this server. Configure it, embed the namespace again with another model (POST /v1/namespaces/${namespace.name}/reindex), or upload the documents to a new namespace.`,
      { body: { namespace_name: namespace.name } },
    )
  }
  const { owner, signal } = query.requester
  // A server of models has its own queue, and answers many at once.
  const release = embedder.model.provider === 'local' ? await embeddings.take(owner, signal) : undefined
  try {
    const [vector] = await retryUnavailable(clock, () => embedder.embed([query.text], { kind: 'query', signal }))
    return vector as Float32Array
  } finally {
    release?.()
  }
}

/** `hits` in mode `semantic`, `words` in the others; the other list is empty. */
type Started = {
  readonly vector: Float32Array | undefined
  readonly limit: number
  readonly hits: readonly VectorHit[]
  readonly words: readonly WordHit[]
  readonly embedMs: number
}

const pointFilterOf = ({ filter, wanted }: Query): PointFilter => {
  const fields = wanted.filter ? fieldFilterOf(wanted.filter) : undefined
  return fields ? { ...filter, fields } : filter
}

const askIndex = async (
  { vectors }: SearchPorts,
  group: Group,
  query: Query,
  vector: Float32Array | undefined,
  { except, limit }: { readonly except: readonly ItemVersion[]; readonly limit: number },
): Promise<Pick<Started, 'hits' | 'words'>> => {
  const { space, namespaces, language, lexemes, ranking } = group
  const { mode } = ranking
  const { text, requester } = query
  const scope = { namespaceIds: namespaces.map(({ id }) => id), filter: pointFilterOf(query), except, limit }
  if (mode === 'semantic' && vector)
    return { hits: await vectors.search(space, { ...scope, vector }, requester), words: [] }
  const words = { ...scope, ...(vector ? { vector } : {}) }
  return { hits: [], words: await searchWords(vectors, space, words, { text, language, lexemes }, requester) }
}

const start = async (deps: Deps, group: Group, query: Query, count: number): Promise<Started> => {
  const { clock } = deps
  const from = clock.monotonic()
  const vector = group.ranking.mode === 'lexical' ? undefined : await vectorFor(deps, query, group)
  const embedMs = clock.monotonic() - from
  const limit = firstLimit(group.type, count)
  return { vector, limit, embedMs, ...(await askIndex(deps, group, query, vector, { except: [], limit })) }
}

const listGroup = async (
  { store, vectors }: SearchPorts,
  group: Group,
  query: Query,
  count: number,
): Promise<Searched> => {
  const listing = { namespaceIds: group.namespaces.map(({ id }) => id), filter: pointFilterOf(query) }
  const find = listHits({ store, vectors }, { ...query.wanted, requester: query.requester })
  return { ...(await find(group.space, listing, count)), embedMs: 0 }
}

const finish = async (
  deps: Deps,
  group: Group,
  query: Query,
  count: number,
  { vector, limit, hits, words, embedMs }: Started,
  best: number,
): Promise<Searched> => {
  const { ranking } = group
  const scored = (found: Pick<Started, 'hits' | 'words'>) =>
    ranking.mode === 'semantic' ? scoreByCosine(found.hits, ranking) : scoreHits(found.words, ranking, best)
  const wanted = {
    ...query.wanted,
    requester: query.requester,
    withText: (hit: ScoredHit, text: string) => withText(hit, text, ranking),
  }
  const found = await findHits(deps, wanted)(
    async (except, next) => scored(await askIndex(deps, group, query, vector, { except, limit: next })),
    count,
    { limit, hits: scored({ hits, words }) },
  )
  return { ...found, embedMs }
}

/** The best BM25 is that of all groups, so that their scores can be compared. */
const searchGroups = async (deps: Deps, groups: readonly Group[], query: Query, count: number): Promise<Searched[]> => {
  if (!query.vector && query.text === '')
    return Promise.all(groups.map((group) => listGroup(deps, group, query, count)))
  const started = await Promise.all(groups.map((group) => start(deps, group, query, count)))
  const best = Math.max(0, ...started.map(({ words }) => bestBm25(words)))
  return Promise.all(groups.map((group, index) => finish(deps, group, query, count, started[index] as Started, best)))
}

const keptQueries = 50
const keptQueryLength = 1_000

/** Keeps the query for a comparison of models, if the owner requested one. A search does not wait for it. */
const keepQuery = ({ store }: SearchPorts, namespaces: readonly ReadableNamespace[], { text }: Query): void => {
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

const searchNamespaces = async (deps: Deps, request: SearchRequest, query: Query): Promise<Hits> => {
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
    .map(({ id, score, parts, body: { text, metadata }, namespace, others, namespaceId, version, passage }) => ({
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
