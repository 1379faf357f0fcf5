import { limits } from '@cairn/contracts/limits'
import { defaultLanguage, type Language } from '@cairn/contracts/text/languages'
import { inContext, type Lexemes, maxOccurrences } from '../ports/vector-index.ts'
import { hash } from './lexemes/hash.ts'
import { namesInPath, partsOfWord } from './lexemes/identifiers.ts'
import { foldWord, normalized } from './lexemes/normalize.ts'
import { numberForms } from './lexemes/numbers.ts'
import { stemmed } from './lexemes/stem.ts'
import { lexemesVersion } from './lexemes-version.ts'

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
/** A word without signs; a picture counts as one. */
const isWord = new RegExp(`^(?:${letter}+|\\p{Extended_Pictographic})$`, 'v')
/** Names and verbs of Korean are followed by particles without a space. */
const hangul = /^\p{sc=Hangul}{3,}$/u
const englishContraction = /^[a-z]+['’][a-z]{1,2}$/

const pairsOf = (text: string): string[] => {
  const characters = Array.from(text)
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

/** Lexemes by word. Most words soon occur again, and stemming a word costs far more than finding it here. */
type Words = {
  get(word: string): readonly number[] | undefined
  set(word: string, lexemes: readonly number[]): unknown
}

/** `isQuery`: whether the lexemes are those of a query, not of a text. `known`: lexemes by these rules. */
type Rules = { readonly language: Language; readonly isQuery: boolean; readonly known: Words }

const hasDigit = /\p{N}/u

const textsOfWord = (one: string, { language, isQuery }: Rules): string[] => {
  const whole = stemmed(one, language)
  if (hangul.test(one)) return [whole, ...pairsOf(one)]
  // The digits of `ERR4021` are found by themselves, but texts with another `4021` must not outrank this one.
  if (isQuery && hasDigit.test(one)) return [whole]
  return [whole, ...partsOfWord(one).map((part) => stemmed(part, language))]
}

const maxKeptLength = 64

const lexemesOfWord = (word: string, rules: Rules): readonly number[] => {
  const found = rules.known.get(word)
  if (found) return found
  const lexemes = textsOfWord(word, rules).map(hash)
  if (word.length <= maxKeptLength) rules.known.set(word, lexemes)
  return lexemes
}

function* lexemesOfIdentifier(match: string, rules: Rules): Generator<number> {
  const [first = match, ...others] = match.match(words) ?? []
  const whole = foldWord(match)
  // The stem of an English genitive or contraction is in its first part; the rest is a letter that says nothing.
  if (englishContraction.test(whole)) return yield hash(stemmed(first, rules.language))
  yield* lexemesOfWord(first, rules)
  for (const one of others) yield* lexemesOfWord(one, rules)
  for (const name of namesInPath(match)) yield hash(foldWord(name))
  yield hash(whole)
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

function* lexemesOfNumber(text: string): Generator<number> {
  for (const form of numberForms(text)) yield hash(form)
  // `9,5` may be a list of two.
  if (/^\d+,\d+$/.test(text)) for (const part of text.split(',')) yield hash(part)
}

function* lexemesOfRun(text: string): Generator<number> {
  for (const character of text) yield hash(character)
  for (const pair of pairsOf(text)) yield hash(pair)
}

function* lexemesOfUrl(text: string, rules: Rules): Generator<number> {
  const address = withoutEndSigns(text)
  yield hash(foldWord(address))
  const rest = address.slice(address.indexOf('://') + 3)
  for (const match of matchesIn(rest, patternInUrl)) yield* lexemesIn(match, rules)
}

/** Yields the lexemes one by one, because a query ends within a long match when it has enough of them. */
function* lexemesIn({ text, kind }: Match, rules: Rules): Generator<number> {
  // Digits of a number in one place may be part of a list in another.
  if (kind === 'number') return yield* lexemesOfNumber(text)
  if (kind === 'unspaced') return yield* lexemesOfRun(text)
  if (kind === 'url') return yield* lexemesOfUrl(text, rules)
  const found = rules.known.get(text) ?? (isWord.test(text) ? lexemesOfWord(text, rules) : undefined)
  if (found) return yield* found
  if (text.length > maxKeptLength) return yield* lexemesOfIdentifier(text, rules)
  const lexemes = Array.from(lexemesOfIdentifier(text, rules))
  rules.known.set(text, lexemes)
  yield* lexemes
}

const known = new Map<Language, Map<string, readonly number[]>>()
const maxKnown = 50_000
let knownCount = 0

/** Returns the words of texts of a language that this process has met last. */
const knownWords = (language: Language): Words => ({
  get: (word) => known.get(language)?.get(word),
  set: (word, lexemes) => {
    if (knownCount >= maxKnown) {
      known.clear()
      knownCount = 0
    }
    const ofLanguage = known.get(language) ?? new Map<string, readonly number[]>()
    // A copy, because a part of a string keeps the whole string in memory: here the whole document.
    known.set(language, ofLanguage.set(Buffer.from(word).toString(), lexemes))
    knownCount += 1
  },
})

function* lexemesOfText(text: string, language: Language): Generator<number> {
  const rules = { language, isQuery: false, known: knownWords(language) }
  for (const match of matchesIn(normalized(text))) yield* lexemesIn(match, rules)
}

function* lexemesOfQuery(text: string, language: Language): Generator<number> {
  const rules = { language, isQuery: true, known: new Map<string, readonly number[]>() }
  for (const match of matchesIn(normalized(text).slice(0, limits.foldedQueryLength))) yield* lexemesIn(match, rules)
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
 * Rules of the lexemes of queries, by version. Points keep the lexemes of an earlier version until they are written
 * again, so a change of the rules adds a version and keeps the rules of the version before.
 */
export const queryRules = new Map<number, (text: string, language: Language) => Iterable<number>>([
  [lexemesVersion, lexemesOfQuery],
])

/**
 * Returns the distinct lexemes of a query by the rules of a version, ascending: the first ones of a query that has
 * very many of them, or is very long once its characters are normalized (one may become 18).
 */
export const queryLexemesOf = (text: string, language: Language, version: number = lexemesVersion): Uint32Array => {
  const rules = queryRules.get(version)
  if (!rules) throw new Error(`no rules for lexemes of version ${version}`)
  const found = new Set<number>()
  for (const lexeme of rules(text, language)) if (found.add(lexeme).size >= limits.queryLexemes) break
  return Uint32Array.from(found).sort()
}
