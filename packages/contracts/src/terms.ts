import { exactDigits } from './exact-json.ts'
import type { UserObject } from './metadata.ts'
import { fold, foldLoosely } from './text.ts'

// One side is written when a passage is indexed, the other when a query is read: both come from here, so that they agree for ever.
// A change of these rules needs a re-index of what is stored.

/** `key:value` as it is stored and asked for: case apart, and a hyphen is a space (a query can't hold a space within a value). */
export const metadataTerm = (key: string, value: string): string => `${foldLoosely(key)}:${foldLoosely(value)}`

const isScalar = (value: unknown): value is string | number | boolean | null =>
  value === null || typeof value !== 'object'

/** The texts a value answers to: of an integer with more digits than a number holds, also that of the nearest number. */
const textsOf = (value: unknown): string[] => {
  const exact = exactDigits(value)
  if (exact !== undefined) return [exact, String(Number(exact))]
  return isScalar(value) ? [String(value)] : []
}

/** Every term of an item's metadata: scalars by their text, arrays by their scalar elements; objects are not filterable. Distinct. */
export const metadataTerms = (metadata: UserObject): string[] => {
  const terms = new Set<string>()
  for (const key of Object.keys(metadata)) {
    const value = metadata[key]
    for (const element of Array.isArray(value) ? value : [value])
      for (const text of textsOf(element)) terms.add(metadataTerm(key, text))
  }
  return [...terms]
}

// A word is a run of letters, digits and underscores, with the signs that make another word of it (C++, C#, F#) when nothing
// follows them. Scripts written without spaces give one word per character, so that a query finds a part of a sentence.
const unspaced = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]`
const letter = String.raw`[[\p{L}\p{N}\p{M}_]--${unspaced}]`
const pattern = new RegExp(
  String.raw`${unspaced}|\p{Extended_Pictographic}|(${letter}+)([+#]+(?![\p{L}\p{N}\p{M}_+#]))?`,
  'gv',
)

/** The words of a filter, each of which must be in a passage: `a-b` asks for both `a` and `b`, `c++` for nothing less than `c++`. Distinct. */
export const queryWords = (text: string): string[] => [...new Set(fold(text).match(pattern) ?? [])]

/** The words a passage answers to: those of `queryWords`, and `c` too where it says `c++`. Distinct. */
export const passageWords = (text: string): string[] => {
  const words = new Set<string>()
  for (const [whole, plain] of fold(text).matchAll(pattern)) {
    words.add(whole)
    if (plain !== undefined) words.add(plain)
  }
  return [...words]
}
