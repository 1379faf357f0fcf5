import type { Change, Condition, Key, Where } from '@cairn/domain/ports/store'
import { type Collection, collections } from '@cairn/domain/protocol/collections'
import { Binary } from 'mongodb'

export type Fields = Readonly<Record<string, unknown>>
export type Stored = { readonly _id: string; readonly [field: string]: unknown }
export type Filter = { readonly [path: string]: unknown }
export type Update = { readonly [operator: string]: { readonly [path: string]: unknown } }

export const isPlain = (value: unknown): value is Fields =>
  typeof value === 'object' &&
  value !== null &&
  (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)

const mark = '\ud7ff'
const escaped = (character: string): string => mark + (character.codePointAt(0) ?? 0).toString(16).padStart(6, '0')

/**
 * Makes a text sort by code point both in UTF-8 byte order (MongoDB) and in UTF-16 unit order (some stores with
 * MongoDB's protocol). The orders differ from U+D7FF on: there a character becomes U+D7FF and six hexadecimal digits.
 */
export const encodeOrdered = (text: string): string => text.replaceAll(/[\ud7ff-\u{10ffff}]/gu, escaped)
const decodeOrdered = (text: string): string =>
  text.replaceAll(/\ud7ff([0-9a-f]{6})/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)))

const separator = '/'
/** Sorts after every text that begins with the separator. */
const afterSeparator = '0'

const text = (part: unknown): string => {
  // For values that callers did not validate: MongoDB would interpret an object as operators.
  if (typeof part !== 'string') throw new TypeError(`a key is made of texts, not of ${typeof part}`)
  return part
}
const leading = (parts: readonly unknown[]): string =>
  parts.map((part) => encodeOrdered(text(part)).replaceAll(separator, escaped) + separator).join('')

/** Among keys with the same leading parts, it sorts by the last part. */
export const idOf = (key: Key): string => leading(key.slice(0, -1)) + encodeOrdered(text(key.at(-1)))

/** Queries search or sort by these fields outside the key, so their texts are encoded by `encodeOrdered`. */
const orderedFields = Object.fromEntries(
  (Object.keys(collections) as Collection[]).map((name) => {
    const { key, unique = [], indexes } = collections[name]
    return [name, new Set([...unique, ...indexes.flat()].filter((field) => !key.includes(field)))]
  }),
) as unknown as { readonly [C in Collection]: ReadonlySet<string> }

const encodeField = (name: Collection, path: string, value: unknown): unknown =>
  typeof value === 'string' && orderedFields[name].has(path) ? encodeOrdered(value) : value

/** Vectors become bytes (float32, little-endian as in memory). */
const pack = (value: unknown): unknown => {
  if (value instanceof Float32Array) return new Binary(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
  return isPlain(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, pack(one)])) : value
}
const unpack = (value: unknown): unknown => {
  if (value instanceof Binary) return new Float32Array(Uint8Array.from(value.value()).buffer)
  return isPlain(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unpack(one)])) : value
}

export const toStored = (name: Collection, document: object): Stored => {
  const fields = document as Fields
  const entries = Object.entries(fields).map(([field, value]) => [field, encodeField(name, field, pack(value))])
  return { ...Object.fromEntries(entries), _id: idOf(collections[name].key.map((field) => text(fields[field]))) }
}

export const fromStored = (name: Collection, stored: Fields): object => {
  const document: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(stored)) {
    if (field === '_id') continue
    document[field] = typeof value === 'string' && orderedFields[name].has(field) ? decodeOrdered(value) : unpack(value)
  }
  return document
}

const checkedPath = (path: string): string => {
  if (path.split('.').some((part) => part === '' || part.startsWith('$') || part.includes('\0')))
    throw new TypeError(`not a path of fields: ${JSON.stringify(path)}`)
  return path
}

const comparisons = { ne: '$ne', lte: '$lte', lt: '$lt', gt: '$gt' } as const

type Plain = string | number | boolean | null

const checkPlain = (value: unknown): Plain => {
  // MongoDB would interpret an object as operators; values from clients must never become operators.
  if (typeof value === 'object' ? value !== null : !['string', 'number', 'boolean'].includes(typeof value))
    throw new TypeError('a condition compares with a plain value')
  return value as Plain
}

/** Returns undefined if the condition restricts nothing. */
const conditionOf = (condition: Condition, form: (value: Plain) => unknown): unknown => {
  if (typeof condition !== 'object' || condition === null) return form(checkPlain(condition))
  const operators: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(condition)) {
    if (!Object.hasOwn(comparisons, name)) throw new TypeError(`no comparison ${name}`)
    if (value !== undefined) operators[comparisons[name as keyof typeof comparisons]] = form(checkPlain(value))
  }
  return Object.keys(operators).length === 0 ? undefined : operators
}

/** Keeps field names, for updates and removals, which add `_id` themselves. */
export const filterOf = (name: Collection, where: Where): Filter => {
  const filter: Record<string, unknown> = {}
  for (const [path, condition] of Object.entries(where)) {
    const filterValue = conditionOf(condition, (value) => encodeField(name, path, value))
    if (filterValue !== undefined) filter[checkedPath(path)] = filterValue
  }
  return filter
}

const isByKey = (name: Collection, where: Where): boolean =>
  collections[name].key.slice(0, -1).every((field) => typeof where[field] === 'string')

/** Conditions on the key become conditions on `_id`, so that the key needs no second index. */
export const searchOf = (name: Collection, where: Where): Filter => {
  const { key } = collections[name]
  if (!isByKey(name, where)) return filterOf(name, where)
  const prefix = leading(key.slice(0, -1).map((field) => where[field]))
  const lastCondition = where[key.at(-1) as string]
  const lastFilter =
    lastCondition === undefined ? undefined : conditionOf(lastCondition, (value) => prefix + encodeOrdered(text(value)))
  const within = prefix === '' ? {} : { $gt: prefix, $lt: prefix.slice(0, -separator.length) + afterSeparator }
  const byId = typeof lastFilter === 'string' ? lastFilter : { ...within, ...(lastFilter as object | undefined) }
  const others = Object.fromEntries(Object.entries(where).filter(([path]) => !key.includes(path)))
  return {
    ...filterOf(name, others),
    ...(typeof byId === 'object' && Object.keys(byId).length === 0 ? {} : { _id: byId }),
  }
}

export const sortOf = (
  name: Collection,
  where: Where,
  order: readonly string[],
  descending = false,
): Record<string, 1 | -1> =>
  Object.fromEntries(
    order.map((field) => [
      field === collections[name].key.at(-1) && isByKey(name, where) ? '_id' : field,
      descending ? -1 : 1,
    ]),
  )

export const updateOf = (name: Collection, change: Change): Update | undefined => {
  const update: Record<string, Record<string, unknown>> = {}
  const put = (operator: string, path: string, value: unknown) => {
    update[operator] ??= {}
    update[operator][checkedPath(path)] = value
  }
  for (const [path, value] of Object.entries(change.set ?? {})) {
    if (value === undefined) put('$unset', path, '')
    else put('$set', path, encodeField(name, path, pack(value)))
  }
  for (const path of change.unset ?? []) put('$unset', path, '')
  for (const [path, by] of Object.entries(change.inc ?? {})) put('$inc', path, by)
  for (const [path, value] of Object.entries(change.max ?? {})) put('$max', path, value)
  for (const [path, values] of Object.entries(change.push ?? {})) put('$push', path, { $each: values })
  for (const [path, values] of Object.entries(change.pull ?? {})) put('$pullAll', path, values)
  return Object.keys(update).length === 0 ? undefined : update
}
