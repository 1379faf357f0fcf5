import { inContext, type Lexemes, maxOccurrences } from '@cairn/domain/ports/vector-index'
import { lengthClassOf, lengthOf, maxCounted } from '../bm25.ts'

// A lexeme's token ends in three digits: one for its count, two for the length class of its passage. So the points of a
// lexeme are listed in groups of one weight, by one range of tokens. The digits from 18 on are those of lexemes in the
// context of their passage.

const base = 36
const lexemeDigits = 7
const contextDigit = maxCounted + 1

const digits = (value: number, count: number): string => value.toString(base).padStart(count, '0')

/** Returns the prefix of a lexeme's tokens, without the partition number. `l` marks lexemes. */
export const lexemePrefix = (id: number): string => `l${digits(id, lexemeDigits)}`

const digitOf = (count: number): number =>
  Math.min(maxCounted, count & maxOccurrences) + (count >= inContext ? contextDigit : 0)

/** Returns the tokens of a passage's lexemes, without the number of the partition. */
export const lexemeTokens = ({ ids, counts }: Lexemes): string[] => {
  const ofLength = digits(Math.min(base ** 2 - 1, lengthClassOf(lengthOf(counts))), 2)
  return Array.from(ids, (id, index) => `${lexemePrefix(id)}${digits(digitOf(counts[index]!), 1)}${ofLength}`)
}

/** Returns the count, as in `Lexemes.counts`, and the length class of the passages with a token. */
export const countAndLengthOf = (token: string): { readonly count: number; readonly lengthClass: number } => {
  const digit = Number.parseInt(token.at(-3) as string, base)
  const lengthClass = Number.parseInt(token.slice(-2), base)
  return { count: digit >= contextDigit ? digit - contextDigit + inContext : digit, lengthClass }
}
