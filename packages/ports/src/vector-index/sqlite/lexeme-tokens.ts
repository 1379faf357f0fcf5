import { lengthOf } from '../bm25.ts'
import type { Lexemes } from '../port.ts'

// A lexeme's token ends in two digits, for its count and for the length of its passage. So the points of a lexeme are
// listed in groups of nearly equal weight, by one range of tokens.

const base = 36
const lexemeDigits = 7
const mostCount = base - 1

/** Class of a passage's length: two for each doubling. */
const classOf = (length: number): number => Math.min(base - 1, Math.floor(2 * Math.log2(length)))

const digit = (value: number): string => value.toString(base)

/** Returns the beginning of a lexeme's tokens, without the number of the partition. `l` marks lexemes. */
export const lexemePrefix = (id: number): string => `l${id.toString(base).padStart(lexemeDigits, '0')}`

/** Returns the tokens of a passage's lexemes, without the number of the partition. */
export const lexemeTokens = ({ ids, counts }: Lexemes): string[] => {
  const ofLength = digit(classOf(lengthOf(counts)))
  return Array.from(ids, (id, at) => `${lexemePrefix(id)}${digit(Math.min(mostCount, counts[at]!))}${ofLength}`)
}

/** The largest count and the smallest length of the passages that have a token: those of the largest weight. */
export const boundsOf = (token: string): { readonly count: number; readonly length: number } => {
  const count = Number.parseInt(token.at(-2) as string, base)
  const length = Math.ceil(2 ** (Number.parseInt(token.at(-1) as string, base) / 2))
  return { count: count === mostCount ? 255 : count, length }
}
