import { type Filter, fieldFilterOf } from '@cairn/contracts/documents/metadata-filter'
import { AppError } from '@cairn/contracts/errors'
import type { SearchMode } from '@cairn/contracts/http/search'
import type { Language } from '@cairn/contracts/text/languages'
import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import type { NamespaceType } from '@cairn/domain/namespaces/record'
import type { Embedder, EmbeddingModel } from '@cairn/domain/ports/embedder'
import type {
  EmbeddingSpace,
  ItemVersion,
  PointFilter,
  Requester,
  VectorHit,
  WordHit,
} from '@cairn/domain/ports/vector-index'
import { retryUnavailable } from '@cairn/runtime/process/retry'
import type { FairSlots } from '@cairn/runtime/throttles/fair-slots'
import type { GatewayPorts } from '../deps.ts'
import type { ReadableNamespace } from '../gate.ts'
import { findHits, firstLimit, type GroupBy, type HitSearch, listHits } from './find-hits.ts'
import { bestBm25, type Ranking, rankingOf, type ScoredHit, scoreByCosine, scoreHits, withText } from './score-hits.ts'
import { searchWords } from './search-words.ts'

export type SearchPorts = Pick<GatewayPorts, 'store' | 'vectors' | 'embedders' | 'clock' | 'coverageOf'>

export type SearchDeps = SearchPorts & { readonly embeddings: FairSlots }

type Searched = HitSearch & { readonly embedMs: number }

export type SearchQuery = {
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

/** Namespaces of one embedding space, language and version of lexemes are searched together. */
export const grouped = async (
  { embedders, coverageOf }: SearchPorts,
  namespaces: readonly ReadableNamespace[],
  query: SearchQuery,
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
  { clock, embeddings }: SearchDeps,
  query: SearchQuery,
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

const pointFilterOf = ({ filter, wanted }: SearchQuery): PointFilter => {
  const fields = wanted.filter ? fieldFilterOf(wanted.filter) : undefined
  return fields ? { ...filter, fields } : filter
}

const askIndex = async (
  { vectors }: SearchPorts,
  group: Group,
  query: SearchQuery,
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

const start = async (deps: SearchDeps, group: Group, query: SearchQuery, count: number): Promise<Started> => {
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
  query: SearchQuery,
  count: number,
): Promise<Searched> => {
  const listing = { namespaceIds: group.namespaces.map(({ id }) => id), filter: pointFilterOf(query) }
  const find = listHits({ store, vectors }, { ...query.wanted, requester: query.requester })
  return { ...(await find(group.space, listing, count)), embedMs: 0 }
}

const finish = async (
  deps: SearchDeps,
  group: Group,
  query: SearchQuery,
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
export const searchGroups = async (
  deps: SearchDeps,
  groups: readonly Group[],
  query: SearchQuery,
  count: number,
): Promise<Searched[]> => {
  if (!query.vector && query.text === '')
    return Promise.all(groups.map((group) => listGroup(deps, group, query, count)))
  const started = await Promise.all(groups.map((group) => start(deps, group, query, count)))
  const best = Math.max(0, ...started.map(({ words }) => bestBm25(words)))
  return Promise.all(groups.map((group, index) => finish(deps, group, query, count, started[index] as Started, best)))
}
