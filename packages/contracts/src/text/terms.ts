import type { UserObject } from '../documents/metadata.ts'
import { exactDigits } from '../json/exact-json.ts'
import { fold, foldLoosely } from './text.ts'

// Indexing and queries both use this file, so that terms agree. After a change, all stored data must be re-indexed.

/** Ignores case; makes hyphens spaces, because a query can't have a space within a value. */
export const metadataTerm = (key: string, value: string): string => `${foldLoosely(key)}:${foldLoosely(value)}`

const isScalar = (value: unknown): value is string | number | boolean | null =>
  value === null || typeof value !== 'object'

/** An integer beyond the precision of a number also has the nearest number's text. */
const textsOf = (value: unknown): string[] => {
  const exact = exactDigits(value)
  if (exact !== undefined) return [exact, String(Number(exact))]
  return isScalar(value) ? [String(value)] : []
}

/** Scalars by their text, arrays by their scalar elements; objects are not filterable. */
export const metadataTerms = (metadata: UserObject): string[] => {
  const terms = new Set<string>()
  for (const key of Object.keys(metadata)) {
    const value = metadata[key]
    for (const element of Array.isArray(value) ? value : [value])
      for (const text of textsOf(element)) terms.add(metadataTerm(key, text))
  }
  return [...terms]
}

// Letters, digits and underscores, with trailing signs that change the meaning (C++, C#), unless more signs follow. In
// scripts without spaces, each character, so that a query finds a part of a sentence.
const unspaced = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]`
const letter = String.raw`[[\p{L}\p{N}\p{M}_]--${unspaced}]`
const pattern = new RegExp(
  String.raw`${unspaced}|\p{Extended_Pictographic}|(${letter}+)([+#]+(?![\p{L}\p{N}\p{M}_+#]))?`,
  'gv',
)

/** Returns words that must all occur in a passage: `a-b` requires `a` and `b`, `c++` matches only `c++`. */
export const queryWords = (text: string): string[] => [...new Set(fold(text).match(pattern) ?? [])]

/** Returns the words of `queryWords`, and for `c++` also `c`. */
export const passageWords = (text: string): string[] => {
  const words = new Set<string>()
  for (const [whole, plain] of fold(text).matchAll(pattern)) {
    words.add(whole)
    if (plain !== undefined) words.add(plain)
  }
  return [...words]
}
