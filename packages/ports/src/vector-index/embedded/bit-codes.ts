import { hammingOf } from './hamming.ts'

/**
 * Vectors as sign bits against a mean, with two numbers each that turn matching bits into an estimate of the cosine.
 *
 * With mean m and residual r = x - m of a unit vector x, a unit query q and q' = q - m:
 *   x·q = m·q + r·m + r·q'   and   r·q' ≈ scale · (sign(r)·q'),   scale = |r|² / Σ|r_i|
 * `r·m` is kept exactly as `offset`, so only the last term is estimated; its error is about 0.6 · scale · |q'|.
 */
export type BitCodes = {
  readonly dimension: number
  /** 32-bit words per vector, an even number. */
  readonly words: number
  readonly mean: Float32Array
  /** Upper bound of the slots in use; each of them may still be empty. */
  slots: number
  bits: Int32Array
  /** Below zero if the slot has no vector. */
  scale: Float32Array
  offset: Float32Array
}

const emptySlot = -1

/** Bytes of `scale` and `offset` per vector, beside its bits (48 bytes at 384 dimensions). */
const numbersBytes = 8

/** Rounds up to whole 64-bit numbers; bits beyond the dimension are never set. */
const wordsOf = (dimension: number): number => Math.ceil(dimension / 64) * 2

export const codesBytes = (dimension: number, slots: number): number => slots * (wordsOf(dimension) * 4 + numbersBytes)

export const createBitCodes = (mean: Float32Array, slots: number): BitCodes => {
  const words = wordsOf(mean.length)
  return {
    dimension: mean.length,
    words,
    mean,
    slots,
    bits: new Int32Array(slots * words),
    scale: new Float32Array(slots).fill(emptySlot),
    offset: new Float32Array(slots),
  }
}

const grow = (codes: BitCodes, slots: number): void => {
  if (slots > codes.scale.length) {
    const capacity = Math.max(slots, Math.ceil(codes.scale.length * 1.5), 64)
    const { bits, scale, offset } = codes
    codes.bits = new Int32Array(capacity * codes.words)
    codes.bits.set(bits)
    codes.scale = new Float32Array(capacity).fill(emptySlot)
    codes.scale.set(scale)
    codes.offset = new Float32Array(capacity)
    codes.offset.set(offset)
  }
  codes.slots = slots
}

/** Stores the code of `vector`, which has unit length. */
export const setCode = (codes: BitCodes, slot: number, vector: Float32Array): void => {
  if (slot >= codes.slots) grow(codes, slot + 1)
  const { mean, words, dimension } = codes
  let squares = 0
  let sum = 0
  let offset = 0
  for (let word = 0; word < words; word++) {
    const from = word * 32
    const to = Math.min(dimension, from + 32)
    let bits = 0
    for (let i = from; i < to; i++) {
      const m = mean[i]!
      const residual = vector[i]! - m
      squares += residual * residual
      offset += residual * m
      if (residual > 0) {
        bits |= 1 << (i - from)
        sum += residual
      } else sum -= residual
    }
    codes.bits[slot * words + word] = bits
  }
  codes.scale[slot] = sum > 0 ? squares / sum : 0
  codes.offset[slot] = offset
}

export const clearCode = (codes: BitCodes, slot: number): void => {
  if (slot < codes.slots) codes.scale[slot] = emptySlot
}

/** A query, encoded for comparison with codes of one mean. */
export type QueryCode = {
  readonly bits: Int32Array
  /** For each byte of a code, the sum of ±q' over its eight dimensions: 256 entries per byte. */
  readonly sums: Float32Array
  /** m·q, the same for every vector. */
  readonly base: number
  /** |q'|. */
  readonly length: number
}

export const encodeQuery = (codes: BitCodes, query: Float32Array): QueryCode => {
  const { mean, words, dimension } = codes
  const bits = new Int32Array(words)
  const shifted = new Float32Array(words * 32)
  let base = 0
  let squares = 0
  for (let i = 0; i < dimension; i++) {
    const m = mean[i]!
    const difference = query[i]! - m
    base += m * query[i]!
    squares += difference * difference
    shifted[i] = difference
    if (difference > 0) bits[i >> 5] = bits[i >> 5]! | (1 << (i & 31))
  }
  const sums = new Float32Array(words * 4 * 256)
  for (let byte = 0; byte < words * 4; byte++) {
    const at = byte * 256
    let none = 0
    for (let i = 0; i < 8; i++) none -= shifted[byte * 8 + i]!
    sums[at] = none
    // Each pattern is a smaller one plus its highest bit, so one addition fills each entry.
    for (let i = 0; i < 8; i++) {
      const added = 2 * shifted[byte * 8 + i]!
      const half = 1 << i
      for (let pattern = 0; pattern < half; pattern++) sums[at + half + pattern] = sums[at + pattern]! + added
    }
  }
  return { bits, sums, base, length: Math.sqrt(squares) }
}

/** Writes the Hamming distances of the slots `from` to `to`; in ranges, so that a long scan can pause. */
export const scanDistances = (
  codes: BitCodes,
  query: QueryCode,
  from: number,
  to: number,
  distances: Uint16Array,
): void => hammingOf(codes.words).scan(codes.bits, query.bits, from, to, distances)

/** Returns the slots (all, or those in `within`) that hold a vector. */
export const filledSlots = ({ scale }: BitCodes, count: number, within: Uint32Array | undefined): Uint32Array => {
  const slots = new Uint32Array(count)
  let filled = 0
  for (let position = 0; position < count; position++) {
    const slot = within === undefined ? position : within[position]!
    if (scale[slot]! >= 0) slots[filled++] = slot
  }
  return slots.subarray(0, filled)
}

/** Returns the nearest `want` filled slots (of all, or of `within`), including all ties with the last one. */
export const nearestSlots = (
  codes: BitCodes,
  distances: Uint16Array,
  want: number,
  within: Uint32Array | undefined,
): Uint32Array => {
  const { scale } = codes
  const histogram = new Uint32Array(codes.words * 32 + 1)
  const count = within?.length ?? distances.length
  for (let position = 0; position < count; position++) {
    const slot = within === undefined ? position : within[position]!
    if (scale[slot]! >= 0) histogram[distances[slot]!]!++
  }
  let cut = 0
  let total = histogram[0]!
  while (total < want && cut + 1 < histogram.length) total += histogram[++cut]!
  const slots = new Uint32Array(total)
  let taken = 0
  for (let position = 0; position < count; position++) {
    const slot = within === undefined ? position : within[position]!
    if (distances[slot]! <= cut && scale[slot]! >= 0) slots[taken++] = slot
  }
  return slots
}

/**
 * Estimates the cosine of each slot from the query's own numbers instead of its signs: far more precise than the
 * distance.
 */
export const estimateCosines = (codes: BitCodes, query: QueryCode, slots: Uint32Array, into: Float32Array): void => {
  const { words, bits, scale, offset } = codes
  const { sums, base } = query
  for (let position = 0; position < slots.length; position++) {
    const slot = slots[position]!
    let at = slot * words
    let table = 0
    let sum = 0
    for (let word = 0; word < words; word++) {
      const x = bits[at++]!
      sum +=
        sums[table + (x & 255)]! +
        sums[table + 256 + ((x >>> 8) & 255)]! +
        sums[table + 512 + ((x >>> 16) & 255)]! +
        sums[table + 768 + (x >>> 24)]!
      table += 1024
    }
    into[position] = base + offset[slot]! + scale[slot]! * sum
  }
}
