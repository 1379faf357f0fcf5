import { inContext, type Lexemes, maxOccurrences } from '@cairn/domain/ports/vector-index'
import { lengthOf } from '../bm25.ts'

// A lexeme's token ends in three digits: one for its count, two for the length of its passage. So the points of a lexeme
// are listed in groups of nearly equal weight, by one range of tokens. The digits from 18 on are those of lexemes in the
// context of their passage.

const base = 36
const lexemeDigits = 7
const contextDigit = base / 2
const maxCount = contextDigit - 1

/**
 * Number of length classes per doubling of a passage's length. With 2, finding the best ten of 100,000 points took
 * twice the time, because many more points had to be read.
 */
const classes = 8
const classOf = (length: number): number => Math.min(base ** 2 - 1, Math.floor(classes * Math.log2(length)))

const digits = (value: number, count: number): string => value.toString(base).padStart(count, '0')

/** Returns the prefix of a lexeme's tokens, without the partition number. `l` marks lexemes. */
export const lexemePrefix = (id: number): string => `l${digits(id, lexemeDigits)}`

const digitOf = (count: number): number =>
  Math.min(maxCount, count & maxOccurrences) + (count >= inContext ? contextDigit : 0)

/** Returns the tokens of a passage's lexemes, without the number of the partition. */
export const lexemeTokens = ({ ids, counts }: Lexemes): string[] => {
  const ofLength = digits(classOf(Math.max(1, lengthOf(counts))), 2)
  return Array.from(ids, (id, index) => `${lexemePrefix(id)}${digits(digitOf(counts[index]!), 1)}${ofLength}`)
}

/**
 * Returns the largest count and the smallest length that passages with a token can have, which give the largest weight.
 */
export const boundsOf = (token: string): { readonly count: number; readonly length: number } => {
  const digit = Number.parseInt(token.at(-3) as string, base)
  const length = Math.ceil(2 ** (Number.parseInt(token.slice(-2), base) / classes))
  const occurrences = digit % contextDigit
  const count = occurrences === maxCount ? maxOccurrences : occurrences
  return { count: digit >= contextDigit ? count + inContext : count, length }
}
