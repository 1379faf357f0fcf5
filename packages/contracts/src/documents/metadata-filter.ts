import { exactDigits } from '../json/exact-json.ts'
import type { UserObject } from './metadata.ts'

export type Scalar = string | number | boolean

/**
 * `and`, `or` or `not` alone, or `key` with operators that must all hold. The values of a key are its scalar or the
 * scalar elements of its array; null and objects have none.
 */
export type Filter = {
  readonly and?: readonly Filter[] | undefined
  readonly or?: readonly Filter[] | undefined
  readonly not?: Filter | undefined
  readonly key?: string | undefined
  readonly eq?: Scalar | undefined
  readonly ne?: Scalar | undefined
  readonly gt?: number | string | undefined
  readonly gte?: number | string | undefined
  readonly lt?: number | string | undefined
  readonly lte?: number | string | undefined
  readonly in?: readonly Scalar[] | undefined
  readonly nin?: readonly Scalar[] | undefined
  readonly any?: readonly Scalar[] | undefined
  readonly all?: readonly Scalar[] | undefined
  readonly exists?: boolean | undefined
  readonly prefix?: string | undefined
  readonly contains?: Scalar | undefined
}

/** As stored in a vector index: one entry per scalar of an array; without `value` if the key has none. */
export type Field = {
  readonly key: string
  readonly value?: Scalar
  /** Milliseconds since 1970, if `value` is an ISO 8601 date. */
  readonly date?: number
}

export const comparisons = ['gt', 'gte', 'lt', 'lte'] as const
export type Comparison = (typeof comparisons)[number]
/** Every engine evaluates it exactly. */
export type FieldFilter =
  | { readonly and: readonly FieldFilter[] }
  | { readonly or: readonly FieldFilter[] }
  | { readonly not: FieldFilter }
  | { readonly key: string; readonly is: Scalar }
  | { readonly key: string; readonly exists: true }
  | { readonly key: string; readonly compare: Comparison; readonly with: 'number' | 'date'; readonly bound: number }

const datePattern = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/

/** Milliseconds since 1970 of an ISO 8601 date, with or without a time; without a zone it is UTC. */
export const dateOf = (text: string): number | undefined => {
  const [, day, time, zone] = datePattern.exec(text) ?? []
  if (day === undefined) return undefined
  // JavaScript parses 30 February as 1 March.
  const midnight = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return undefined
  const at = time === undefined ? midnight : Date.parse(zone === undefined ? `${text}Z` : text)
  return Number.isNaN(at) ? undefined : at
}

/** Operands beyond 2^53 are not allowed, so a stored integer there, which is rounded, never equals one. */
const toScalar = (value: unknown): Scalar | undefined => {
  const digits = exactDigits(value)
  if (digits !== undefined) return Number(digits)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined
}

/** Keys of chunks that hold a whole number (`page`: as text, for published clients); text and number are equal. */
const numberKeys: ReadonlySet<string> = new Set([
  'page',
  'chunk_index',
  'row_from',
  'row_to',
  'offset_from',
  'offset_to',
  'ocr_confidence',
])
const wholeNumber = /^(?:0|[1-9]\d{0,15})$/

/** Adds the other form, text or number, for a key in `numberKeys`. */
const formsOf = (key: string, value: Scalar): Scalar[] => {
  if (!numberKeys.has(key) || !wholeNumber.test(String(value))) return [value]
  return Number.isSafeInteger(Number(value)) ? [String(value), Number(value)] : [value]
}

const valuesOf = (key: string, value: unknown): Scalar[] => {
  const values = (Array.isArray(value) ? value : [value]).flatMap((element) => toScalar(element) ?? [])
  return [...new Set(values.flatMap((one) => formsOf(key, one)))]
}

const compare: Readonly<Record<Comparison, (value: number, bound: number) => boolean>> = {
  gt: (value, bound) => value > bound,
  gte: (value, bound) => value >= bound,
  lt: (value, bound) => value < bound,
  lte: (value, bound) => value <= bound,
}

type Operator = Exclude<keyof Filter, 'and' | 'or' | 'not' | 'key'>
/** Values of a key in one item. */
type Values = {
  readonly exists: boolean
  readonly all: ReadonlySet<Scalar>
  readonly texts: readonly string[]
  readonly numbers: readonly number[]
  readonly dates: readonly number[]
}
type Operand<O extends Operator> = NonNullable<Filter[O]>

const readValues = (metadata: UserObject, key: string): Values => {
  const value = Object.hasOwn(metadata, key) ? metadata[key] : null
  const all = new Set(valuesOf(key, value))
  const texts = [...all].filter((one) => typeof one === 'string')
  const numbers = [...all].filter((one) => typeof one === 'number')
  return { exists: value !== null, all, texts, numbers, dates: texts.flatMap((text) => dateOf(text) ?? []) }
}

const compares =
  (how: Comparison) =>
  (bound: number | string): ((of: Values) => boolean) => {
    if (typeof bound === 'number') return ({ numbers }) => numbers.some((value) => compare[how](value, bound))
    const date = dateOf(bound)
    return ({ dates }) => date !== undefined && dates.some((value) => compare[how](value, date))
  }

/** An item has few values, a list may have hundreds: so values are looked up in the list. */
const hasOne = (operands: readonly Scalar[]) => {
  const among = new Set(operands)
  return ({ all }: Values): boolean => all.values().some((value) => among.has(value))
}

/** Does the work that depends only on the operand once. */
type Prepare<O extends Operator> = (operand: Operand<O>) => (of: Values) => boolean

const prepare: { readonly [O in Operator]: Prepare<O> } = {
  eq:
    (operand) =>
    ({ all }) =>
      all.has(operand),
  ne:
    (operand) =>
    ({ all }) =>
      !all.has(operand),
  gt: compares('gt'),
  gte: compares('gte'),
  lt: compares('lt'),
  lte: compares('lte'),
  in: hasOne,
  nin: (operands) => {
    const isHeld = hasOne(operands)
    return (of) => !isHeld(of)
  },
  any: hasOne,
  all:
    (operands) =>
    ({ all }) =>
      operands.every((operand) => all.has(operand)),
  exists:
    (operand) =>
    ({ exists }) =>
      exists === operand,
  prefix:
    (start) =>
    ({ texts }) =>
      texts.some((text) => text.startsWith(start)),
  contains:
    (part) =>
    ({ all, texts }) =>
      typeof part === 'string' ? texts.some((text) => text.includes(part)) : all.has(part),
}

export const operators = Object.keys(prepare) as readonly Operator[]

const prepared = <O extends Operator>(operator: O, filter: Filter): ((of: Values) => boolean)[] => {
  const operand = filter[operator] as Operand<O> | undefined
  return operand === undefined ? [] : [prepare[operator](operand)]
}

type Test = (valuesOf: (key: string) => Values) => boolean

const testOf = (filter: Filter): Test => {
  const { and, or, not, key = '' } = filter
  if (not) {
    const inner = testOf(not)
    return (of) => !inner(of)
  }
  const parts = (and ?? or ?? []).map(testOf)
  if (and) return (of) => parts.every((passes) => passes(of))
  if (or) return (of) => parts.some((passes) => passes(of))
  const tests = operators.flatMap((operator) => prepared(operator, filter))
  return (of) => tests.every((passes) => passes(of(key)))
}

/** Defines what a filter means; an index only saves reads. Create a test once: filters may have thousands of values. */
export const createFilterTest = (filter: Filter): ((metadata: UserObject) => boolean) => {
  const passes = testOf(filter)
  return (metadata) => {
    const known = new Map<string, Values>()
    return passes((key) => {
      const values = known.get(key) ?? readValues(metadata, key)
      known.set(key, values)
      return values
    })
  }
}

/** Tests a single item; see `createFilterTest`. */
export const matchesFilter = (filter: Filter, metadata: UserObject): boolean => createFilterTest(filter)(metadata)

/** Counts the operands, with every element of a list. */
export const operandsOf = (filter: Filter): number => {
  const { and, or, not } = filter
  if (not) return operandsOf(not)
  const parts = and ?? or
  if (parts) return parts.reduce((sum, part) => sum + operandsOf(part), 0)
  return operators.reduce((sum, operator) => {
    const operand = filter[operator]
    return sum + (Array.isArray(operand) ? operand.length : operand === undefined ? 0 : 1)
  }, 0)
}

const toField = (key: string, value: Scalar): Field => {
  const date = typeof value === 'string' ? dateOf(value) : undefined
  return { key, value, ...(date === undefined ? {} : { date }) }
}

/** Returns distinct fields, for the index. */
export const fieldsOf = (metadata: UserObject): Field[] =>
  Object.keys(metadata).flatMap((key): Field[] => {
    if (metadata[key] === null) return []
    const values = valuesOf(key, metadata[key])
    return values.length === 0 ? [{ key }] : values.map((value) => toField(key, value))
  })

const toBound = (key: string, how: Comparison, bound: number | string): FieldFilter => {
  if (typeof bound === 'number') return { key, compare: how, with: 'number', bound }
  return { key, compare: how, with: 'date', bound: dateOf(bound) ?? Number.NaN }
}

/** Points of earlier versions have the number of a page only as text, which the index can't compare. */
const anyNumber = (key: string): FieldFilter => ({
  key,
  compare: 'gte',
  with: 'number',
  bound: -Number.MAX_VALUE,
})

/** `isExact`: the index passes exactly the matching items, else perhaps more. */
type IndexFilter = { readonly filter: FieldFilter; readonly isExact: boolean }

const conditionsOf = (key: string, filter: Filter): IndexFilter[] => {
  const found: IndexFilter[] = []
  const add = (condition: FieldFilter, isExact = true) => void found.push({ filter: condition, isExact })
  const present: FieldFilter = { key, exists: true }
  // Points of earlier versions have only one of the forms.
  const isOneOf = (values: readonly Scalar[]): FieldFilter => ({
    or: values.flatMap((value) => formsOf(key, value)).map((form) => ({ key, is: form })),
  })
  const is = (value: Scalar): FieldFilter => {
    const forms = formsOf(key, value)
    return forms.length === 1 ? { key, is: value } : isOneOf([value])
  }
  const { eq, ne, nin, all, exists, prefix, contains } = filter
  if (eq !== undefined) add(is(eq))
  if (ne !== undefined) add({ not: is(ne) })
  for (const some of [filter.in, filter.any]) if (some) add(isOneOf(some))
  if (nin) add({ not: isOneOf(nin) })
  if (all) add({ and: all.map(is) })
  if (exists !== undefined) add(exists ? present : { not: present })
  if (prefix !== undefined) add(present, false)
  if (contains !== undefined) add(typeof contains === 'string' ? present : is(contains), false)
  for (const how of comparisons) {
    const bound = filter[how]
    if (bound === undefined) continue
    const compared = toBound(key, how, bound)
    if (typeof bound === 'string' || !numberKeys.has(key)) add(compared)
    else add({ or: [compared, { and: [present, { not: anyNumber(key) }] }] }, false)
  }
  return found
}

const everything: IndexFilter = { filter: { and: [] }, isExact: false }

const toIndexed = (filter: Filter): IndexFilter => {
  const { and, or, not, key } = filter
  const all = (filters: readonly IndexFilter[]): boolean => filters.every(({ isExact }) => isExact)
  if (or) {
    const some = or.map(toIndexed)
    return { filter: { or: some.map((one) => one.filter) }, isExact: all(some) }
  }
  if (not) {
    const inner = toIndexed(not)
    // The index may pass more items than match `inner`; negating it would hide items that match.
    return inner.isExact ? { filter: { not: inner.filter }, isExact: true } : everything
  }
  const every = and ? and.map(toIndexed) : key === undefined ? [] : conditionsOf(key, filter)
  return { filter: { and: every.map((one) => one.filter) }, isExact: all(every) }
}

/** Returns a filter that every match passes, if one is known; others may pass too: apply `matchesFilter`. */
export const fieldFilterOf = (filter: Filter): FieldFilter | undefined => {
  const { filter: found } = toIndexed(filter)
  return 'and' in found && found.and.length === 0 ? undefined : found
}
