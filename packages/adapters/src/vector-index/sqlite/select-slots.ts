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

type Condition = Extract<FieldFilter, { readonly key: string }>

const slotsWith = (reads: PointReads, partition: number, filter: Condition): Uint32Array => {
  const { key } = filter
  if ('is' in filter) return reads.matching(partition, [tokenOfValue(key, filter.is)])
  const range = 'exists' in filter ? rangeOfKey(key) : rangeOfValues(key, filter.with, filter.compare, filter.bound)
  return reads.between(partition, range)
}

/** Slots that pass a request's filter. Pauses between its conditions. */
export class SlotSelection {
  readonly #reads: PointReads
  readonly #test: PointTest
  readonly #slices: TimeSlices
  /** A filter may have megabytes. */
  readonly #digest: string
  #matched = 0
  #allowed = freeMatches

  constructor(reads: PointReads, test: PointTest, slices: TimeSlices) {
    this.#reads = reads
    this.#test = test
    this.#slices = slices
    const { tokens, fields } = test
    this.#digest = fields
      ? createHash('sha256')
          .update(JSON.stringify([tokens, fields]))
          .digest('base64')
      : ''
  }

  /** Ascending; undefined without a filter. AppError `tooBroad` if its conditions have too many matches in total. */
  async of(partition: Partition): Promise<Uint32Array | undefined> {
    const { tokens, fields } = this.#test
    if (this.#slices.isOver()) await this.#slices.next()
    if (!fields) return tokens.length > 0 ? this.#reads.matching(partition.id, tokens) : undefined
    this.#allowed += matchesPerPoint * partition.points
    const { cache } = this.#reads
    const key = `${partition.id} ${this.#digest}`
    const known = cache.get<Uint32Array>(key)
    if (known) return known
    const foundAt = cache.version()
    const slots = await this.#byFields(partition, fields)
    cache.set(key, slots, slots.byteLength, foundAt)
    return slots
  }

  async #byFields(partition: Partition, filter: FieldFilter): Promise<Uint32Array> {
    const into = createSlotSet(partition.slots)
    const { tokens } = this.#test
    const within = tokens.length > 0 ? createSlotSet(partition.slots) : undefined
    if (within) addSlots(within, this.#reads.matching(partition.id, tokens), undefined)
    await this.#collect(partition, filter, within, into)
    return slotsOfSet(into)
  }

  /** Adds the points that pass to `into`. `within`: the points to consider; undefined: all. */
  async #collect(partition: Partition, filter: FieldFilter, within: SlotSet | undefined, into: SlotSet): Promise<void> {
    if (this.#slices.isOver()) await this.#slices.next()
    if ('and' in filter) {
      let left = within
      // Negations come last, because they read only the remaining points.
      for (const one of [...filter.and].sort((a, b) => Number(isNegation(a)) - Number(isNegation(b)))) {
        const next = createSlotSet(partition.slots)
        await this.#collect(partition, one, left, next)
        left = next
        if (isEmptySet(left)) return
      }
      addSet(into, left ?? this.#everything(partition))
    } else if ('or' in filter) {
      for (const one of filter.or) await this.#collect(partition, one, within, into)
    } else if ('not' in filter) {
      // All points are read before the excluded ones, so that a point written in between does not pass.
      const all = within ?? this.#everything(partition)
      const without = createSlotSet(partition.slots)
      await this.#collect(partition, filter.not, all, without)
      addSet(into, all, without)
    } else addSlots(into, this.#matches(partition.id, filter), within)
  }

  #everything({ id, slots }: Partition): SlotSet {
    const all = createSlotSet(slots)
    addSlots(all, this.#reads.allSlots(id), undefined)
    return all
  }

  #matches(partition: number, filter: Condition): Uint32Array {
    const slots = slotsWith(this.#reads, partition, filter)
    this.#matched += slots.length
    if (this.#matched > this.#allowed) throw filterReadsTooMuch(this.#allowed)
    return slots
  }
}
