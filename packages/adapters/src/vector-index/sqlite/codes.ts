import { placeOfFourBits, scanFourBits } from './four-bit-scan.ts'
import { queryBits, type ScanRange, scanOneBit } from './one-bit-scan.ts'
import { createRotation, type Rotation } from './rotation.ts'

/**
 * Two short codes per vector, relative to a mean, with the numbers that turn a comparison of codes into an estimated
 * cosine and its error. They are RaBitQ (Gao and Long, SIGMOD 2024, arXiv:2405.12497) and its codes of several bits
 * (arXiv:2409.09913), with one mean instead of the centroids of clusters, Hadamard transforms instead of a random
 * matrix as the rotation, and rounding instead of a search for the nearest 4-bit code.
 *
 * With mean m and residual r = x - m of a unit vector x, a unit query q and q' = q - m:
 *   x·q = m·q + r·m + r·q'
 * `r·m` is kept exactly as `offset`. r·q' is estimated from a code c of r: c·q' · |r|² / (c·r). The remainder is
 * perpendicular to r, and its product with q' is like noise of deviation |remainder| · |q'| / √dimension, because
 * residuals are rotated first. `oneBit` has one bit per number, `fourBit` has 4 and errs a fifth as much.
 */
export type Codes = {
  readonly dimension: number
  readonly mean: Float32Array
  readonly rotate: Rotation
  /** Slots below it may be empty. */
  slots: number
  offset: Float32Array
  oneBit: Code
  fourBit: Code | undefined
}

type Code = {
  /** 32-bit words per vector. */
  readonly words: number
  data: Int32Array
  /** |r|² / (c·r); below zero if the slot has no vector. */
  scale: Float32Array
}

/**
 * Standard deviation of a residual's numbers from its code's, in units of `scale`. The error of an estimate is this
 * factor times `scale` and |q'|.
 */
const oneBitError = 0.6
const fourBitError = 0.29

const emptySlot = -1
/** Subtracted from a value of the 4-bit code to get its number. */
const fourBitZero = 8
const largestFourBits = 7

/** Counts 32-bit words. Codes are padded to a multiple of 64 dimensions, which does not affect results. */
const oneBitWords = (dimension: number): number => Math.ceil(dimension / 64) * 2
const fourBitWords = (dimension: number): number => oneBitWords(dimension) * 4

const codeBytes = (words: number): number => words * 4 + 4

/** Needs 56 bytes per slot at 384 dimensions, 252 with 4-bit codes. */
export const codesBytes = (dimension: number, slots: number, hasFourBit: boolean): number =>
  slots * (4 + codeBytes(oneBitWords(dimension)) + (hasFourBit ? codeBytes(fourBitWords(dimension)) : 0))

const createCode = (words: number, slots: number): Code => ({
  words,
  data: new Int32Array(slots * words),
  scale: new Float32Array(slots).fill(emptySlot),
})

export const createCodes = (mean: Float32Array, slots: number, hasFourBit: boolean): Codes => ({
  dimension: mean.length,
  mean,
  rotate: createRotation(mean.length),
  slots,
  offset: new Float32Array(slots),
  oneBit: createCode(oneBitWords(mean.length), slots),
  fourBit: hasFourBit ? createCode(fourBitWords(mean.length), slots) : undefined,
})

const growCode = (code: Code, slots: number): Code => {
  const grown = createCode(code.words, slots)
  grown.data.set(code.data)
  grown.scale.set(code.scale)
  return grown
}

const grow = (codes: Codes, slots: number): void => {
  if (slots > codes.offset.length) {
    const capacity = Math.max(slots, Math.ceil(codes.offset.length * 1.5), 64)
    const offset = new Float32Array(capacity)
    offset.set(codes.offset)
    codes.offset = offset
    codes.oneBit = growCode(codes.oneBit, capacity)
    codes.fourBit &&= growCode(codes.fourBit, capacity)
  }
  codes.slots = slots
}

const setOneBit = ({ words, data, scale }: Code, slot: number, residual: Float32Array, squares: number): void => {
  let sum = 0
  for (let word = 0; word < words; word++) {
    const from = word * 32
    const to = Math.min(residual.length, from + 32)
    let bits = 0
    for (let i = from; i < to; i++) {
      if (residual[i]! > 0) {
        bits |= 1 << (i - from)
        sum += residual[i]!
      } else sum -= residual[i]!
    }
    data[slot * words + word] = bits
  }
  scale[slot] = sum > 0 ? squares / sum : 0
}

const setFourBits = ({ words, data, scale }: Code, slot: number, residual: Float32Array, squares: number): void => {
  let largest = 0
  for (let i = 0; i < residual.length; i++) largest = Math.max(largest, Math.abs(residual[i]!))
  const factor = largest > 0 ? largestFourBits / largest : 0
  const from = slot * words
  data.fill(0, from, from + words)
  let product = 0
  for (let i = 0; i < residual.length; i++) {
    const number = Math.round(residual[i]! * factor)
    product += number * residual[i]!
    const { byte, shift } = placeOfFourBits(i)
    const index = from + (byte >> 2)
    data[index] = data[index]! | ((number + fourBitZero) << ((byte & 3) * 8 + shift))
  }
  scale[slot] = product > 0 ? squares / product : 0
}

/** `vector` has unit length. */
export const setCodes = (codes: Codes, slot: number, vector: Float32Array): void => {
  if (slot >= codes.slots) grow(codes, slot + 1)
  const { mean, dimension, oneBit, fourBit } = codes
  const residual = new Float32Array(dimension)
  let squares = 0
  let offset = 0
  for (let i = 0; i < dimension; i++) {
    const difference = vector[i]! - mean[i]!
    residual[i] = difference
    squares += difference * difference
    offset += difference * mean[i]!
  }
  codes.offset[slot] = offset
  codes.rotate(residual)
  setOneBit(oneBit, slot, residual, squares)
  if (fourBit) setFourBits(fourBit, slot, residual, squares)
}

export const clearCodes = (codes: Codes, slot: number): void => {
  if (slot < codes.slots) codes.oneBit.scale[slot] = emptySlot
}

/** For comparison with codes of one mean. */
export type QueryCode = {
  /** q' as numbers of `queryBits` bits in units of `step`, for `oneBit`. */
  readonly planes: Int32Array
  readonly step: number
  /** q' as 16-bit numbers in units of `fineStep`, in the order of the 4-bit code. */
  readonly fine: Int16Array
  readonly fineStep: number
  readonly fineSum: number
  /** Σ q'. */
  readonly sum: number
  /** m·q, the same for every vector. */
  readonly base: number
  /** Standard deviation of an estimate's error, per unit of `scale`. */
  readonly oneBitError: number
  readonly fourBitError: number
}

const largestPlaneNumber = 2 ** queryBits - 1
/** Keeps Σ number · query of 4,096 dimensions below 2^31. */
const largestFine = 16_383

export const encodeQuery = (codes: Codes, query: Float32Array): QueryCode => {
  const { mean, dimension } = codes
  const shifted = new Float32Array(dimension)
  let base = 0
  let squares = 0
  for (let i = 0; i < dimension; i++) {
    shifted[i] = query[i]! - mean[i]!
    base += mean[i]! * query[i]!
    squares += shifted[i]! ** 2
  }
  codes.rotate(shifted)
  let largest = 0
  for (const value of shifted) largest = Math.max(largest, Math.abs(value))
  const { words } = codes.oneBit
  const planes = new Int32Array(queryBits * words)
  const fine = new Int16Array(words * 32)
  // Not zero, even for a query that equals the mean.
  const step = Math.max((2 * largest) / largestPlaneNumber, Number.MIN_VALUE)
  const fineStep = Math.max(largest / largestFine, Number.MIN_VALUE)
  let sum = 0
  let fineSum = 0
  let lost = 0
  for (let i = 0; i < dimension; i++) {
    const value = shifted[i]!
    const number = Math.min(largestPlaneNumber, Math.max(0, Math.round(value / step + largestPlaneNumber / 2)))
    for (let plane = 0; plane < queryBits; plane++) {
      const index = plane * words + (i >> 5)
      if ((number >> plane) & 1) planes[index] = planes[index]! | (1 << (i & 31))
    }
    const fineNumber = Math.round(value / fineStep)
    fine[i] = fineNumber
    fineSum += fineNumber
    sum += value
    lost += (value - (number - largestPlaneNumber / 2) * step) ** 2
  }
  return {
    ...{ planes, step, fine, fineStep, fineSum, sum, base },
    oneBitError: Math.sqrt(oneBitError ** 2 * squares + lost),
    fourBitError: fourBitError * Math.sqrt(squares),
  }
}

/** Writes -Infinity for empty slots. */
export const estimateByOneBit = (codes: Codes, query: QueryCode, range: ScanRange, into: Float32Array): void => {
  const { words, data } = codes.oneBit
  scanOneBit(data, query.planes, { ...range, words }, (results, index) =>
    toEstimates(codes, query, range.slots?.subarray(index), results, index, into),
  )
}

/** A separate function, because the loop takes longer in a closure. */
const toEstimates = (
  { oneBit: { scale }, offset }: Codes,
  { step, sum, base }: QueryCode,
  slots: Uint32Array | undefined,
  results: Int32Array,
  index: number,
  into: Float32Array,
): void => {
  for (let i = 0; i < results.length; i++) {
    const slot = slots === undefined ? index + i : slots[i]!
    const factor = scale[slot]!
    into[slot] = factor < 0 ? Number.NEGATIVE_INFINITY : base + offset[slot]! + factor * (step * results[i]! - sum)
  }
}

/** None of the slots may be empty. */
export const estimateByFourBits = (
  { fourBit, offset }: Codes,
  { fine, fineStep, fineSum, base }: QueryCode,
  slots: Uint32Array,
  into: Float32Array,
): void => {
  if (!fourBit) throw new Error('These codes have no fourBit')
  const { words, data, scale } = fourBit
  const results = new Int32Array(slots.length)
  scanFourBits(data, fine, { words, slots }, results)
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i]!
    into[i] = base + offset[slot]! + scale[slot]! * fineStep * (results[i]! - fourBitZero * fineSum)
  }
}
