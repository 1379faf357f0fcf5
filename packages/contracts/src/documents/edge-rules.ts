import { invalidField } from '../api/failures.ts'
import { normaliseId } from '../ids.ts'
import { limits } from '../limits.ts'
import { codePointLength } from '../text/text.ts'
import { isUserObject } from './metadata.ts'
import { checkNumbers } from './vector-rules.ts'

export const storeModes = ['text', 'vector'] as const
type StoreMode = (typeof storeModes)[number]

export const edgeDimensions = { min: 128, max: 1_536 } as const

export type CheckedEdgeItem = { readonly id: string; readonly text: string; readonly vector: Float32Array }

const textOf = (value: unknown, field: string, mode: StoreMode): string => {
  const isAbsent = value === undefined || value === null || value === ''
  if (isAbsent && mode === 'text') throw invalidField(field, 'is required in a text store')
  if (isAbsent) return ''
  if (typeof value !== 'string') throw invalidField(field, 'must be a string')
  if (codePointLength(value) > limits.maxTextLength)
    throw invalidField(field, `must have at most ${limits.maxTextLength} characters`)
  if (!value.isWellFormed()) throw invalidField(field, 'must be well-formed Unicode, without lone surrogates')
  return value
}

const vectorOf = (value: unknown, field: string): Float32Array => {
  const numbers = checkNumbers(value)
  if (!numbers.ok) throw invalidField(field, `can not be used: ${numbers.fault.message}`)
  const { min, max } = edgeDimensions
  if (numbers.vector.length < min || numbers.vector.length > max)
    throw invalidField(field, `must have ${min} to ${max} dimensions, it has ${numbers.vector.length}`)
  return numbers.vector
}

/** Throws AppError `invalid` for the first invalid item. All must have one dimension. */
export const checkEdgeItems = (
  sources: readonly unknown[],
  mode: StoreMode,
): { readonly dimension: number; readonly items: readonly CheckedEdgeItem[] } => {
  let dimension = 0
  const items = sources.map((source, index): CheckedEdgeItem => {
    const at = `items[${index}]`
    if (!isUserObject(source)) throw invalidField(at, 'must be an object')
    const id = normaliseId(source['id'])
    if (!id.ok) throw invalidField(`${at}.id`, id.requirement)
    const vector = vectorOf(source['vector'], `${at}.vector`)
    if (index === 0) dimension = vector.length
    if (vector.length !== dimension)
      throw invalidField(`${at}.vector`, `must have ${dimension} dimensions as the first, it has ${vector.length}`)
    return { id: id.id, text: textOf(source['text'], `${at}.text`, mode), vector }
  })
  return { dimension, items }
}
