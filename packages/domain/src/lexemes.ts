import { defaultLanguage, type Language } from '@cairn/contracts/languages'
import { limits } from '@cairn/contracts/limits'
import { fold } from '@cairn/contracts/text'
import { newStemmer } from 'snowball-stemmers'
import type { Lexemes } from './ports/vector-index.ts'

// Passages and queries are compared by these lexemes, so a change of the rules requires that all points are written
// again.

// In scripts without spaces, word boundaries are not visible: each character is a lexeme, and so is each pair of
// adjacent characters, because most words of these scripts have two characters.
const unspaced = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]`
const letter = String.raw`[[\p{L}\p{N}\p{M}]--${unspaced}]`
/**
 * Matches a run of a script without spaces, a pictograph, a word, or an identifier: words joined by one sign each, such
 * as `ERR_4021`, `foo.bar`, `RX-78-2`, `can't`.
 */
const pattern = new RegExp(
  String.raw`${unspaced}+|\p{Extended_Pictographic}|${letter}+(?:[._\-:\/@'’]${letter}+)*[+#]*`,
  'gv',
)
const parts = new RegExp(`${letter}+`, 'gv')
const isUnspaced = new RegExp(`^${unspaced}`, 'v')
const accents = /[\u0300-\u036f]/g
/**
 * UTF-16 units of a word or identifier that count. Longer runs without a space are hardly words, so the rest is
 * ignored.
 */
const maxWordLength = 64
const maxCount = 255

/** FNV-1a over UTF-16 units: 32 bits, the width of an index of a sparse vector. */
const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value >>> 0
}

/** Names of the stemmers. */
const algorithms: Readonly<Record<Exclude<Language, 'none'>, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  cs: 'czech',
  da: 'danish',
  de: 'german',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hu: 'hungarian',
  hy: 'armenian',
  it: 'italian',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sl: 'slovene',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
}

const plain = (word: string): string => word.normalize('NFD').replace(accents, '')

type Stem = (word: string) => string
const stems = new Map<Language, Stem>()

/** Returns the function that strips endings and accents from a word of letters. */
const stemOf = (language: Language): Stem => {
  const found = stems.get(language)
  if (found) return found
  const stemmer = language === 'none' ? undefined : newStemmer(algorithms[language])
  const letters = language === 'en' ? /^[a-z]+$/ : /^\p{L}+$/u
  const created: Stem = (word) => {
    // In English, accents are stripped before stemming. In other languages endings depend on accents, so these are
    // stripped afterwards.
    const spelled = language === 'en' ? plain(word) : word.normalize('NFC')
    return plain(stemmer && letters.test(spelled) ? stemmer.stem(spelled) : spelled)
  }
  stems.set(language, created)
  return created
}

/** Returns the lexemes of one match of `pattern` in a folded text. */
const analyze = (match: string, language: Language): number[] => {
  if (isUnspaced.test(match)) {
    const characters = [...match]
    const pairs = characters.slice(1).map((character, index) => `${characters[index]}${character}`)
    return [...characters, ...pairs].map(hash)
  }
  const whole = plain(match).slice(0, maxWordLength)
  const words = match.slice(0, maxWordLength).match(parts) ?? []
  const stem = stemOf(language)
  // The stem of an English genitive or contraction is in the first part; the letters after the apostrophe are no use in
  // a search.
  if (/^[a-z]+['’][a-z]{1,2}$/.test(whole)) return [hash(stem(words[0] ?? whole))]
  const found = words.map((word) => hash(stem(word)))
  return words.length === 1 && plain(words[0] as string) === whole ? found : [...found, hash(whole)]
}

/** Cache of the lexemes of recent words, by language: most words soon occur again. */
const known = new Map<Language, Map<string, readonly number[]>>()
const maxCached = 50_000
let knownCount = 0

const forget = (): void => {
  known.clear()
  knownCount = 0
}

const lexemesIn = (match: string, language: Language): readonly number[] => {
  const found = known.get(language)?.get(match)
  if (found) return found
  const lexemes = analyze(match, language)
  if (knownCount >= maxCached) forget()
  if (match.length > maxWordLength) return lexemes
  const words = known.get(language) ?? new Map<string, readonly number[]>()
  known.set(language, words.set(match, lexemes))
  knownCount += 1
  return lexemes
}

/** Counts the lexemes of a text, in the order of their first occurrence, until there are `limit` of them. */
const countLexemes = (text: string, language: Language, limit: number): Map<number, number> => {
  const counts = new Map<number, number>()
  for (const [match] of fold(text).matchAll(pattern)) {
    for (const lexeme of lexemesIn(match, language)) {
      if (counts.size >= limit && !counts.has(lexeme)) return counts
      counts.set(lexeme, Math.min(maxCount, (counts.get(lexeme) ?? 0) + 1))
    }
  }
  return counts
}

/**
 * Returns the lexemes of a text: its words without case, accents and the language's endings, each as a 32-bit number,
 * with their counts. Words joined by signs count as a whole and in parts, so that `ERR_4021` is found by itself and by
 * `4021`.
 */
export const lexemesOf = (text: string, language: Language = defaultLanguage): Lexemes => {
  const counts = countLexemes(text, language, Number.POSITIVE_INFINITY)
  const ids = Uint32Array.from(counts.keys()).sort()
  return { ids, counts: Uint8Array.from(ids, (id) => counts.get(id) ?? 0) }
}

/** Returns the distinct lexemes of a query, ascending: the first ones of a very long query. */
export const queryLexemesOf = (text: string, language: Language): Uint32Array =>
  Uint32Array.from(countLexemes(text, language, limits.queryLexemes).keys()).sort()
