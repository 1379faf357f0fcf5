import { isStorable, toUnitQuery, toUnits } from './check-input.ts'
import type { Point, PointAddress, PointFilter, Space, VectorHit, VectorIndex } from './port.ts'
import { filterTokens } from './sqlite/filter-tokens.ts'
import type { Change, Judgement, PackedPoints, ReadNotice, ReadRequest, WriteRequest } from './sqlite/messages.ts'
import { createWorkerLink } from './sqlite/worker-link.ts'

export type SqliteVectorIndexOptions = {
  /** Made where it is missing, with its folder. One process at a time: the data directory's lock sees to that. */
  readonly file: string
  /** For what large namespaces keep in memory to be searched: about 56 bytes a point at 384 dimensions. Default 128 MB. */
  readonly memoryBytes?: number
}

const pack = (space: Space, points: readonly Point[]): PackedPoints => ({
  vectors: toUnits(space, points),
  namespaceIds: points.map(({ namespaceId }) => namespaceId),
  itemIds: points.map(({ itemId }) => itemId),
  versions: points.map(({ version }) => version),
  passages: points.map(({ passage }) => passage),
  tokens: points.map((point) => filterTokens(point).join(' ')),
})

const tokensOf = (filter: PointFilter | undefined): string[] => (filter ? [...new Set(filterTokens(filter))] : [])

/**
 * One SQLite file and two threads: one writes (group commit, `synchronous=FULL`: a write that resolved survives a power cut),
 * one searches. The file holds unit vectors; of namespaces above a thousand points the searching thread keeps sign bits in memory,
 * picks by them and compares what it picked with the vectors in the file.
 */
export const sqliteVectorIndex = ({ file, memoryBytes = 128_000_000 }: SqliteVectorIndexOptions): VectorIndex => {
  const reader = createWorkerLink<ReadRequest, ReadNotice, Judgement>({
    url: new URL('./sqlite/reader.ts', import.meta.url),
    workerData: { file, memoryBytes },
    // Only spares a later check: nothing is lost where it can't be written.
    onNews: (judgement) => void writer.call({ kind: 'judge', judgement }).catch(() => undefined),
  })
  const writer = createWorkerLink<WriteRequest, never, readonly Change[]>({
    url: new URL('./sqlite/writer.ts', import.meta.url),
    workerData: { file },
    onNews: (changes) => reader.notify({ kind: 'changes', changes }),
    onCrash: () => reader.notify({ kind: 'forget' }),
  })

  let opened: Promise<unknown> | undefined
  /** The writer makes the file, and refuses one of another schema, before the reader sees it. */
  const read = async (request: ReadRequest): Promise<unknown> => {
    reader.start()
    opened ??= writer.call({ kind: 'open' })
    try {
      await opened
    } catch (error) {
      opened = undefined
      throw error
    }
    return reader.call(request)
  }

  const close = async (): Promise<void> => {
    // The last connection to close moves the log into the file, and only the writer's may write.
    await reader.close()
    await writer.close()
  }

  return {
    ensure: async (space) => {
      await writer.call({ kind: 'ensure', space })
    },
    upsert: async (space, points) => {
      const packed = pack(space, points)
      await writer.call({ kind: 'upsert', space, points: packed }, [packed.vectors.buffer as ArrayBuffer])
    },
    search: async (space, { namespaceIds, vector, filter, limit }) => {
      const unit = toUnitQuery(space, vector, limit)
      const request = { space, namespaceIds: namespaceIds.filter(isStorable), vector: unit, tokens: tokensOf(filter), limit }
      return (await read({ kind: 'search', ...request })) as VectorHit[]
    },
    list: async (space, { namespaceIds, filter, after, limit }) => {
      const request = { space, namespaceIds: namespaceIds.filter(isStorable), tokens: tokensOf(filter), after, limit }
      return (await read({ kind: 'list', ...request })) as PointAddress[]
    },
    missing: async (space, addresses) => (await read({ kind: 'missing', space, addresses })) as PointAddress[],
    removeVersion: async (space, { namespaceId, itemId, version, fromPassage = 0 }) => {
      if (![namespaceId, itemId, version].every(isStorable)) return 0
      return (await writer.call({ kind: 'removeVersion', space, namespaceId, itemId, version, fromPassage })) as number
    },
    removeNamespace: async (space, namespaceId, limit) => {
      if (!isStorable(namespaceId)) return 0
      return (await writer.call({ kind: 'removeNamespace', space, namespaceId, limit })) as number
    },
    count: async (space, namespaceId) => {
      if (!isStorable(namespaceId)) return 0
      // Asked of the writer, so that the thread that searches need not run for it: readiness is asked before any search.
      return (await writer.call({ kind: 'count', space, namespaceId })) as number
    },
    close,
  }
}
