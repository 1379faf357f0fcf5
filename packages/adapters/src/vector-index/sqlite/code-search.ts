import { dot } from '../vector-math.ts'
import { bestPositions, cutOf, scoreAt } from './best-scores.ts'
import { type Codes, encodeQuery, estimateByFourBits, estimateByOneBit, type QueryCode } from './codes.ts'
import type { StoredVector } from './reads.ts'
import { pointId } from './schema.ts'
import type { TimeSlices } from './time-slices.ts'
import type { TopScores } from './top-scores.ts'

/** The exact cosine may exceed the estimate by `slacks`. */
export type Shortlist = { readonly ids: Float64Array; readonly estimates: Float32Array; readonly slacks: Float32Array }

/** Vectors to read; with 4-bit codes, most queries need less than 50. */
const maxReads = (candidates: number, limit: number): number => Math.max(1_000, Math.ceil(candidates / 25), 12 * limit)

/** Standard deviations per margin; with 2.5, one in 160 of the points at the limit is missed. */
const deviations = 2.5

/** Codes compared without a pause; at 384 dimensions this takes 2 ms. */
const oneBitAtOnce = 131_072
const fourBitAtOnce = 32_768

type Scope = {
  readonly codes: Codes
  readonly code: QueryCode
  readonly within: Uint32Array | undefined
  readonly without: ReadonlySet<number>
  readonly slices: TimeSlices
}

type Candidates = {
  readonly slots: Uint32Array
  readonly estimates: Float32Array
  /** The standard deviation of an estimate is `error` times the `scale` of its slot. */
  readonly scale: Float32Array
  readonly error: number
}

/** Estimates by slot. If `within` has few slots, compares only these. */
const byOneBit = async ({ codes, code, within, without, slices }: Scope): Promise<Float32Array> => {
  const estimates = new Float32Array(codes.slots)
  const isFew = within !== undefined && within.length * 4 <= codes.slots
  // A slot may have been added since the filter was applied; the next search sees it.
  const slots = isFew ? within.filter((slot) => slot < estimates.length) : undefined
  if (slots) estimates.fill(Number.NEGATIVE_INFINITY)
  const count = slots?.length ?? estimates.length
  for (let from = 0; from < count; from += oneBitAtOnce) {
    estimateByOneBit(codes, code, { slots, from, to: Math.min(count, from + oneBitAtOnce) }, estimates)
    if (slices.isOver()) await slices.next()
  }
  for (const slot of without) if (slot < estimates.length) estimates[slot] = Number.NEGATIVE_INFINITY
  return estimates
}

const byFourBits = async ({ codes, code, slices }: Scope, slots: Uint32Array): Promise<Float32Array> => {
  const estimates = new Float32Array(slots.length)
  for (let from = 0; from < slots.length; from += fourBitAtOnce) {
    const to = Math.min(slots.length, from + fourBitAtOnce)
    estimateByFourBits(codes, code, slots.subarray(from, to), estimates.subarray(from, to))
    if (slices.isOver()) await slices.next()
  }
  return estimates
}

/** Returns slots with an estimate from `from`, once raised by `margin` times its scale, and below `below`. */
const slotsFrom = (
  { within }: Scope,
  { estimates, scale }: { readonly estimates: Float32Array; readonly scale: Float32Array },
  { from, below, margin }: { readonly from: number; readonly below: number; readonly margin: number },
): Uint32Array => {
  const count = within?.length ?? estimates.length
  const slots = new Uint32Array(count)
  let taken = 0
  for (let position = 0; position < count; position++) {
    const slot = within === undefined ? position : within[position]!
    const estimate = estimates[slot]!
    if (estimate < below && estimate + margin * scale[slot]! >= from) slots[taken++] = slot
  }
  return slots.slice(0, taken)
}

const joined = <A extends Uint32Array | Float32Array>(first: A, second: A, into: A): A => {
  into.set(first)
  into.set(second, first.length)
  return into
}

/** Slots that may be among the best, by 1-bit codes first, then by 4-bit codes. */
const candidatesOf = async (scope: Scope, limit: number): Promise<Candidates> => {
  const { codes, code, within } = scope
  const { oneBit, fourBit } = codes
  const estimates = await byOneBit(scope)
  const coarse = { estimates, scale: oneBit.scale }
  const best = (count: number) => {
    const cut = cutOf(estimates, within, count)
    return { cut, slots: slotsFrom(scope, coarse, { from: cut, below: Number.POSITIVE_INFINITY, margin: 0 }) }
  }
  if (!fourBit) {
    const { slots } = best(maxReads(within?.length ?? codes.slots, limit))
    const own = new Float32Array(slots.length)
    for (let i = 0; i < slots.length; i++) own[i] = estimates[slots[i]!]!
    return { slots, estimates: own, scale: oneBit.scale, error: code.oneBitError }
  }
  const first = best(Math.max(8 * limit, 256))
  const firstEstimates = await byFourBits(scope, first.slots)
  const from = Math.max(-Number.MAX_VALUE, scoreAt(firstEstimates, limit))
  const others = slotsFrom(scope, coarse, { from, below: first.cut, margin: deviations * code.oneBitError })
  const otherEstimates = await byFourBits(scope, others)
  const count = first.slots.length + others.length
  return {
    slots: joined(first.slots, others, new Uint32Array(count)),
    estimates: joined(firstEstimates, otherEstimates, new Float32Array(count)),
    scale: fourBit.scale,
    error: code.fourBitError,
  }
}

export const shortlist = async (
  codes: Codes,
  query: Float32Array,
  options: {
    readonly partition: number
    readonly limit: number
    readonly within: Uint32Array | undefined
    /** Disjoint from `within`. */
    readonly without: ReadonlySet<number>
    readonly slices: TimeSlices
  },
): Promise<Shortlist> => {
  const { within, without, slices } = options
  const scope = { codes, code: encodeQuery(codes, query), within, without, slices }
  const { slots, estimates, scale, error } = await candidatesOf(scope, options.limit)
  const ids = new Float64Array(slots.length)
  const slacks = new Float32Array(slots.length)
  // A loop is faster than `from` with a function.
  for (let i = 0; i < slots.length; i++) {
    ids[i] = pointId(options.partition, slots[i]!)
    slacks[i] = deviations * error * scale[slots[i]!]!
  }
  return { ids, estimates, slacks }
}

const join = (lists: readonly Shortlist[]): Shortlist => {
  const [only] = lists
  if (only && lists.length === 1) return only
  const length = lists.reduce((sum, { ids }) => sum + ids.length, 0)
  const all = { ids: new Float64Array(length), estimates: new Float32Array(length), slacks: new Float32Array(length) }
  let index = 0
  for (const { ids, estimates, slacks } of lists) {
    all.ids.set(ids, index)
    all.estimates.set(estimates, index)
    all.slacks.set(slacks, index)
    index += ids.length
  }
  return all
}

/** Vectors to read, after the first batch, before checking whether more are needed. */
const readsAtOnce = 64

/**
 * Adds exact cosines to `scores` in order of estimates. Stops when the remaining points are unlikely to reach the
 * `limit`-th best, or at the maximum number of reads.
 */
export const rescore = async (
  lists: readonly Shortlist[],
  query: Float32Array,
  options: {
    readonly limit: number
    /** Points from which the lists were selected. */
    readonly candidates: number
    readonly scores: TopScores
    readonly slices: TimeSlices
    readonly readVectors: (ids: readonly number[]) => readonly StoredVector[]
  },
): Promise<void> => {
  const { limit, scores, slices } = options
  const { ids, estimates, slacks } = join(lists)
  const max = Math.min(ids.length, maxReads(options.candidates, limit))
  const isRead = new Uint8Array(ids.length)
  let read = 0
  let batchSize = Math.max(16, 2 * limit)
  // Ranking for the usual number of reads is much cheaper than for the maximum.
  for (const ranked of [Math.min(max, Math.max(256, 4 * limit)), max]) {
    if (read >= ranked) continue
    const order = bestPositions(estimates, ranked)
    for (let from = 0; from < order.length; ) {
      const batch: number[] = []
      const floor = scores.scoreAt(limit)
      for (; from < order.length && batch.length < batchSize; from++) {
        const position = order[from]!
        if (isRead[position]) continue
        if (estimates[position]! + slacks[position]! < floor) return addScores(batch)
        isRead[position] = 1
        batch.push(ids[position]!)
      }
      addScores(batch)
      read += batch.length
      batchSize = readsAtOnce
      if (slices.isOver()) await slices.next()
    }
  }

  function addScores(batch: readonly number[]): void {
    for (const { id, vector } of options.readVectors(batch)) scores.add(id, dot(query, vector))
  }
}
