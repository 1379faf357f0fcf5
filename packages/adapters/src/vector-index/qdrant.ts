import { AppError } from '@cairn/contracts/errors'
import type { EmbeddingSpace, Point, VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Schemas } from '@qdrant/js-client-rest'
import { checkLimit, isStorable, toUnitQuery, toUnits } from './check-input.ts'
import { connectQdrant, type QdrantConnection } from './qdrant/client.ts'
import { Collections, confirm, type Quantization } from './qdrant/collections.ts'
import { listPoints } from './qdrant/listing.ts'
import { missingPoints } from './qdrant/missing.ts'
import { toFilter, toRecord } from './qdrant/points.ts'
import { createRemoval } from './qdrant/removal.ts'
import { searchPoints } from './qdrant/search.ts'
import { vectorsOf } from './qdrant/vectors-of.ts'
import { WordSearch } from './qdrant/word-search.ts'

export type QdrantVectorIndexOptions = Omit<QdrantConnection, 'timeoutMs'> & {
  /** Prefix of collection names, so that several installations can share a Qdrant. Default `cairn-`. */
  readonly prefix?: string
  /** For new collections; `quantizeCollections` changes existing ones. Default `none`. */
  readonly quantization?: Quantization
  /** For each request; a method sends one to a few. Default 5,000. */
  readonly timeoutMs?: number
  /** Maximum age of word statistics. Default 30,000. */
  readonly statisticsMs?: number
}

/** Far below Qdrant's limit, and small enough that JSON encoding does not block the event loop for long. */
const bytesPerRequest = 2_000_000
const pointsPerRequest = 1_000
const bytesPerNumber = 22
/** In a request: its id twice, its weight, and its part of the packed lexemes. */
const bytesPerLexeme = 50

/**
 * Upper estimate of a point's bytes. Texts count three bytes per UTF-16 unit, twice, because an id is also part of the
 * item version and of the order.
 */
const sizeOf = ({ itemId, terms, words, vector, lexemes }: Point): number =>
  1_000 +
  vector.length * bytesPerNumber +
  (lexemes?.ids.length ?? 0) * bytesPerLexeme +
  6 * [itemId, ...terms, ...words].reduce((sum, text) => sum + text.length + 2, 0)

/** Vectors get unit length. Only the last of several points with one address is sent. */
const toRequests = (space: EmbeddingSpace, points: readonly Point[]): Schemas['PointStruct'][][] => {
  const units = toUnits(space, points)
  const requests: Map<Schemas['ExtendedPointId'], Schemas['PointStruct']>[] = []
  let last = new Map<Schemas['ExtendedPointId'], Schemas['PointStruct']>()
  let bytes = Number.POSITIVE_INFINITY
  for (const [position, point] of points.entries()) {
    const record = toRecord(point, units.subarray(position * space.dimension, (position + 1) * space.dimension))
    const size = sizeOf(point)
    if (bytes + size > bytesPerRequest || last.size === pointsPerRequest) {
      last = new Map()
      requests.push(last)
      bytes = 0
    }
    last.set(record.id, record)
    bytes += size
  }
  return requests.map((request) => [...request.values()])
}

const storableOf = (namespaceIds: readonly string[]) => [...new Set(namespaceIds.filter(isStorable))]

/** Reads all namespaces whose id can exist. */
const readNamespaces = async <T>(
  collections: Collections,
  space: EmbeddingSpace,
  namespaceIds: readonly string[],
  use: (collection: string, namespaceIds: readonly string[]) => Promise<T[]>,
): Promise<T[]> => {
  const storable = storableOf(namespaceIds)
  return storable.length === 0 ? [] : collections.read(space, [], (name) => use(name, storable))
}

/** `close` waits for calls in progress. */
const createGate = () => {
  const running = new Set<Promise<unknown>>()
  let isClosed = false
  return {
    whileOpen:
      <A extends unknown[], T>(run: (...args: A) => Promise<T>) =>
      async (...args: A): Promise<T> => {
        if (isClosed) throw new AppError('unavailable', 'The vector index is closed')
        const call = run(...args)
        running.add(call)
        try {
          return await call
        } finally {
          running.delete(call)
        }
      },
    close: async (): Promise<void> => {
      isClosed = true
      await Promise.allSettled(running)
    },
  }
}

/**
 * One collection for each space, shared by all namespaces, which are its tenants. See `qdrant/search.ts` for the
 * precision of searches, `qdrant/order.ts` for listing in order, and `qdrant/client.ts` for errors; nothing is retried
 * here. Writes wait until Qdrant has applied them. With one replica per shard, Qdrant's default, every later search
 * sees them. A large write takes several requests; if one fails, some points may be stored, and the caller repeats the
 * whole write.
 */
export const qdrantVectorIndex = (options: QdrantVectorIndexOptions): VectorIndex => {
  const { url, apiKey, prefix = 'cairn-', quantization = 'none', timeoutMs = 5_000, statisticsMs = 30_000 } = options
  const qdrant = connectQdrant({ url, apiKey, timeoutMs })
  const collections = new Collections(qdrant, prefix, quantization)
  const words = new WordSearch(qdrant, statisticsMs)
  const removal = createRemoval(qdrant)
  const { whileOpen, close } = createGate()
  return {
    system: 'qdrant',
    ensure: whileOpen((space) => collections.write(space, async () => undefined)),
    upsert: whileOpen(async (space, points) => {
      const requests = toRequests(space, points)
      await collections.write(space, async (name) => {
        for (const request of requests) {
          confirm(await qdrant.upsert(name, request))
        }
      })
    }),
    search: whileOpen(async (space, query, requester) => {
      const vector = toUnitQuery(space, query.vector, query.limit)
      return readNamespaces(collections, space, query.namespaceIds, (name, namespaceIds) =>
        searchPoints(qdrant, name, { ...query, namespaceIds, vector, signal: requester?.signal }),
      )
    }),
    searchWords: whileOpen(async (space, query, requester) => {
      checkLimit(query.limit)
      const vector = query.vector && toUnitQuery(space, query.vector, query.limit)
      return readNamespaces(collections, space, query.namespaceIds, (name, namespaceIds) =>
        words.search(name, { ...query, namespaceIds, vector, signal: requester?.signal }),
      )
    }),
    frequencies: whileOpen((space, { namespaceIds, lexemes }, requester) => {
      const storable = storableOf(namespaceIds)
      const none = { points: 0, of: Array.from(lexemes, () => 0) }
      const asked = { namespaceIds: storable, lexemes, signal: requester?.signal }
      return storable.length === 0
        ? Promise.resolve(none)
        : collections.read(space, none, (name) => words.frequencies(name, asked))
    }),
    list: whileOpen((space, listing, requester) =>
      collections.read(space, [], (name) => listPoints(qdrant, name, listing, requester?.signal)),
    ),
    missing: whileOpen((space, addresses) =>
      collections.read(space, [...addresses], (name) => missingPoints(qdrant, name, addresses)),
    ),
    vectorsOf: whileOpen(async (space, namespaceId, terms) => {
      const none = terms.map(() => undefined)
      if (!isStorable(namespaceId)) return none
      return collections.read<(Float32Array | undefined)[]>(space, none, (name) =>
        vectorsOf(qdrant, name, namespaceId, terms),
      )
    }),
    removeVersions: whileOpen(async (space, targets) => {
      const storable = targets.filter((target) => [target.namespaceId, target.itemId, target.version].every(isStorable))
      if (storable.length === 0) return 0
      return collections.read(space, 0, (name) => removal.versions(name, storable))
    }),
    removeNamespace: whileOpen(async (space, namespaceId, limit) => {
      if (!isStorable(namespaceId)) return 0
      return collections.read(space, 0, (name) => removal.namespace(name, namespaceId, limit))
    }),
    count: whileOpen(async (space, namespaceId) => {
      if (!isStorable(namespaceId)) return 0
      const filter = toFilter(namespaceId)
      return collections.read(space, 0, async (name) => {
        const { count } = await qdrant.request((client) => client.count(name, { filter, exact: true }))
        return count
      })
    }),
    close,
  }
}
