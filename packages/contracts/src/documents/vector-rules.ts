import { AppError } from '../errors.ts'
import { normaliseId } from '../ids.ts'
import { exactJson } from '../json/exact-json.ts'
import { limits } from '../limits.ts'
import { codePointLength } from '../text/text.ts'
import { mergeMetadata, storeFault, type UserObject } from './metadata.ts'

export const vectorErrors = [
  'Dimension mismatch',
  'Invalid vector',
  'Zero vector',
  'Invalid text',
  'Text content too long',
  'Metadata too large',
  'Invalid metadata',
  'Duplicate vector id',
  'Quota exceeded',
] as const
type VectorError = (typeof vectorErrors)[number]

/** UTF-8 bytes of compact JSON: published clients keep whole text nodes here, and a response has up to 100 hits. */
export const vectorMetadataBytes = 40_960

export type CheckedVector = {
  readonly id: string
  readonly vector: Float32Array
  /** Empty if none was sent. */
  readonly text: string
  /** Has no prototype. */
  readonly metadata: UserObject
  /** Compact. */
  readonly metadataJson: string
}
export type VectorFailure = {
  readonly id: string
  readonly error: VectorError
  readonly message: string
  readonly expected_dimension: number
  readonly provided_dimension: number
}
type Fault = { readonly error: VectorError; readonly message: string }
type NumbersCheck = { readonly ok: true; readonly vector: Float32Array } | { readonly ok: false; readonly fault: Fault }
type VectorCheck =
  | { readonly ok: true; readonly vector: CheckedVector }
  | { readonly ok: false; readonly failure: VectorFailure }

export const float32Max = 3.4028234663852886e38

const reservedKeys = ['id', 'vector', 'text']
const bad = (error: VectorError, message: string): NumbersCheck => ({ ok: false, fault: { error, message } })

/** Each must fit a 32-bit float, and not all may be zero: the cosine would be undefined. Any length from 1. */
export const checkNumbers = (sent: unknown): NumbersCheck => {
  // Within the process, models return typed arrays.
  const numbers: unknown = sent instanceof Float32Array || sent instanceof Float64Array ? Array.from(sent) : sent
  if (!Array.isArray(numbers) || numbers.length === 0)
    return bad('Invalid vector', 'vector must be a non-empty array of numbers')
  const vector = new Float32Array(numbers.length)
  let zero = true
  // By index: an iterator would create an object for each of millions of numbers.
  for (let index = 0; index < numbers.length; index += 1) {
    const value: unknown = numbers[index]
    if (typeof value !== 'number') return bad('Invalid vector', `vector[${index}] must be a number`)
    // Before rounding: a number slightly above the greatest float would be rounded down to it.
    if (!(Math.abs(value) <= float32Max))
      return bad('Invalid vector', `vector[${index}] must be within the range of a 32-bit float`)
    vector[index] = value
    if (vector[index] !== 0) zero = false
  }
  return zero ? bad('Zero vector', 'vector must not be all zeros (as 32-bit floats)') : { ok: true, vector }
}

const textFault = (text: unknown): Fault | undefined => {
  if (text === undefined || text === null) return undefined
  if (typeof text !== 'string') return { error: 'Invalid text', message: 'text must be a string' }
  const length = codePointLength(text)
  if (length > limits.maxTextLength)
    return {
      error: 'Text content too long',
      message: `text must have at most ${limits.maxTextLength} characters, it has ${length}`,
    }
  if (!text.isWellFormed() || text.includes('\0'))
    return { error: 'Invalid text', message: 'text must be well-formed Unicode without the character U+0000' }
  return undefined
}

/** Throws AppError `invalid` for an invalid id, a fault of the envelope. */
export const checkVector = (source: UserObject, dimension: number): VectorCheck => {
  const checked = normaliseId(source['id'])
  if (!checked.ok) throw new AppError('invalid', `id ${checked.requirement}`)
  const { id } = checked
  const sent = source['vector']
  const provided = Array.isArray(sent) ? sent.length : 0
  const failure = (fault: Fault): VectorCheck => ({
    ok: false,
    failure: { id, ...fault, expected_dimension: dimension, provided_dimension: provided },
  })
  if (Array.isArray(sent) && provided !== dimension)
    return failure({
      error: 'Dimension mismatch',
      message: `vector must have ${dimension} dimensions, it has ${provided}`,
    })
  const numbers = checkNumbers(sent)
  if (!numbers.ok) return failure(numbers.fault)
  const metadata = mergeMetadata(source, reservedKeys)
  const metadataJson = exactJson(metadata)
  const fault = textFault(source['text']) ?? storeFault(metadata, metadataJson, vectorMetadataBytes)
  if (fault) return failure(fault)
  const text = (source['text'] as string | null | undefined) ?? ''
  return { ok: true, vector: { id, vector: numbers.vector, text, metadata, metadataJson } }
}

/**
 * Checks in order. All but the first of several vectors with one id fail, even if the first fails too. `failedAt`:
 * indexes, in the request, of `failed`.
 */
export const checkVectors = (
  sources: readonly UserObject[],
  dimension: number,
): {
  readonly accepted: readonly CheckedVector[]
  readonly failed: readonly VectorFailure[]
  readonly failedAt: readonly number[]
} => {
  const accepted: CheckedVector[] = []
  const failed: VectorFailure[] = []
  const failedAt: number[] = []
  const seen = new Set<string>()
  for (const [index, source] of sources.entries()) {
    const check = checkVector(source, dimension)
    const { id } = check.ok ? check.vector : check.failure
    const provided_dimension = check.ok ? dimension : check.failure.provided_dimension
    const message = 'an earlier vector of this request has the same id'
    if (check.ok && !seen.has(id)) accepted.push(check.vector)
    else {
      failedAt.push(index)
      if (!check.ok && !seen.has(id)) failed.push(check.failure)
      else failed.push({ id, error: 'Duplicate vector id', message, expected_dimension: dimension, provided_dimension })
    }
    seen.add(id)
  }
  return { accepted, failed, failedAt }
}
