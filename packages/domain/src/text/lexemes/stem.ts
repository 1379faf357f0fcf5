import type { Language } from '@cairn/contracts/text/languages'
import { fold } from '@cairn/contracts/text/text'
import { newStemmer } from 'snowball-stemmers'
import { withoutAccents, withoutLooseAccents } from './normalize.ts'

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

/** Their endings count in every namespace: no other language here has the script. */
const ofScript: readonly (readonly [word: RegExp, Language])[] = [
  [/^\p{sc=Cyrillic}/u, 'ru'],
  [/^\p{sc=Arabic}/u, 'ar'],
  [/^\p{sc=Armenian}/u, 'hy'],
  [/^\p{sc=Tamil}/u, 'ta'],
]
const latin = /^\p{sc=Latin}/u
const notLatin: ReadonlySet<Language> = new Set(ofScript.map(([, language]) => language))

/** Words of other scripts have endings of their own. */
const languageOf = (word: string, language: Language): Language => {
  if (language === 'none' || /^\p{ASCII}/u.test(word) || latin.test(word))
    return notLatin.has(language) ? 'en' : language
  return ofScript.find(([letters]) => letters.test(word))?.[1] ?? 'none'
}

/**
 * Case, number and gender in Hindi and its neighbors: vowel signs and nasals, `ya` before them. Without the lookbehind,
 * a long row of signs inside a word would take quadratic time.
 */
const devanagariEnding = /(?:\u093f?\u092f)?(?<![\u093e-\u094c\u0900-\u0903])[\u093e-\u094c\u0900-\u0903]+$/u

const withoutDevanagariEnding = (word: string): string => {
  const stem = word.replace(devanagariEnding, '')
  return Array.from(stem).length >= 2 ? stem : word
}

/** Longer words have no stem: some stemmers copy the word for each letter they remove. */
const maxStemmedLength = 100

type Stemmer = (word: string) => string
const stemmers = new Map<Language, Stemmer>()

/** The stemmer takes folded words of letters. */
export const stemmerOf = (language: Exclude<Language, 'none'>): Stemmer => {
  const found = stemmers.get(language)
  if (found) return found
  const created = newStemmer(algorithms[language])
  const stemmer: Stemmer = (word) => created.stem(word)
  stemmers.set(language, stemmer)
  return stemmer
}

/** Returns a folded word in the spelling that the language's stemmer expects. */
const spelledFor = (language: Language, folded: string): string => {
  // English words have no accents; elsewhere endings depend on them.
  if (language === 'en') return withoutAccents(folded)
  // They mark stress, as dictionaries and textbooks print it.
  const unstressed = withoutLooseAccents(folded)
  // Most Russian texts have `е` for `ё`, which the stemmer doesn't know as a vowel.
  return language === 'ru' ? unstressed.replaceAll('ё', 'е') : unstressed
}

/** Keeps all endings if `language`, that of the namespace, is `none`. */
export const stemmed = (word: string, language: Language): string => {
  const folded = fold(word)
  if (language !== 'none' && /^\p{sc=Devanagari}/u.test(folded)) return withoutDevanagariEnding(folded)
  const own = languageOf(folded, language)
  if (own === 'none') return withoutAccents(folded)
  const spelled = spelledFor(own, folded)
  const isWord = own === 'en' ? /^[a-z]+$/.test(spelled) : /^[\p{L}\p{M}]+$/u.test(spelled)
  return isWord && spelled.length <= maxStemmedLength
    ? withoutAccents(stemmerOf(own)(spelled))
    : withoutAccents(spelled)
}
