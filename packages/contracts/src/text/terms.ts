import type { UserObject } from '../documents/metadata.ts'
import { exactDigits } from '../json/exact-json.ts'
import { fold, foldLoosely } from './text.ts'

// Indexing and queries both derive their terms from this file, so that the terms always agree. After a change of these
// rules, all stored data must be re-indexed.

/**
 * Returns `key:value` as it is stored and queried: case is ignored, and a hyphen becomes a space, because a query can't
 * have a space within a value.
 */
export const metadataTerm = (key: string, value: string): string => `${foldLoosely(key)}:${foldLoosely(value)}`

const isScalar = (value: unknown): value is string | number | boolean | null =>
  value === null || typeof value !== 'object'

/**
 * Returns the texts by which a filter matches a value. An integer beyond the precision of a number also has the text of
 * the nearest number.
 */
const textsOf = (value: unknown): string[] => {
  const exact = exactDigits(value)
  if (exact !== undefined) return [exact, String(Number(exact))]
  return isScalar(value) ? [String(value)] : []
}

/**
 * Returns the distinct terms of an item's metadata: scalars by their text, arrays by their scalar elements; objects are
 * not filterable.
 */
export const metadataTerms = (metadata: UserObject): string[] => {
  const terms = new Set<string>()
  for (const key of Object.keys(metadata)) {
    const value = metadata[key]
    for (const element of Array.isArray(value) ? value : [value])
      for (const text of textsOf(element)) terms.add(metadataTerm(key, text))
  }
  return [...terms]
}

// A word is a run of letters, digits and underscores, including trailing signs that change its meaning (C++, C#, F#),
// unless more signs follow. In scripts without spaces, each character is a word, so that a query finds a part of a
// sentence.
const unspaced = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]`
const letter = String.raw`[[\p{L}\p{N}\p{M}_]--${unspaced}]`
const pattern = new RegExp(
  String.raw`${unspaced}|\p{Extended_Pictographic}|(${letter}+)([+#]+(?![\p{L}\p{N}\p{M}_+#]))?`,
  'gv',
)

/**
 * Returns the distinct words of a filter, which must all occur in a passage: `a-b` requires both `a` and `b`, `c++`
 * matches only `c++`.
 */
export const queryWords = (text: string): string[] => [...new Set(fold(text).match(pattern) ?? [])]

/** Returns the distinct words that match a passage: the words of `queryWords`, and for `c++` also `c`. */
export const passageWords = (text: string): string[] => {
  const words = new Set<string>()
  for (const [whole, plain] of fold(text).matchAll(pattern)) {
    words.add(whole)
    if (plain !== undefined) words.add(plain)
  }
  return [...words]
}
