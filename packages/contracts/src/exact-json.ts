declare global {
  // ES2026: V8 has these functions, but TypeScript's library does not declare them yet.
  interface JSON {
    parse(
      text: string,
      reviver: (this: object, key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown
    rawJSON?(text: string): { readonly rawJSON: string }
    isRawJSON?(value: unknown): value is { readonly rawJSON: string }
  }
}

/** Matches a text that may have an integer beyond ±(2^53−1). Parsing with sources takes several times as long. */
const mayHoldLong = /[[:,\s]-?\d{16}/

const long = /^-?\d{16,}$/

/** Maximum length of an integer with its sign: a longer integer is beyond the range of a number. */
const maxDigits = 310

/** Returns the digits of an integer beyond ±(2^53−1); undefined for all other values. */
const digitsOf = (value: unknown, source: string | undefined): string | undefined =>
  typeof value === 'number' &&
  !Number.isSafeInteger(value) &&
  Number.isFinite(value) &&
  source !== undefined &&
  long.test(source)
    ? source
    : undefined

/**
 * Key of a property on each object or array that directly holds such integers. The property maps keys to digits; nested
 * objects have their own maps.
 */
const digits = Symbol('digits of long integers')
type Holder = { readonly [digits]?: Map<string, string> }

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null && digits in value

const digitsByKey = (value: Holder): Map<string, string> => {
  if (value[digits]) return value[digits]
  const own = new Map<string, string>()
  Object.defineProperty(value, digits, { value: own })
  return own
}

const quote = 0x22
const backslash = 0x5c
/** For each character code, 1 if the character can occur in a number: `+ - . E e` or a digit. */
const inNumbers = Uint8Array.from({ length: 128 }, (_, code) =>
  Number('+-.Ee0123456789'.includes(String.fromCharCode(code))),
)

/** Returns the index of the closing quote of the string that opens at `from`, in valid JSON. */
const endOfString = (text: string, from: number): number => {
  let index = from + 1
  while (text.charCodeAt(index) !== quote) index += text.charCodeAt(index) === backslash ? 2 : 1
  return index
}

/** Returns the valid JSON `text` with its integers of 16 digits or more as strings. */
const withLongAsStrings = (text: string): string => {
  const parts: string[] = []
  let copied = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === quote) index = endOfString(text, index)
    else if (inNumbers[code] === 1) {
      const from = index
      while (inNumbers[text.charCodeAt(index + 1)] === 1) index += 1
      const length = index + 1 - from
      if (length < 16 || length > maxDigits) continue
      const source = text.slice(from, index + 1)
      if (!long.test(source)) continue
      parts.push(text.slice(copied, from), '"', source, '"')
      copied = index + 1
    }
  }
  return parts.join('') + text.slice(copied)
}

/**
 * Stores the digits of long integers on `value`. `sources` is the same value with these integers as strings. Returns
 * whether any digits were stored.
 */
const keepDigits = (value: object, sources: object): boolean => {
  let isKept = false
  const keepEntry = (key: string | number, one: unknown, source: unknown) => {
    const found = typeof source === 'string' ? digitsOf(one, source) : undefined
    if (found !== undefined) digitsByKey(value).set(String(key), found)
    else if (typeof one !== 'object' || one === null || !keepDigits(one, source as object)) return
    else digitsByKey(value)
    isKept = true
  }
  if (Array.isArray(value)) {
    const others = sources as readonly unknown[]
    for (let index = 0; index < value.length; index += 1)
      if (typeof others[index] !== 'number') keepEntry(index, value[index], others[index])
  } else {
    const others = sources as Readonly<Record<string, unknown>>
    for (const key of Object.keys(value)) keepEntry(key, (value as Readonly<Record<string, unknown>>)[key], others[key])
  }
  return isKept
}

/**
 * Parses a client's JSON. Integers beyond ±(2^53−1) become the nearest numbers, as with `JSON.parse`; their digits are
 * stored with the parsed value for `exactJson`. No reviver is used: it would be called for each number of a batch of
 * vectors, and 4 million calls take five seconds.
 */
export const parseWithDigits = (text: string): unknown => {
  const value: unknown = JSON.parse(text)
  if (mayHoldLong.test(text) && typeof value === 'object' && value !== null)
    keepDigits(value, JSON.parse(withLongAsStrings(text)))
  return value
}

/** Copies the digits of `key` from one object to another to which the value was copied. */
export const copyDigits = (from: object, to: object, key: string): void => {
  if (!isHolder(from)) return
  const source = from[digits]?.get(key)
  if (source !== undefined) digitsByKey(to).set(key, source)
  else digitsByKey(to).delete(key)
}

/** Returns the text of `JSON.stringify`, with long integers in the digits that the client sent. */
export const exactJson = (value: unknown): string =>
  isHolder(value)
    ? JSON.stringify(value, function (this: Holder, key, one: unknown) {
        const source = typeof one === 'number' ? this[digits]?.get(key) : undefined
        return source === undefined ? one : (JSON.rawJSON?.(source) ?? one)
      })
    : JSON.stringify(value)

/**
 * Parses stored metadata for an answer. `JSON.stringify` of the result writes integers beyond ±(2^53−1) in the digits
 * that the client sent.
 */
export const parseExact = (text: string): unknown =>
  mayHoldLong.test(text)
    ? JSON.parse(text, (_, value, { source }) => {
        const found = digitsOf(value, source)
        return found === undefined ? value : (JSON.rawJSON?.(found) ?? value)
      })
    : JSON.parse(text)

/** Returns the digits of an integer beyond ±(2^53−1) from `parseExact`; undefined for all other values. */
export const exactDigits = (value: unknown): string | undefined => (JSON.isRawJSON?.(value) ? value.rawJSON : undefined)
