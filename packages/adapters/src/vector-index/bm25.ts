import { inContext, type Lexemes, maxOccurrences } from '@cairn/domain/ports/vector-index'
import { lowerBound } from '@cairn/domain/text/lower-bound'
import { rarity } from '@cairn/domain/text/rarity'

/** As in Lucene: `k1` limits the weight of repeated words; `b` is how strongly the passage's length lowers it. */
const k1 = 1.2
const b = 0.75

/** A word in the context of a passage has this weight, whatever the context's length; see docs/evaluation.md. */
const contextWeight = 0.85
/** In a passage and its context, for a word of weight 1. */
export const maxWordWeight = k1 + 1 + contextWeight

/** Length classes per doubling of a passage's length. */
const classesPerDoubling = 8
/** Further occurrences of a word do not add to its weight. */
export const maxCounted = 17

/** Counts from 0. All lengths of a class have one weight, as in Lucene. */
export const lengthClassOf = (length: number): number => Math.floor(classesPerDoubling * Math.log2(Math.max(1, length)))
/** Returns the middle of a class, by which its passages are weighed. */
export const lengthOfClass = (lengthClass: number): number => 2 ** ((lengthClass + 0.5) / classesPerDoubling)

/**
 * `count` is that of `Lexemes.counts`, `averageLength` in words. A passage's BM25 is the sum of `rarity` times this
 * over the words of a query.
 */
export const wordWeight = (count: number, lengthClass: number, averageLength: number): number => {
  const occurrences = Math.min(maxCounted, count & maxOccurrences)
  const ratio = lengthOfClass(lengthClass) / averageLength
  const ofText = (occurrences * (k1 + 1)) / (occurrences + k1 * (1 - b + b * ratio))
  return count >= inContext ? ofText + contextWeight : ofText
}

/** Counts words without those of the context. */
export const lengthOf = (counts: Uint8Array): number => counts.reduce((sum, count) => sum + (count & maxOccurrences), 0)

/** `frequency`: points of the namespace that contain the word. */
export type Word = { readonly lexeme: number; readonly frequency: number; readonly rarity: number }
/** Rarest first. `weight` is the sum of the words' weights. */
export type Words = { readonly averageLength: number; readonly words: readonly Word[]; readonly weight: number }

/** Statistics may be older than a point: words without statistics are searched too, and an average of 0 counts as 1. */
export const wordsFrom = (
  frequencies: readonly (readonly [lexeme: number, frequency: number])[],
  { points, averageLength }: { readonly points: number; readonly averageLength: number },
): Words => {
  const words = frequencies
    .map(([lexeme, frequency]) => ({ lexeme, frequency, rarity: rarity(points, frequency) }))
    .sort((one, other) => other.rarity - one.rarity)
  const weight = words.reduce((sum, word) => sum + word.rarity, 0)
  return { averageLength: Math.max(1, averageLength), words, weight }
}

/** Both are 0 if the passage has no lexemes. See `WordHit`. */
export const scoreWords = (
  { averageLength, words, weight }: Words,
  lexemes: (Lexemes & { readonly length: number }) | undefined,
): { readonly bm25: number; readonly matched: number } => {
  let [bm25, found] = [0, 0]
  const lengthClass = lengthClassOf(lexemes?.length ?? 1)
  for (const word of lexemes ? words : []) {
    const index = lowerBound(lexemes!.ids, word.lexeme)
    if (lexemes!.ids[index] !== word.lexeme) continue
    bm25 += word.rarity * wordWeight(lexemes!.counts[index]!, lengthClass, averageLength)
    found += word.rarity
  }
  return { bm25, matched: weight === 0 ? 0 : Math.min(1, found / weight) }
}
