import type {
  EmbeddingSpace,
  Point,
  PointAddress,
  VectorHit,
  VectorIndex,
  VectorQuery,
} from '@cairn/domain/ports/vector-index'
import { it } from 'vitest'

type Behaviour =
  | 'upsert'
  | 'ranking'
  | 'words'
  | 'ties'
  | 'filters'
  | 'namespaces'
  | 'validation'
  | 'removal'
  | 'listing'
  | 'missing'
  | 'reuse'
  | 'count'
  | 'spaces'
  | 'concurrency'
  | 'closing'

export type VectorIndexContract = {
  /**
   * On a new, empty place; word statistics are at most `statisticsMs` old. Called before all tests and within some; the
   * contract closes what it opened.
   */
  readonly open: (statisticsMs: number) => VectorIndex | Promise<VectorIndex>
  /** Behaviors that the adapter can't have, with the reasons, which are printed. */
  readonly lacks: { readonly [B in Behaviour]?: string }
}

export const space: EmbeddingSpace = { key: 'contract-3', dimension: 3 }
export const wide: EmbeddingSpace = { key: 'contract-16', dimension: 16 }

type Given = Partial<Omit<Point, 'vector'>> & { readonly vector?: readonly number[] }

export const point = ({ vector = [1, 0, 0], ...given }: Given = {}): Point => ({
  namespaceId: 'ns',
  itemId: 'item',
  version: 'v1',
  passage: 0,
  terms: [],
  words: [],
  ...given,
  vector: Float32Array.from(vector),
})

export const addressOf = ({ namespaceId, itemId, version, passage }: PointAddress): PointAddress => ({
  namespaceId,
  itemId,
  version,
  passage,
})
export const itemsOf = (found: readonly PointAddress[]) => found.map(({ itemId }) => itemId)
export const cosine = (a: Float32Array, b: Float32Array) => {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, i) => sum + value * y[i]!, 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

/** Looks random but depends only on the seed. */
export const scattered = (seed: number) => Math.sin(seed * 12.9898 + 78.233)
export const wideVector = (seed: number) => Array.from({ length: 16 }, (_, i) => scattered(seed * 16 + i + 1))

/** All tests share an index, but each sees only its own namespaces. */
const within = (index: VectorIndex, prefix: string): VectorIndex => {
  const inside = <A extends { readonly namespaceId: string }>(address: A): A => ({
    ...address,
    namespaceId: prefix + address.namespaceId,
  })
  const outside = <A extends { readonly namespaceId: string }>(address: A): A => ({
    ...address,
    namespaceId: address.namespaceId.slice(prefix.length),
  })
  const all = (namespaceIds: readonly string[]) => namespaceIds.map((id) => prefix + id)
  const scoped = <Q extends Pick<VectorQuery, 'namespaceIds' | 'except'>>(query: Q): Q => ({
    ...query,
    namespaceIds: all(query.namespaceIds),
    ...(query.except ? { except: query.except.map(inside) } : {}),
  })
  return {
    ...index,
    upsert: (to, points) => index.upsert(to, points.map(inside)),
    search: async (of, query, requester) => (await index.search(of, scoped(query), requester)).map(outside),
    searchWords: async (of, query, requester) => (await index.searchWords(of, scoped(query), requester)).map(outside),
    frequencies: (of, { namespaceIds, lexemes }, requester) =>
      index.frequencies(of, { namespaceIds: all(namespaceIds), lexemes }, requester),
    list: async (of, { after, ...listing }, requester) => {
      const request = {
        ...listing,
        namespaceIds: all(listing.namespaceIds),
        ...(after ? { after: inside(after) } : {}),
      }
      return (await index.list(of, request, requester)).map(outside)
    },
    missing: async (of, addresses) => (await index.missing(of, addresses.map(inside))).map(outside),
    vectorsOf: (of, namespaceId, terms) => index.vectorsOf(of, prefix + namespaceId, terms),
    removeVersions: (of, targets) => index.removeVersions(of, targets.map(inside)),
    removeNamespace: (of, namespaceId, limit) => index.removeNamespace(of, prefix + namespaceId, limit),
    count: (of, namespaceId) => index.count(of, prefix + namespaceId),
  }
}

export type Scene = {
  /** Skips the test, with the reason, if the adapter lacks the behavior. */
  readonly of: (behaviour: Behaviour, name: string, body: () => Promise<void>) => void
  /** On a new, empty place. */
  readonly open: VectorIndexContract['open']
  readonly openIndex: (points?: readonly Point[], of?: EmbeddingSpace) => Promise<VectorIndex>
  /** In namespace `ns` of the narrow space, along its first axis. */
  readonly search: (
    index: VectorIndex,
    query?: Partial<Omit<VectorQuery, 'vector'>> & { readonly vector?: readonly number[] },
  ) => Promise<VectorHit[]>
  readonly listAll: (
    index: VectorIndex,
    namespaceIds?: readonly string[],
    from?: EmbeddingSpace,
  ) => Promise<PointAddress[]>
}

/** All tests use `shared`: opening an index per test would take most of the time. */
export const createScene = ({ open, lacks }: VectorIndexContract, shared: () => VectorIndex): Scene => {
  let places = 0
  return {
    of: (behaviour, name, body) => {
      const reason = lacks[behaviour]
      if (reason === undefined) it(name, body)
      else it(name, ({ skip }) => skip(reason))
    },
    open,
    openIndex: async (points = [], of = space) => {
      const index = within(shared(), `test-${++places}/`)
      if (points.length > 0) await index.upsert(of, points)
      return index
    },
    search: (index, { vector = [1, 0, 0], ...query } = {}) =>
      index.search(space, { namespaceIds: ['ns'], limit: 10, ...query, vector: Float32Array.from(vector) }),
    listAll: (index, namespaceIds = ['ns'], from = space) => index.list(from, { namespaceIds, limit: 1_000 }),
  }
}
