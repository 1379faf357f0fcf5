import { createPauses } from '../flow/pauses.ts'

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

type Digits = Record<string | number, string | undefined>
/**
 * Key of a property on each object or array that holds such integers, directly or in a nested one. The property has the
 * digits of its own integers by key or index.
 */
const digits = Symbol('digits of long integers')
type Holder = { readonly [digits]?: Digits }

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null && digits in value

const digitsIn = (value: Holder): Digits => {
  if (value[digits]) return value[digits]
  // An array of digits is made many times faster than an object with its indexes as keys.
  const own: Digits = Array.isArray(value) ? ([] as unknown as Digits) : Object.create(null)
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

/** Characters of JSON, or elements of an array, after which a step ends. */
const stepLength = 8192
/** Parses in steps, between which other requests may run. */
type Steps<T> = Generator<undefined, T>

/** Returns the valid JSON `text` with its integers of 16 digits or more as strings. */
function* withLongAsStrings(text: string): Steps<string> {
  let done = ''
  let parts: string[] = []
  let copied = 0
  let stepEnd = stepLength
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
      if (index < stepEnd) continue
      stepEnd = index + stepLength
      done += parts.join('')
      parts = []
      yield
    }
  }
  return done + parts.join('') + text.slice(copied)
}

/**
 * Stores the digits of long integers on `value`. `sources` is the same value with these integers as strings. Returns
 * whether any digits were stored.
 */
function* keepDigits(value: object, sources: object): Steps<boolean> {
  const [values, others] = [value, sources] as Readonly<Record<string | number, unknown>>[]
  const keys = Array.isArray(value) ? value : Object.keys(value)
  let isKept = false
  for (let index = 0; index < keys.length; index += 1) {
    if (index % stepLength === 0) yield
    const key = keys === value ? index : (keys[index] as string)
    const source = others?.[key]
    if (typeof source === 'number') continue
    const one = values?.[key]
    const found = typeof source === 'string' ? digitsOf(one, source) : undefined
    const isInside = typeof one === 'object' && one !== null && (yield* keepDigits(one, source as object))
    if (found === undefined && !isInside) continue
    const own = digitsIn(value)
    if (found !== undefined) own[key] = found
    isKept = true
  }
  return isKept
}

function* parsing(text: string): Steps<unknown> {
  const value: unknown = JSON.parse(text)
  if (!mayHoldLong.test(text) || typeof value !== 'object' || value === null) return value
  yield
  const sources = yield* withLongAsStrings(text)
  yield
  yield* keepDigits(value, JSON.parse(sources))
  return value
}

/**
 * Parses a client's JSON. Integers beyond ±(2^53−1) become the nearest numbers, as with `JSON.parse`; their digits are
 * stored with the parsed value for `exactJson`. No reviver is used: it would be called for each number of a batch of
 * vectors, and 4 million calls take five seconds.
 */
export const parseWithDigits = (text: string): unknown => {
  const steps = parsing(text)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** Parses like `parseWithDigits`, and lets other requests run in between: half a million long integers take a second. */
export const parseInTurns = async (text: string): Promise<unknown> => {
  const pause = createPauses()
  const steps = parsing(text)
  let step = steps.next()
  for (; !step.done; step = steps.next()) await pause()
  return step.value
}

/** Copies the digits of `key` from one object to another to which the value was copied. */
export const copyDigits = (from: object, to: object, key: string): void => {
  if (isHolder(from)) digitsIn(to)[key] = from[digits]?.[key]
}

/** Returns the text of `JSON.stringify` for parsed JSON, with long integers in the digits that the client sent. */
export const exactJson = (value: unknown): string => {
  if (!isHolder(value)) return JSON.stringify(value)
  const own = value[digits]
  const textOf = (one: unknown, key: string | number) =>
    (typeof one === 'number' ? own?.[key] : undefined) ?? exactJson(one)
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${textOf(one, key)}`)
  return `{${members.join(',')}}`
}

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
