import { slices } from '@cairn/contracts/flow/slices'
import { buildResident } from './build-resident.ts'
import type { Change } from './messages.ts'
import type { Partition, PointReads } from './reads.ts'
import { type Resident, residentBytes, setSlot } from './resident.ts'
import { pointId, slotOf } from './schema.ts'
import type { TimeSlices } from './time-slices.ts'

type Entry = {
  resident: Resident | undefined
  /** Number of points at the time of the build; `changed` counts points written since. */
  builtCount: number
  changed: number
  building: Promise<Resident> | undefined
  /** Slots written during the build. */
  dirty: number[]
}

const idsPerRead = 1_024

/**
 * Growth factors. From 1.5 on, codes are rebuilt in the background, because their mean may have moved. From 4 on,
 * searches wait for the new codes.
 */
const outgrown = 1.5
const unfit = 4

type Options = {
  readonly reads: PointReads
  /**
   * Memory limit of all residents; the least recently used are evicted first. Codes are built even if they alone exceed
   * the limit.
   */
  readonly memoryBytes: number
  /** Creates the slices of a build, which continues for other searches when the first search ends. */
  readonly newSlices: () => TimeSlices
}

/**
 * Creates a cache of partitions in memory. A partition is built on the first search that needs it, updated with
 * `apply`, and rebuilt as it grows.
 */
export const createResidents = ({ reads, memoryBytes, newSlices }: Options) => {
  /** Entries by partition, in order of last use. */
  const entries = new Map<number, Entry>()

  /** Copies the current content of the slots, so that repeated and late changes are harmless. */
  const refresh = (resident: Resident, partition: number, slots: readonly number[]): void => {
    if (resident.kind === 'file') return
    for (const some of slices(slots, idsPerRead)) {
      const found = new Map(
        reads.vectors(some.map((slot) => pointId(partition, slot))).map(({ id, vector }) => [slotOf(id), vector]),
      )
      for (const slot of some) setSlot(resident, slot, found.get(slot))
    }
  }

  const evict = (used: Entry): void => {
    let total = entries.values().reduce((sum, { resident }) => sum + (resident ? residentBytes(resident) : 0), 0)
    for (const [id, entry] of entries) {
      if (total <= memoryBytes) return
      if (!entry.resident || entry.building || entry === used) continue
      entries.delete(id)
      total -= residentBytes(entry.resident)
    }
  }

  const isOutgrown = ({ resident, builtCount, changed }: Entry): boolean =>
    resident?.kind === 'codes' && builtCount + changed >= outgrown * builtCount

  const build = async (entry: Entry, partition: Partition, dimension: number): Promise<Resident> => {
    const changedBefore = entry.changed
    entry.dirty = []
    try {
      const resident = await buildResident(reads, partition, { dimension, memoryBytes, slices: newSlices() })
      refresh(resident, partition.id, entry.dirty)
      entry.resident = resident
      entry.builtCount = partition.points
      entry.changed -= changedBefore
      evict(entry)
      return resident
    } finally {
      entry.building = undefined
      if (!entry.resident && entries.get(partition.id) === entry) entries.delete(partition.id)
    }
  }

  return {
    acquire: (partition: Partition, dimension: number): Resident | Promise<Resident> => {
      const entry = entries.get(partition.id) ?? newEntry()
      entries.delete(partition.id)
      entries.set(partition.id, entry)
      if (entry.resident && !entry.building && !isOutgrown(entry)) return entry.resident
      const isUnfit = entry.builtCount + entry.changed >= unfit * entry.builtCount
      entry.building ??= build(entry, partition, dimension)
      if (!entry.resident || isUnfit) return entry.building
      // If the build fails, the next search tries again.
      entry.building.catch(() => undefined)
      return entry.resident
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
      if (!entry.resident) return
      refresh(entry.resident, partition, slots)
      if (entry.resident.kind === 'vectors' && residentBytes(entry.resident) > memoryBytes) entries.delete(partition)
    },

    /** Discards all partitions, because changes may have been missed. */
    forget: (): void => entries.clear(),
  }
}

const newEntry = (): Entry => ({
  resident: undefined,
  builtCount: 0,
  changed: 0,
  building: undefined,
  dirty: [],
})

export type Residents = ReturnType<typeof createResidents>
