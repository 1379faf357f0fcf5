import { AppError } from '@cairn/contracts/errors'
import type { Schemas } from '@qdrant/js-client-rest'
import { isStorable, toUnitQuery, toUnits } from './check-input.ts'
import type { Point, Space, VectorIndex } from './port.ts'
import { connectQdrant } from './qdrant/client.ts'
import { confirm, createCollections, type Quantization } from './qdrant/collections.ts'
import { createListing } from './qdrant/listing.ts'
import { createMissing } from './qdrant/missing.ts'
import { toFilter, toRecord } from './qdrant/points.ts'
import { createRemoval } from './qdrant/removal.ts'
import { createSearch } from './qdrant/search.ts'

export type QdrantVectorIndexOptions = {
  /** `http(s)://host:port`, with a path where a proxy serves Qdrant under one. Without a port it is the scheme's, not 6333. */
  readonly url: string
  /** Sent as `api-key`. An authority of one's own for https: the process's NODE_EXTRA_CA_CERTS. */
  readonly apiKey?: string | undefined
  /** Before the name of every collection, so that several installations can share a Qdrant. Default `cairn-`. */
  readonly prefix?: string
  /** Of collections that are made from now on; `quantizeCollections` changes those that exist. Default `none`. */
  readonly quantization?: Quantization
  /** Of each request; a call of the port makes one to a few. Default 5,000. */
  readonly timeoutMs?: number
}

/** Of one request: far below what Qdrant takes, and so little that writing it as JSON holds up nobody for long. */
const bytesPerRequest = 2_000_000
const pointsPerRequest = 1_000
const bytesPerNumber = 22

/** Generously: texts at three bytes a unit and twice, since an id is in the payload again with its version and in its order. */
const sizeOf = ({ itemId, terms, words, vector }: Point): number =>
  1_000 + vector.length * bytesPerNumber + 6 * [itemId, ...terms, ...words].reduce((sum, text) => sum + text.length + 2, 0)

/** The last of those that share an address, at unit length, in requests that Qdrant takes. */
const toRequests = (space: Space, points: readonly Point[]): Schemas['PointStruct'][][] => {
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

/**
 * A collection for each space, shared by all namespaces, which are its tenants. What a search promises is said in `qdrant-search`, how
 * points are listed in order in `qdrant-order`, which errors there are and that nothing is repeated here in `qdrant-client`.
 *
 * Writes wait until they are carried out. That every later search sees them holds for one replica a shard, which is Qdrant's default.
 * A call that writes much is several requests: one that fails may leave some written, and is repeated as a whole.
 */
export const qdrantVectorIndex = (options: QdrantVectorIndexOptions): VectorIndex => {
  const { url, apiKey, prefix = 'cairn-', quantization = 'none', timeoutMs = 5_000 } = options
  const qdrant = connectQdrant({ url, apiKey, timeoutMs })
  const collections = createCollections(qdrant, prefix, quantization)
  const search = createSearch(qdrant)
  const list = createListing(qdrant)
  const missing = createMissing(qdrant)
  const removal = createRemoval(qdrant)

  let closed = false
  const underWay = new Set<Promise<unknown>>()
  const whileOpen =
    <A extends unknown[], T>(run: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      if (closed) throw new AppError('unavailable', 'The vector index is closed')
      const call = run(...args)
      underWay.add(call)
      try {
        return await call
      } finally {
        underWay.delete(call)
      }
    }

  return {
    ensure: whileOpen((space) => collections.write(space, async () => undefined)),

    upsert: whileOpen(async (space, points) => {
      const requests = toRequests(space, points)
      await collections.write(space, async (name) => {
        for (const request of requests) {
          confirm(await qdrant.upsert(name, request))
        }
      })
    }),

    search: whileOpen(async (space, { namespaceIds, vector, filter, limit }) => {
      const unit = toUnitQuery(space, vector, limit)
      const wanted = [...new Set(namespaceIds.filter(isStorable))]
      if (wanted.length === 0) return []
      return collections.read(space, [], (name) => search(name, { namespaceIds: wanted, vector: unit, filter, limit }))
    }),

    list: whileOpen((space, listing) => collections.read(space, [], (name) => list(name, listing))),

    missing: whileOpen((space, addresses) => collections.read(space, [...addresses], (name) => missing(name, addresses))),

    removeVersion: whileOpen(async (space, { namespaceId, itemId, version, fromPassage = 0 }) => {
      if (![namespaceId, itemId, version].every(isStorable)) return 0
      return collections.read(space, 0, (name) => removal.version(name, { namespaceId, itemId, version, fromPassage }))
    }),

    removeNamespace: whileOpen(async (space, namespaceId, limit) => {
      if (!isStorable(namespaceId)) return 0
      return collections.read(space, 0, (name) => removal.namespace(name, namespaceId, limit))
    }),

    count: whileOpen(async (space, namespaceId) => {
      if (!isStorable(namespaceId)) return 0
      const filter = toFilter([namespaceId], undefined)
      return collections.read(space, 0, async (name) => {
        const { count } = await qdrant.request((client) => client.count(name, { filter, exact: true }))
        return count
      })
    }),

    close: async () => {
      closed = true
      await Promise.allSettled([...underWay])
    },
  }
}
