import { AppError, type JsonValue } from '@cairn/contracts/errors'
import type * as z from 'zod'

const shownCharacters = 40

/** Describes long or deep values by their size only. */
const describe = (value: unknown): string => {
  if (value === undefined) return 'it is missing'
  if (typeof value === 'string')
    return value.length <= shownCharacters
      ? `given: ${JSON.stringify(value)}`
      : `given: a string of ${value.length} characters`
  if (Array.isArray(value)) return `given: an array of ${value.length}`
  return typeof value === 'object' && value !== null ? 'given: an object' : `given: ${String(value)}`
}

const nouns: Readonly<Record<string, string>> = {
  array: 'an array',
  object: 'an object',
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  null: 'null',
}

const describeBound = (word: string, issue: { readonly origin?: string }, limit: unknown): string => {
  const units: Readonly<Record<string, string>> = { string: ' characters', array: ' elements' }
  return `must ${units[issue.origin ?? ''] ? 'have' : 'be'} ${word} ${String(limit)}${units[issue.origin ?? ''] ?? ''}`
}

/** Returns the predicate of "<field> …" for an issue whose schema has no text. */
const requirementOf = (issue: z.core.$ZodRawIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${nouns[issue.expected] ?? issue.expected}`
    case 'too_small':
      return describeBound('at least', issue, issue.minimum)
    case 'too_big':
      return describeBound('at most', issue, issue.maximum)
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`
    default:
      return 'has a form that is not allowed'
  }
}

const fieldOf = (path: readonly PropertyKey[]): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '')

const inputOf = (issue: z.core.$ZodIssue): unknown => {
  const { input } = issue
  // Without a matching member, a union reports the whole object; the fault is in its discriminator.
  const key = issue.code === 'invalid_union' ? issue.path.at(-1) : undefined
  return key !== undefined && typeof input === 'object' && input !== null
    ? (input as Record<PropertyKey, unknown>)[key]
    : input
}

/** Throws AppError `invalid` for the first fault: a sentence for users, `details` for programs. */
export const parse = <S extends z.ZodType>(schema: S, value: unknown): z.output<S> => {
  const result = schema.safeParse(value, { reportInput: true, error: requirementOf })
  if (result.success) return result.data
  const issue = result.error.issues[0] as z.core.$ZodIssue
  const field = fieldOf(issue.path) || 'body'
  const { message: requirement } = issue
  // A schema's own text may be a whole sentence, recognized by its capital letter.
  const whole = /^\p{Lu}/u.test(requirement)
  const subject = field === 'body' ? 'The request body' : field
  const message = whole ? requirement : `${subject} ${requirement} (${describe(inputOf(issue))})`
  const details: Record<string, JsonValue> = { field, requirement }
  throw new AppError('invalid', message, { body: { details } })
}
