import { limits } from '@cairn/contracts/limits'
import type { Language } from '@cairn/contracts/text/languages'
import { fold } from '@cairn/contracts/text/text'
import { hash } from './hash.ts'
import { stemmerOf } from './stem.ts'

// The rules of version 1, for queries of namespaces whose points are still being written again. They never change.

const unspaced = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]`
const letter = String.raw`[[\p{L}\p{N}\p{M}]--${unspaced}]`
const pattern = new RegExp(
  String.raw`${unspaced}+|\p{Extended_Pictographic}|${letter}+(?:[._\-:\/@'’]${letter}+)*[+#]*`,
  'gv',
)
const parts = new RegExp(`${letter}+`, 'gv')
const isUnspaced = new RegExp(`^${unspaced}`, 'v')
const accents = /[\u0300-\u036f]/g
const maxWordLength = 64

const plain = (word: string): string => word.normalize('NFD').replace(accents, '')

const stem = (word: string, language: Language): string => {
  const letters = language === 'en' ? /^[a-z]+$/ : /^\p{L}+$/u
  const spelled = language === 'en' ? plain(word) : word.normalize('NFC')
  return plain(language !== 'none' && letters.test(spelled) ? stemmerOf(language)(spelled) : spelled)
}

const analyze = (match: string, language: Language): string[] => {
  if (isUnspaced.test(match)) {
    const characters = [...match]
    return [...characters, ...characters.slice(1).map((character, index) => `${characters[index]}${character}`)]
  }
  const whole = plain(match).slice(0, maxWordLength)
  const words = match.slice(0, maxWordLength).match(parts) ?? []
  if (/^[a-z]+['’][a-z]{1,2}$/.test(whole)) return [stem(words[0] ?? whole, language)]
  const found = words.map((word) => stem(word, language))
  return words.length === 1 && plain(words[0] as string) === whole ? found : [...found, whole]
}

/** Yields the lexemes of a query by version 1, in the order of their first occurrence. */
export function* formerLexemesIn(text: string, language: Language): Generator<number> {
  const matches = new Set<string>()
  for (const [match] of fold(text).slice(0, limits.foldedQueryLength).matchAll(pattern))
    if (matches.size < matches.add(match).size) yield* analyze(match, language).map(hash)
}
