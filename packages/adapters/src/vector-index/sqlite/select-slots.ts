import { createHash } from 'node:crypto'
import { filterReadsTooMuch } from '@cairn/contracts/api/failures'
import type { FieldFilter } from '@cairn/contracts/documents/metadata-filter'
import { rangeOfKey, rangeOfValues, tokenOfValue } from './field-tokens.ts'
import type { Partition, PointReads } from './reads.ts'
import { addSet, addSlots, createSlotSet, isEmptySet, type SlotSet, slotsOfSet } from './slot-set.ts'
import type { TimeSlices } from './time-slices.ts'

/** A point must have all `tokens`, and its fields must pass. */
export type PointTest = { readonly tokens: readonly string[]; readonly fields: FieldFilter | undefined }

/**
 * Limits the matches of all conditions of a filter, in all namespaces of a request: 20 million (a few seconds of
 * reading), plus four per point, so that a filter of few conditions is accepted for namespaces of any size.
 */
const freeMatches = 20_000_000
const matchesPerPoint = 4

const isNegation = (filter: FieldFilter): boolean => 'not' in filter

/** Slots that pass the request's filter, ascending; undefined without one. */
export type SlotSelection = (partition: Partition) => Promise<Uint32Array | undefined>

/** Pauses between the conditions of the filter. AppError `tooBroad` if they have too many matches in total. */
export const createSlotSelection =
  (reads: PointReads) =>
  ({ tokens, fields }: PointTest, slices: TimeSlices): SlotSelection => {
    let matched = 0
    let allowed = freeMatches
    const count = (slots: Uint32Array): Uint32Array => {
      matched += slots.length
      if (matched > allowed) throw filterReadsTooMuch(allowed)
      return slots
    }
    const slotsOf = (partition: number, filter: Extract<FieldFilter, { readonly key: string }>): Uint32Array => {
      const { key } = filter
      if ('is' in filter) return reads.matching(partition, [tokenOfValue(key, filter.is)])
      const range = 'exists' in filter ? rangeOfKey(key) : rangeOfValues(key, filter.with, filter.compare, filter.bound)
      return reads.between(partition, range)
    }

    const everything = ({ id, slots }: Partition): SlotSet => {
      const all = createSlotSet(slots)
      addSlots(all, reads.allSlots(id), undefined)
      return all
    }

    /** Adds the points that pass to `into`. `within`: the points to consider; undefined: all. */
    const collect = async (
      partition: Partition,
      filter: FieldFilter,
      within: SlotSet | undefined,
      into: SlotSet,
    ): Promise<void> => {
      if (slices.isOver()) await slices.next()
      if ('and' in filter) {
        let left = within
        // Negations come last, because they read only the remaining points.
        for (const one of [...filter.and].sort((a, b) => Number(isNegation(a)) - Number(isNegation(b)))) {
          const next = createSlotSet(partition.slots)
          await collect(partition, one, left, next)
          left = next
          if (isEmptySet(left)) return
        }
        addSet(into, left ?? everything(partition))
      } else if ('or' in filter) {
        for (const one of filter.or) await collect(partition, one, within, into)
      } else if ('not' in filter) {
        // All points are read before the excluded ones, so that a point written in between does not pass.
        const all = within ?? everything(partition)
        const without = createSlotSet(partition.slots)
        await collect(partition, filter.not, all, without)
        addSet(into, all, without)
      } else addSlots(into, count(slotsOf(partition.id, filter)), within)
    }

    const byFields = async (partition: Partition, filter: FieldFilter): Promise<Uint32Array> => {
      const into = createSlotSet(partition.slots)
      let within: SlotSet | undefined
      if (tokens.length > 0) {
        within = createSlotSet(partition.slots)
        addSlots(within, reads.matching(partition.id, tokens), undefined)
      }
      await collect(partition, filter, within, into)
      return slotsOfSet(into)
    }

    // A filter may have megabytes.
    const digest =
      fields &&
      createHash('sha256')
        .update(JSON.stringify([tokens, fields]))
        .digest('base64')

    return async (partition) => {
      if (slices.isOver()) await slices.next()
      if (!fields) return tokens.length > 0 ? reads.matching(partition.id, tokens) : undefined
      allowed += matchesPerPoint * partition.points
      const key = `${partition.id} ${digest}`
      const known = reads.cache.get<Uint32Array>(key)
      if (known) return known
      const foundAt = reads.cache.version()
      const slots = await byFields(partition, fields)
      reads.cache.set(key, slots, slots.byteLength, foundAt)
      return slots
    }
  }
