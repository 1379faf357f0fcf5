import { createHash } from 'node:crypto'
import type { Comparison, Field, Scalar } from '@cairn/contracts/documents/metadata-filter'

// A token is `m`, a hash of the key, a letter for the kind of the value, and the value: numbers in digits that sort as
// the numbers do, so that a range of tokens is a range of values; texts as a hash.

const base = 36
const digits = 13

/** Takes 64 bits of SHA-256 over UTF-16, which keeps lone surrogates distinct. */
const hash = (text: string): string =>
  createHash('sha256')
    .update(Buffer.from(text, 'utf16le'))
    .digest()
    .readBigUInt64BE()
    .toString(base)
    .padStart(digits, '0')

/** Returns 16 hexadecimal digits that sort as the numbers do. */
const sortable = (value: number): string => {
  const bytes = Buffer.alloc(8)
  // Both signs of zero give the same token.
  bytes.writeDoubleBE(value === 0 ? 0 : value)
  const bits = bytes.readBigUInt64BE()
  const isNegative = bits >> 63n === 1n
  const ordered = isNegative ? ~bits & 0xffffffffffffffffn : bits | (1n << 63n)
  return ordered.toString(16).padStart(16, '0')
}

const keyToken = (key: string): string => `m${hash(key)}`
const afterAll = '{'

const valueToken = (value: Scalar): string => {
  if (typeof value === 'number') return `n${sortable(value)}`
  return typeof value === 'boolean' ? `b${Number(value)}` : `t${hash(value)}`
}

/** Leaves out the partition number. */
export const fieldTokens = (fields: readonly Field[]): string[] =>
  fields.flatMap(({ key, value, date }) => {
    const start = keyToken(key)
    if (value === undefined) return [`${start}o`]
    return [`${start}${valueToken(value)}`, ...(date === undefined ? [] : [`${start}d${sortable(date)}`])]
  })

export const tokenOfValue = (key: string, value: Scalar): string => `${keyToken(key)}${valueToken(value)}`

/** Includes `from`, excludes `before`. */
export type TokenRange = readonly [from: string, before: string]

export const rangeOfKey = (key: string): TokenRange => [keyToken(key), `${keyToken(key)}${afterAll}`]

export const rangeOfValues = (key: string, kind: 'number' | 'date', compare: Comparison, bound: number): TokenRange => {
  const start = `${keyToken(key)}${kind === 'number' ? 'n' : 'd'}`
  const at = `${start}${sortable(bound)}`
  // `!` sorts before all digits, so `at!` is the next token after `at`.
  const next = `${at}!`
  if (compare === 'gt') return [next, `${start}${afterAll}`]
  if (compare === 'gte') return [at, `${start}${afterAll}`]
  return [start, compare === 'lt' ? at : next]
}
