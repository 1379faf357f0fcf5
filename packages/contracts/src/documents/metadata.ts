import { copyDigits, parseExact } from '../json/exact-json.ts'
import { utf8Length } from '../text/text.ts'

/** Sent by a client, as JSON.parse returned it. The client chose its keys, so it is never spread or assigned. */
export type UserObject = Readonly<Record<string, unknown>>

export const isUserObject = (value: unknown): value is UserObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const parseMetadata = (json: string): UserObject => parseExact(json) as UserObject

// Without a prototype, `__proto__` is an ordinary key, not a setter.
const emptyObject = (): Record<string, unknown> => Object.create(null)

/**
 * Returns the keys of `source` that are not `reserved`, and of an object under `metadata`; flat keys take precedence.
 * The result has no prototype and shares its values with `source`.
 */
export const mergeMetadata = (source: UserObject, reserved: readonly string[]): UserObject => {
  const merged = emptyObject()
  const nested = isUserObject(source['metadata']) ? source['metadata'] : undefined
  const take = (from: UserObject, key: string) => {
    merged[key] = from[key]
    copyDigits(from, merged, key)
  }
  if (nested) for (const key of Object.keys(nested)) take(nested, key)
  // A merged `metadata` must not shadow a key of that name inside it.
  for (const key of Object.keys(source))
    if (!reserved.includes(key) && !(nested && key === 'metadata')) take(source, key)
  return merged
}

/** Does not merge: a body may have a hundred thousand keys. */
export const countMetadataKeys = (source: UserObject, reserved: readonly string[]): number => {
  const nested = isUserObject(source['metadata']) ? source['metadata'] : undefined
  const isOwn = (key: string) => Object.hasOwn(source, key) && !reserved.includes(key) && key !== 'metadata'
  const flat = Object.keys(source).filter((key) => !reserved.includes(key) && !(nested && key === 'metadata')).length
  return nested ? flat + Object.keys(nested).filter((key) => !isOwn(key)).length : flat
}

/** Returns false for Infinity, to which `1e400` is parsed: JSON can't represent it. */
export const holdsOnlyJson = (value: unknown): boolean => {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every(holdsOnlyJson)
}

/** Returns why metadata can't be stored, if so. `json`: its compact JSON. */
export const storeFault = (metadata: UserObject, json: string, maxBytes: number) => {
  // A UTF-16 unit takes at most three bytes of UTF-8.
  const bytes = json.length * 3 > maxBytes ? utf8Length(json) : 0
  if (bytes > maxBytes) {
    const message = `metadata must be at most ${maxBytes} bytes of JSON, it has ${bytes}`
    return { error: 'Metadata too large', message } as const
  }
  // `JSON.stringify` writes null for numbers that JSON can't represent.
  if (json.includes('null') && !holdsOnlyJson(metadata))
    return { error: 'Invalid metadata', message: 'metadata holds a number beyond the range of JSON readers' } as const
  return undefined
}
