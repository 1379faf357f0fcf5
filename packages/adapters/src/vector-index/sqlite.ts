import type {
  EmbeddingSpace,
  Point,
  PointFilter,
  Requester,
  VectorIndex,
  VectorQuery,
} from '@cairn/domain/ports/vector-index'
import { ThreadLink } from '../threads/link.ts'
import { checkLimit, isStorable, toUnitQuery, toUnits } from './check-input.ts'
import { fieldTokens } from './sqlite/field-tokens.ts'
import { filterTokens } from './sqlite/filter-tokens.ts'
import type { Change, PackedPoints, ReadNotice, ReadRequest, SearchScope, WriteRequest } from './sqlite/messages.ts'
import type { PointTest } from './sqlite/select-slots.ts'

export type SqliteVectorIndexOptions = {
  /** Created with its folder if missing. The data directory's lock ensures that only one process opens it. */
  readonly file: string
  /**
   * For searching large namespaces: 252 bytes per point at 384 dimensions. A namespace that alone needs more is
   * searched with 56 bytes per point, more slowly. Default 256 MB.
   */
  readonly memoryBytes?: number
  /** Maximum age of word statistics. Default 30,000. */
  readonly statisticsMs?: number
}

/** `Omit` on the union would merge its kinds. */
type ReadBody = ReadRequest extends infer R ? (R extends ReadRequest ? Omit<R, 'owner'> : never) : never

/** Passages of one item share its fields, each of which is hashed twice. */
const tokensOf = (points: readonly Point[]): string[] => {
  const ofFields = new Map<Point['fields'], string>()
  return points.map((point) => {
    const { fields } = point
    const found = ofFields.get(fields) ?? fieldTokens(fields ?? []).join(' ')
    ofFields.set(fields, found)
    return [...filterTokens(point), ...(found === '' ? [] : [found])].join(' ')
  })
}

export const packPoints = (space: EmbeddingSpace, points: readonly Point[]): PackedPoints => ({
  vectors: toUnits(space, points),
  namespaceIds: points.map(({ namespaceId }) => namespaceId),
  itemIds: points.map(({ itemId }) => itemId),
  versions: points.map(({ version }) => version),
  passages: points.map(({ passage }) => passage),
  tokens: tokensOf(points),
  lexemes: points.map(({ lexemes }) => lexemes),
})

const testOf = (filter: PointFilter | undefined): PointTest => ({
  tokens: filter ? [...new Set(filterTokens(filter))] : [],
  fields: filter?.fields,
})

const scopeOf = (
  space: EmbeddingSpace,
  { namespaceIds, filter, except = [], limit }: Omit<VectorQuery, 'vector'>,
): SearchScope => ({ space, namespaceIds: namespaceIds.filter(isStorable), test: testOf(filter), except, limit })

const openThreads = ({ file, memoryBytes = 256_000_000, statisticsMs = 30_000 }: SqliteVectorIndexOptions) => {
  const owner = 'vector index'
  const reader = new ThreadLink<ReadRequest, ReadNotice>({
    url: new URL('./sqlite/reader.ts', import.meta.url),
    workerData: { file, memoryBytes, statisticsMs },
    owner,
  })
  const writer = new ThreadLink<WriteRequest, never, readonly Change[]>({
    url: new URL('./sqlite/writer.ts', import.meta.url),
    workerData: { file },
    owner,
    onNews: (changes) => reader.notify({ kind: 'changes', changes }),
    onCrash: () => reader.notify({ kind: 'forget' }),
  })
  return { reader, writer }
}

/**
 * One SQLite file with two threads: one writes (group commit, `synchronous=FULL`: resolved writes survive a power
 * failure), the other searches. The file holds unit vectors. For namespaces above a thousand points, the search thread
 * keeps short codes in memory, selects candidates by code, and compares their vectors in the file; below 128
 * dimensions, it keeps the vectors themselves in memory.
 */
export const sqliteVectorIndex = (options: SqliteVectorIndexOptions): VectorIndex => {
  const { reader, writer } = openThreads(options)
  let opened: Promise<unknown> | undefined
  /** The search thread opens the file for reading only: the writer must have created it and its schema. */
  const read = async <T>(request: ReadBody, { owner, signal }: Partial<Requester> = {}): Promise<T> => {
    reader.start()
    opened ??= writer.call({ kind: 'open' })
    try {
      await opened
    } catch (error) {
      opened = undefined
      throw error
    }
    return (await reader.call({ ...request, owner }, { signal })) as T
  }

  return {
    system: 'sqlite',
    ensure: async (space) => {
      await writer.call({ kind: 'ensure', space })
    },
    upsert: async (space, points) => {
      const packed = packPoints(space, points)
      await writer.call({ kind: 'upsert', space, points: packed }, { transfer: [packed.vectors.buffer as ArrayBuffer] })
    },
    search: async (space, { vector, ...query }, requester) => {
      const unit = toUnitQuery(space, vector, query.limit)
      return read({ kind: 'search', vector: unit, ...scopeOf(space, query) }, requester)
    },
    searchWords: async (space, { vector, lexemes, ...query }, requester) => {
      checkLimit(query.limit)
      const unit = vector && toUnitQuery(space, vector, query.limit)
      return read({ kind: 'searchWords', vector: unit, lexemes, ...scopeOf(space, query) }, requester)
    },
    frequencies: async (space, { namespaceIds, lexemes }, requester) =>
      read({ kind: 'frequencies', space, namespaceIds: namespaceIds.filter(isStorable), lexemes }, requester),
    list: async (space, { namespaceIds, filter, after, limit }, requester) => {
      const request = { space, namespaceIds: namespaceIds.filter(isStorable), test: testOf(filter), after, limit }
      return read({ kind: 'list', ...request }, requester)
    },
    missing: async (space, addresses) => read({ kind: 'missing', space, addresses }),
    vectorsOf: async (space, namespaceId, terms) => {
      if (!isStorable(namespaceId)) return terms.map(() => undefined)
      const tokens = filterTokens({ terms, words: [] })
      return read({ kind: 'vectorsOf', space, namespaceId, tokens })
    },
    removeVersions: async (space, targets) => {
      const removed = targets
        .filter(({ namespaceId, itemId, version }) => [namespaceId, itemId, version].every(isStorable))
        .map(({ namespaceId, itemId, version, fromPassage = 0 }) =>
          writer.call({ kind: 'removeVersion', space, namespaceId, itemId, version, fromPassage }),
        )
      return (await Promise.all(removed)).reduce<number>((sum, count) => sum + (count as number), 0)
    },
    removeNamespace: async (space, namespaceId, limit) => {
      if (!isStorable(namespaceId)) return 0
      return (await writer.call({ kind: 'removeNamespace', space, namespaceId, limit })) as number
    },
    count: async (space, namespaceId) => {
      if (!isStorable(namespaceId)) return 0
      // The writer counts, so that the search thread need not run: the readiness check counts before any search.
      return (await writer.call({ kind: 'count', space, namespaceId })) as number
    },
    close: async () => {
      // The last connection to close checkpoints the WAL into the file, and only the writer's may write.
      await reader.close()
      await writer.close()
    },
  }
}
