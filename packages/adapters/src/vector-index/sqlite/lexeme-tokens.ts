import { inContext, type Lexemes, maxOccurrences } from '@cairn/domain/ports/vector-index'
import { lengthClassOf, lengthOf, maxCounted } from '../bm25.ts'

// A token ends in three digits: one for the lexeme's count, two for the length class of its passage. So one range of
// tokens lists the points of a lexeme in groups of one weight. Digits from 18 on are those of lexemes in the context of
// their passage.

const base = 36
const lexemeDigits = 7
const contextDigit = maxCounted + 1

const digits = (value: number, count: number): string => value.toString(base).padStart(count, '0')

/** Leaves out the partition number. `l` marks lexemes. */
export const lexemePrefix = (id: number): string => `l${digits(id, lexemeDigits)}`

const digitOf = (count: number): number =>
  Math.min(maxCounted, count & maxOccurrences) + (count >= inContext ? contextDigit : 0)

/** Leaves out the partition number. */
export const lexemeTokens = ({ ids, counts }: Lexemes): string[] => {
  const ofLength = digits(Math.min(base ** 2 - 1, lengthClassOf(lengthOf(counts))), 2)
  return Array.from(ids, (id, index) => `${lexemePrefix(id)}${digits(digitOf(counts[index]!), 1)}${ofLength}`)
}

/** The count is as in `Lexemes.counts`. */
export const countAndLengthOf = (token: string): { readonly count: number; readonly lengthClass: number } => {
  const digit = Number.parseInt(token.at(-3) as string, base)
  const lengthClass = Number.parseInt(token.slice(-2), base)
  return { count: digit >= contextDigit ? digit - contextDigit + inContext : digit, lengthClass }
}
