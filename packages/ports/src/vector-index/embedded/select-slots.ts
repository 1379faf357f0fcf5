import type { FieldFilter } from '@cairn/contracts/metadata-filter'
import { rangeOfKey, rangeOfValues, tokenOfValue } from '../sqlite/field-tokens.ts'
import type { PointReads } from '../sqlite/reads.ts'

/** What a filter requires of a point: all of these tokens, and fields that pass. */
export type PointTest = { readonly tokens: readonly string[]; readonly fields: FieldFilter | undefined }

export const isEverything = ({ tokens, fields }: PointTest): boolean => tokens.length === 0 && fields === undefined

const intersect = (slots: Uint32Array, others: Uint32Array): Uint32Array => {
  const both = new Set(others)
  return slots.filter((slot) => both.has(slot))
}

const union = (all: readonly Uint32Array[]): Uint32Array => {
  const [only = new Uint32Array(), ...more] = all
  return more.length === 0 ? only : Uint32Array.from(new Set(all.flatMap((slots) => [...slots])))
}

const isNegation = (filter: FieldFilter): boolean => 'not' in filter

/** Creates the selection of the points of a partition that pass a filter. */
export const createSlotSelection = (reads: PointReads) => {
  /** `within`: the points that passed so far; absent: all. */
  const select = (partition: number, filter: FieldFilter, within: Uint32Array | undefined): Uint32Array => {
    if ('and' in filter) {
      // Negations last: they only read the points that are left.
      const ordered = [...filter.and].sort((a, b) => Number(isNegation(a)) - Number(isNegation(b)))
      const slots = ordered.reduce<Uint32Array | undefined>((left, one) => select(partition, one, left), within)
      return slots ?? reads.allSlots(partition)
    }
    if ('or' in filter) return union(filter.or.map((one) => select(partition, one, within)))
    if ('not' in filter) {
      const left = within ?? reads.allSlots(partition)
      const without = new Set(select(partition, filter.not, left))
      return left.filter((slot) => !without.has(slot))
    }
    const found = slotsOf(partition, filter)
    return within ? intersect(within, found) : found
  }

  const slotsOf = (partition: number, filter: Extract<FieldFilter, { readonly key: string }>): Uint32Array => {
    const { key } = filter
    if ('is' in filter) return reads.matching(partition, [tokenOfValue(key, filter.is)])
    const range = 'exists' in filter ? rangeOfKey(key) : rangeOfValues(key, filter.with, filter.compare, filter.bound)
    return reads.between(partition, range)
  }

  /** Returns the slots of the points of a partition that pass, in no order; undefined: all. */
  return (partition: number, { tokens, fields }: PointTest): Uint32Array | undefined => {
    const matching = tokens.length > 0 ? reads.matching(partition, tokens) : undefined
    if (!fields) return matching
    return reads.keep(`${partition} ${tokens.join(' ')} ${JSON.stringify(fields)}`, () => {
      const slots = select(partition, fields, matching)
      return { points: slots.length, slots }
    }).slots
  }
}
