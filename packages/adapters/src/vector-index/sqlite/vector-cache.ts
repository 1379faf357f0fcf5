import { slices } from '@cairn/contracts/flow/slices'
import { buildCached } from './build-cached.ts'
import { type CachedVectors, cachedBytes, setSlot } from './cached-vectors.ts'
import type { Change } from './messages.ts'
import type { Partition, PointReads } from './reads.ts'
import { pointId, slotOf } from './schema.ts'
import type { TimeSlices } from './time-slices.ts'

type Entry = {
  cached: CachedVectors | undefined
  /** Points at the time of the build; `changed` counts points written since. */
  builtCount: number
  changed: number
  building: Promise<CachedVectors> | undefined
  dirty: number[]
}

const idsPerRead = 1_024

/**
 * Growth factors: from 1.5 on, codes are rebuilt in the background, because their mean may have moved; from 4 on,
 * searches wait for the new codes.
 */
const outgrown = 1.5
const unfit = 4

type Options = {
  readonly reads: PointReads
  /** The least recently used are evicted first. Codes are built even if they alone exceed the limit. */
  readonly memoryBytes: number
  /** A build continues for other searches when the first search ends. */
  readonly newSlices: () => TimeSlices
}

/** A partition is built on the first search that needs it, updated with `apply`, and rebuilt as it grows. */
export const createVectorCache = ({ reads, memoryBytes, newSlices }: Options) => {
  /** By partition, in order of last use. */
  const entries = new Map<number, Entry>()

  /** Copies the current content of the slots, so that repeated and late changes are harmless. */
  const refresh = (cached: CachedVectors, partition: number, slots: readonly number[]): void => {
    if (cached.kind === 'file') return
    for (const some of slices(slots, idsPerRead)) {
      const found = new Map(
        reads.vectors(some.map((slot) => pointId(partition, slot))).map(({ id, vector }) => [slotOf(id), vector]),
      )
      for (const slot of some) setSlot(cached, slot, found.get(slot))
    }
  }

  const evict = (used: Entry): void => {
    let total = entries.values().reduce((sum, { cached }) => sum + (cached ? cachedBytes(cached) : 0), 0)
    for (const [id, entry] of entries) {
      if (total <= memoryBytes) return
      if (!entry.cached || entry.building || entry === used) continue
      entries.delete(id)
      total -= cachedBytes(entry.cached)
    }
  }

  const isOutgrown = ({ cached, builtCount, changed }: Entry): boolean =>
    cached?.kind === 'codes' && builtCount + changed >= outgrown * builtCount

  const build = async (entry: Entry, partition: Partition, dimension: number): Promise<CachedVectors> => {
    const changedBefore = entry.changed
    entry.dirty = []
    try {
      const cached = await buildCached(reads, partition, { dimension, memoryBytes, slices: newSlices() })
      refresh(cached, partition.id, entry.dirty)
      entry.cached = cached
      entry.builtCount = partition.points
      entry.changed -= changedBefore
      evict(entry)
      return cached
    } finally {
      entry.building = undefined
      if (!entry.cached && entries.get(partition.id) === entry) entries.delete(partition.id)
    }
  }

  return {
    acquire: (partition: Partition, dimension: number): CachedVectors | Promise<CachedVectors> => {
      const entry = entries.get(partition.id) ?? newEntry()
      entries.delete(partition.id)
      entries.set(partition.id, entry)
      if (entry.cached && !entry.building && !isOutgrown(entry)) return entry.cached
      const isUnfit = entry.builtCount + entry.changed >= unfit * entry.builtCount
      entry.building ??= build(entry, partition, dimension)
      if (!entry.cached || isUnfit) return entry.building
      // If the build fails, the next search tries again.
      entry.building.catch(() => undefined)
      return entry.cached
    },
    apply: ({ partition, slots }: Change): void => {
      const entry = entries.get(partition)
      if (!entry) return
      if (!slots) {
        entries.delete(partition)
        return
      }
      if (entry.building) entry.dirty.push(...slots)
      entry.changed += slots.length
      if (!entry.cached) return
      refresh(entry.cached, partition, slots)
      if (entry.cached.kind === 'vectors' && cachedBytes(entry.cached) > memoryBytes) entries.delete(partition)
    },
    /** Changes may have been missed. */
    forget: (): void => entries.clear(),
  }
}

const newEntry = (): Entry => ({
  cached: undefined,
  builtCount: 0,
  changed: 0,
  building: undefined,
  dirty: [],
})

export type VectorCache = ReturnType<typeof createVectorCache>
