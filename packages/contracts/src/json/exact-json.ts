import { createPauses } from '../flow/pauses.ts'

declare global {
  // ES2026: V8 has these; TypeScript's library does not declare them yet.
  interface JSON {
    parse(
      text: string,
      reviver: (this: object, key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown
    rawJSON?(text: string): { readonly rawJSON: string }
    isRawJSON?(value: unknown): value is { readonly rawJSON: string }
  }
}

/** May have an integer beyond ±(2^53−1). Parsing with sources takes several times as long. */
const mayHoldLong = /[[:,\s]-?\d{16}/

const long = /^-?\d{16,}$/

/** With the sign; a longer integer is beyond the range of a number. */
const maxDigits = 310

/** Integers beyond ±(2^53−1); undefined for all other values. */
const digitsOf = (value: unknown, source: string | undefined): string | undefined =>
  typeof value === 'number' &&
  !Number.isSafeInteger(value) &&
  Number.isFinite(value) &&
  source !== undefined &&
  long.test(source)
    ? source
    : undefined

type Digits = Record<string | number, string | undefined>
/** On each object or array that holds such integers, directly or nested: the digits of its own, by key or index. */
const digits = Symbol('digits of long integers')
type Holder = { readonly [digits]?: Digits }

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null && digits in value

const digitsIn = (value: Holder): Digits => {
  if (value[digits]) return value[digits]
  // Made many times faster than an object with indexes as keys.
  const own: Digits = Array.isArray(value) ? ([] as unknown as Digits) : Object.create(null)
  Object.defineProperty(value, digits, { value: own })
  return own
}

const quote = 0x22
const backslash = 0x5c
/** 1 for a character of a number. */
const inNumbers = Uint8Array.from({ length: 128 }, (_, code) =>
  Number('+-.Ee0123456789'.includes(String.fromCharCode(code))),
)

/** Returns the index of the closing quote, in valid JSON. */
const endOfString = (text: string, from: number): number => {
  let index = from + 1
  while (text.charCodeAt(index) !== quote) index += text.charCodeAt(index) === backslash ? 2 : 1
  return index
}

/** Characters of JSON, or elements of an array, per step. */
const stepLength = 8192
/** Other requests may run between steps. */
type Steps<T> = Generator<undefined, T>

/** Makes strings of integers of 16 digits or more, in valid JSON. */
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

/** `sources`: `value` with these integers as strings. Returns whether any digits were stored. */
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
 * Integers beyond ±(2^53−1) become the nearest numbers, and their digits are stored for `exactJson`. No reviver: 4
 * million calls, for a batch of vectors, take five seconds.
 */
export const parseWithDigits = (text: string): unknown => {
  const steps = parsing(text)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** Lets other requests run in between: half a million long integers take a second. */
export const parseInTurns = async (text: string): Promise<unknown> => {
  const pause = createPauses()
  const steps = parsing(text)
  let step = steps.next()
  for (; !step.done; step = steps.next()) await pause()
  return step.value
}

/** Requires that the value of `key` was copied. */
export const copyDigits = (from: object, to: object, key: string): void => {
  if (isHolder(from)) digitsIn(to)[key] = from[digits]?.[key]
}

/** Stringifies parsed JSON, with long integers in the client's digits. */
export const exactJson = (value: unknown): string => {
  if (!isHolder(value)) return JSON.stringify(value)
  const own = value[digits]
  const textOf = (one: unknown, key: string | number) =>
    (typeof one === 'number' ? own?.[key] : undefined) ?? exactJson(one)
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${textOf(one, key)}`)
  return `{${members.join(',')}}`
}

/** Parses stored metadata: `JSON.stringify` of the result writes long integers in the client's digits. */
export const parseExact = (text: string): unknown =>
  mayHoldLong.test(text)
    ? JSON.parse(text, (_, value, { source }) => {
        const found = digitsOf(value, source)
        return found === undefined ? value : (JSON.rawJSON?.(found) ?? value)
      })
    : JSON.parse(text)

/** Digits of a long integer from `parseExact`; undefined for all other values. */
export const exactDigits = (value: unknown): string | undefined => (JSON.isRawJSON?.(value) ? value.rawJSON : undefined)
