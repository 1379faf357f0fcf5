import { defaultLanguage, type Language } from '@cairn/contracts/languages'
import { limits } from '@cairn/contracts/limits'
import { formerLexemesIn } from './lexemes/former.ts'
import { hash } from './lexemes/hash.ts'
import { namesInPath, partsOfWord } from './lexemes/identifiers.ts'
import { foldWord, normalized } from './lexemes/normalize.ts'
import { numberForms } from './lexemes/numbers.ts'
import { stemmed } from './lexemes/stem.ts'
import { lexemesVersion } from './lexemes-version.ts'
import { inContext, type Lexemes, maxOccurrences } from './ports/vector-index.ts'

// In scripts without spaces, word boundaries are not visible: each character is a lexeme, and so is each pair of
// adjacent characters, because most words of these scripts have two characters.
const unspaced = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]`
const letter = String.raw`[[\p{L}\p{N}\p{M}]--${unspaced}]`
const sign = String.raw`(?:[._\-:\/\\@'’]|::)`
const url = String.raw`[A-Za-z][A-Za-z0-9+.\-]{1,15}:\/\/[[\p{L}\p{N}\p{M}._~:\/?#\[\]@!$&'\(\)*+,;=%\-]--${unspaced}]+`
/** A number with signs between its digits that is no part of a list, a date or a version. */
const number = [
  `(?<!${letter}${sign}?|,)`,
  String.raw`(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d{1,3}(?:['’]\d{3})+(?:[.,]\d+)?|\d+[.,]\d+)`,
  `(?!${letter}|(?:${sign}|,)${letter})`,
].join('')
/** A word, or an identifier: words joined by one sign each, such as `ERR_4021`, `foo.bar`, `RX-78-2`, `can't`. */
const word = `${letter}+(?:${sign}${letter}+)*[+#]*`
const matchOf = String.raw`(?<number>${number})|(?<unspaced>${unspaced}+)|(?<word>${word}|\p{Extended_Pictographic})`
const pattern = new RegExp(`(?<url>${url})|${matchOf}`, 'gv')
/** A URL within a URL is not a URL again: nesting has no bound. */
const patternInUrl = new RegExp(matchOf, 'gv')
const words = new RegExp(`${letter}+`, 'gv')
/** Names and verbs of Korean are followed by particles without a space. */
const hangul = /^\p{sc=Hangul}{3,}$/u
const englishContraction = /^[a-z]+['’][a-z]{1,2}$/

const pairsOf = (text: string): string[] => {
  const characters = Array.from(text)
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

/** `isQuery`: whether the lexemes are those of a query, not of a text. */
type Rules = { readonly language: Language; readonly isQuery: boolean }

const hasDigit = /\p{N}/u

const lexemesOfWord = (one: string, { language, isQuery }: Rules): string[] => {
  const whole = stemmed(one, language)
  if (hangul.test(one)) return [whole, ...pairsOf(one)]
  // The digits of `ERR4021` are found by themselves, but texts with another `4021` must not outrank this one.
  if (isQuery && hasDigit.test(one)) return [whole]
  return [whole, ...partsOfWord(one).map((part) => stemmed(part, language))]
}

const lexemesOfIdentifier = (match: string, rules: Rules): string[] => {
  const whole = foldWord(match)
  const [first = match, ...others] = match.match(words) ?? []
  if (first === match) return lexemesOfWord(match, rules)
  // The stem of an English genitive or contraction is in its first part; the rest is a letter that says nothing.
  if (englishContraction.test(whole)) return [stemmed(first, rules.language)]
  const names = Array.from(namesInPath(match), foldWord)
  return [...[first, ...others].flatMap((one) => lexemesOfWord(one, rules)), ...names, whole]
}

type Match = { readonly text: string; readonly kind: 'url' | 'number' | 'unspaced' | 'word' }

function* matchesIn(text: string, of = pattern): Generator<Match> {
  for (const { 0: match, groups } of text.matchAll(of)) {
    const { url: address, number: digits, unspaced: run } = groups as Record<string, string | undefined>
    const kind = address ? 'url' : digits ? 'number' : run ? 'unspaced' : 'word'
    yield { text: match, kind }
  }
}

/** Removes the signs of the sentence that a URL ends. A regular expression would take quadratic time. */
const withoutEndSigns = (url: string): string => {
  let end = url.length
  while (end > 0 && ".,;:!?'])".includes(url.charAt(end - 1))) end -= 1
  return url.slice(0, end)
}

const textsOf = ({ text, kind }: Match, rules: Rules): string[] => {
  // `9,5` may be a list of two.
  if (kind === 'number') return [...numberForms(text), ...(/^\d+,\d+$/.test(text) ? text.split(',') : [])]
  if (kind === 'unspaced') return [...text, ...pairsOf(text)]
  if (kind === 'word') return lexemesOfIdentifier(text, rules)
  const address = withoutEndSigns(text)
  const rest = address.slice(address.indexOf('://') + 3)
  return [foldWord(address), ...[...matchesIn(rest, patternInUrl)].flatMap((match) => textsOf(match, rules))]
}

/** Cache of the lexemes of recent words, by language: most words soon occur again. */
const known = new Map<Language, Map<string, readonly number[]>>()
const maxCached = 50_000
const maxCachedLength = 64
let knownCount = 0

const lexemesIn = (match: Match, language: Language): readonly number[] => {
  const { text, kind } = match
  const rules = { language, isQuery: false }
  // Digits of a number in one place may be part of a list in another.
  if (kind === 'number') return textsOf(match, rules).map(hash)
  const found = known.get(language)?.get(text)
  if (found) return found
  const lexemes = textsOf(match, rules).map(hash)
  if (text.length > maxCachedLength) return lexemes
  if (knownCount >= maxCached) {
    known.clear()
    knownCount = 0
  }
  const ofLanguage = known.get(language) ?? new Map<string, readonly number[]>()
  // A copy, because a part of a string keeps the whole string in memory: here the whole document.
  known.set(language, ofLanguage.set(Buffer.from(text).toString(), lexemes))
  knownCount += 1
  return lexemes
}

function* lexemesOfText(text: string, language: Language): Generator<number> {
  for (const match of matchesIn(normalized(text))) yield* lexemesIn(match, language)
}

function* lexemesOfQuery(text: string, language: Language): Generator<number> {
  for (const match of matchesIn(normalized(text))) yield* textsOf(match, { language, isQuery: true }).map(hash)
}

/**
 * Returns the lexemes of a text and of its context, such as the title above it: words without case, accents and the
 * endings of the language, each as a 32-bit number. Words joined by signs count as a whole and in parts, so that
 * `ERR_4021` is found by itself and by `4021`; numbers count in their usual form, so that `1,234.50` is found by `1234.5`.
 */
export const lexemesOf = (text: string, language: Language = defaultLanguage, context = ''): Lexemes => {
  const counts = new Map<number, number>()
  for (const lexeme of lexemesOfText(text, language))
    counts.set(lexeme, Math.min(maxOccurrences, (counts.get(lexeme) ?? 0) + 1))
  for (const lexeme of lexemesOfText(context, language)) counts.set(lexeme, (counts.get(lexeme) ?? 0) | inContext)
  const ids = Uint32Array.from(counts.keys()).sort()
  return { ids, counts: Uint8Array.from(ids, (id) => counts.get(id) ?? 0) }
}

/**
 * Returns the distinct lexemes of a query by the rules of this version, ascending: the first ones of a very long query.
 */
export const queryLexemesOf = (text: string, language: Language, version: number = lexemesVersion): Uint32Array => {
  const found = new Set<number>()
  const lexemes = version < lexemesVersion ? formerLexemesIn(text, language) : lexemesOfQuery(text, language)
  for (const lexeme of lexemes) if (found.add(lexeme).size >= limits.queryLexemes) break
  return Uint32Array.from(found).sort()
}
