import { copyDigits, parseExact } from '../json/exact-json.ts'
import { utf8Length } from '../text/text.ts'

/**
 * An object that a client sent, as JSON.parse returned it. The client chose its keys, so the object is never spread or
 * assigned.
 */
export type UserObject = Readonly<Record<string, unknown>>

export const isUserObject = (value: unknown): value is UserObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses the metadata of a record. */
export const parseMetadata = (json: string): UserObject => parseExact(json) as UserObject

// Without a prototype, an object has no `__proto__` setter, so `__proto__` is an ordinary key.
const emptyObject = (): Record<string, unknown> => Object.create(null)

/**
 * Returns every key of `source` that is not `reserved`. An object under `metadata` is merged into the flat keys, which
 * take precedence: clients send either form. The result has no prototype and shares its values with `source`.
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

/** Counts the keys of the merged metadata without merging: a body may have a hundred thousand keys. */
export const countMetadataKeys = (source: UserObject, reserved: readonly string[]): number => {
  const nested = isUserObject(source['metadata']) ? source['metadata'] : undefined
  const isOwn = (key: string) => Object.hasOwn(source, key) && !reserved.includes(key) && key !== 'metadata'
  const flat = Object.keys(source).filter((key) => !reserved.includes(key) && !(nested && key === 'metadata')).length
  return nested ? flat + Object.keys(nested).filter((key) => !isOwn(key)).length : flat
}

/** Returns whether JSON can represent the value: `1e400` is parsed to Infinity, which JSON can't represent. */
export const holdsOnlyJson = (value: unknown): boolean => {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every(holdsOnlyJson)
}

/** Returns the reason why metadata can't be stored, if any. `json` is the compact JSON of the metadata. */
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
