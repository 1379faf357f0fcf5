import { limits } from '@cairn/contracts/limits'
import { defaultLanguage, type Language } from '@cairn/contracts/text/languages'
import { inContext, type Lexemes, maxOccurrences } from '../ports/vector-index.ts'
import { hash } from './lexemes/hash.ts'
import { namesInPath, partsOfWord } from './lexemes/identifiers.ts'
import { foldWord, normalized } from './lexemes/normalize.ts'
import { numberForms } from './lexemes/numbers.ts'
import { stemmed } from './lexemes/stem.ts'
import { lexemesVersion } from './lexemes-version.ts'

// Scripts without spaces show no word boundaries: each character and each pair of neighbors is a lexeme, because most
// of their words have two characters.
const unspaced = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]`
const letter = String.raw`[[\p{L}\p{N}\p{M}]--${unspaced}]`
const sign = String.raw`(?:[._\-:\/\\@'’]|::)`
const url = String.raw`[A-Za-z][A-Za-z0-9+.\-]{1,15}:\/\/[[\p{L}\p{N}\p{M}._~:\/?#\[\]@!$&'\(\)*+,;=%\-]--${unspaced}]+`
/** Signs between digits, but no part of a list, a date or a version. */
const number = [
  `(?<!${letter}${sign}?|,)`,
  String.raw`(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d{1,3}(?:['’]\d{3})+(?:[.,]\d+)?|\d+[.,]\d+)`,
  `(?!${letter}|(?:${sign}|,)${letter})`,
].join('')
/** Words joined by one sign each: `ERR_4021`, `foo.bar`, `RX-78-2`, `can't`. */
const word = `${letter}+(?:${sign}${letter}+)*[+#]*`
const matchOf = String.raw`(?<number>${number})|(?<unspaced>${unspaced}+)|(?<word>${word}|\p{Extended_Pictographic})`
const pattern = new RegExp(`(?<url>${url})|${matchOf}`, 'gv')
/** URLs within a URL are not matched: nesting has no bound. */
const patternInUrl = new RegExp(matchOf, 'gv')
const words = new RegExp(`${letter}+`, 'gv')
/** A word has no signs; a picture counts as one. */
const isWord = new RegExp(`^(?:${letter}+|\\p{Extended_Pictographic})$`, 'v')
/** Particles follow names and verbs of Korean without a space. */
const hangul = /^\p{sc=Hangul}{3,}$/u
const englishContraction = /^[a-z]+['’][a-z]{1,2}$/

const pairsOf = (text: string): string[] => {
  const characters = Array.from(text)
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

/** Most words soon occur again, and stemming costs far more than a look-up. */
type Words = {
  get(word: string): readonly number[] | undefined
  set(word: string, lexemes: readonly number[]): unknown
}

/** `isQuery`: of a query, not a text. `known`: lexemes by these rules. */
type Rules = { readonly language: Language; readonly isQuery: boolean; readonly known: Words }

const hasDigit = /\p{N}/u

const textsOfWord = (one: string, { language, isQuery }: Rules): string[] => {
  const whole = stemmed(one, language)
  if (hangul.test(one)) return [whole, ...pairsOf(one)]
  // Texts with another `4021` must not outrank this one.
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
  // An English genitive or contraction has its stem in the first part; the rest says nothing.
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

/** Removes the signs of a sentence that ends with the URL. A regular expression would take quadratic time. */
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

/** Yields lexemes one by one: a query may have enough of them within a long match. */
function* lexemesIn({ text, kind }: Match, rules: Rules): Generator<number> {
  // Digits of a number may be part of a list elsewhere.
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

/** Words that this process has met last. */
const knownWords = (language: Language): Words => ({
  get: (word) => known.get(language)?.get(word),
  set: (word, lexemes) => {
    if (knownCount >= maxKnown) {
      known.clear()
      knownCount = 0
    }
    const ofLanguage = known.get(language) ?? new Map<string, readonly number[]>()
    // A copy: a part of a string keeps the whole string, here the document, in memory.
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
 * Lexemes of a text and its context, such as the title above it: words without case, accents and endings, as 32-bit
 * numbers. Words joined by signs count whole and in parts (`ERR_4021`, `4021`), numbers in their usual form (`1,234.50`
 * as `1234.5`).
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
 * Rules of query lexemes by version: points keep an earlier version's lexemes until they are written again, so a change
 * adds a version and keeps the rules of the one before.
 */
export const queryRules = new Map<number, (text: string, language: Language) => Iterable<number>>([
  [lexemesVersion, lexemesOfQuery],
])

/**
 * Returns distinct lexemes, ascending; only the first of very many, or of a query that is very long once normalized
 * (one character may become 18).
 */
export const queryLexemesOf = (text: string, language: Language, version: number = lexemesVersion): Uint32Array => {
  const rules = queryRules.get(version)
  if (!rules) throw new Error(`no rules for lexemes of version ${version}`)
  const found = new Set<number>()
  for (const lexeme of rules(text, language)) if (found.add(lexeme).size >= limits.queryLexemes) break
  return Uint32Array.from(found).sort()
}
