declare global {
  // Of ES2026; V8 has them, TypeScript's library not yet.
  interface JSON {
    parse(text: string, reviver: (this: object, key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
    rawJSON?(text: string): { readonly rawJSON: string }
    isRawJSON?(value: unknown): value is { readonly rawJSON: string }
  }
}

/** Whether a text may hold an integer beyond ±(2^53−1). What is parsed with sources takes several times as long. */
const mayHoldLong = /[[:,\s]-?\d{16}/

const long = /^-?\d{16,}$/

/** The digits of an integer that a JavaScript number does not hold; undefined for all else. */
const digitsOf = (value: unknown, source: string | undefined): string | undefined =>
  typeof value === 'number' && !Number.isSafeInteger(value) && Number.isFinite(value) && source !== undefined && long.test(source)
    ? source
    : undefined

/** On an object or array with such integers in it: the digits of its own, by key. Those within its members are on the members. */
const digits = Symbol('digits of long integers')
type Holder = { readonly [digits]?: Map<string, string> }

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null && digits in value

const marked = (value: Holder): Map<string, string> => {
  if (value[digits]) return value[digits]
  const own = new Map<string, string>()
  Object.defineProperty(value, digits, { value: own })
  return own
}

/**
 * `JSON.parse` of what a client sent. Integers beyond ±(2^53−1) are the nearest numbers, as ever; their digits are kept beside them for
 * `exactJson`.
 */
export const parseWithDigits = (text: string): unknown => {
  if (!mayHoldLong.test(text)) return JSON.parse(text)
  return JSON.parse(text, function (key, value, { source }) {
    const found = digitsOf(value, source)
    if (found !== undefined) marked(this).set(key, found)
    else if (isHolder(value)) marked(this)
    return value
  })
}

/** Takes the digits of a key along to an object that gets its value. */
export const copyDigits = (from: object, to: object, key: string): void => {
  if (!isHolder(from)) return
  const source = from[digits]?.get(key)
  if (source !== undefined) marked(to).set(key, source)
  else marked(to).delete(key)
}

/** `JSON.stringify`, with the digits that were sent. */
export const exactJson = (value: unknown): string =>
  isHolder(value)
    ? JSON.stringify(value, function (this: Holder, key, one: unknown) {
        const source = typeof one === 'number' ? this[digits]?.get(key) : undefined
        return source === undefined ? one : (JSON.rawJSON?.(source) ?? one)
      })
    : JSON.stringify(value)

/**
 * `JSON.parse` of stored metadata for an answer: integers beyond ±(2^53−1) are what `JSON.stringify` writes in the digits they
 * were sent in.
 */
export const parseExact = (text: string): unknown =>
  mayHoldLong.test(text)
    ? JSON.parse(text, (_, value, { source }) => {
        const found = digitsOf(value, source)
        return found === undefined ? value : (JSON.rawJSON?.(found) ?? value)
      })
    : JSON.parse(text)

/** The digits of a long integer as `parseExact` gives it; undefined for all else. */
export const exactDigits = (value: unknown): string | undefined => (JSON.isRawJSON?.(value) ? value.rawJSON : undefined)
