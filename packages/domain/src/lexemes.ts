import { fold } from '@cairn/contracts/text'
import type { Lexemes } from '@cairn/ports/vector-index/port'
import { newStemmer } from 'snowball-stemmers'

// Indexing writes one side of these lexemes, a query the other. A change of these rules requires a re-index.

// Scripts without spaces have no word boundaries that could be seen: each character is a word, and each pair of
// neighbors, which stands for the words of two characters that most of them are.
const unspaced = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]`
const letter = String.raw`[[\p{L}\p{N}\p{M}]--${unspaced}]`
/** A word, or an identifier: words joined by one sign each, such as `ERR_4021`, `foo.bar`, `RX-78-2`, `can't`. */
const pattern = new RegExp(
  String.raw`${unspaced}+|\p{Extended_Pictographic}|${letter}+(?:[._\-:\/@'’]${letter}+)*[+#]*`,
  'gv',
)
const parts = new RegExp(`${letter}+`, 'gv')
const isUnspaced = new RegExp(`^${unspaced}`, 'v')
const accents = /[\u0300-\u036f]/g
/** Longer runs without a space are no words. */
const longestWord = 64
const mostCounted = 255

/** FNV-1a over UTF-16 units: 32 bits, the width of an index of a sparse vector. */
const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}

const english = newStemmer('english')

const plain = (word: string): string => word.normalize('NFD').replace(accents, '')

const stem = (word: string): string => (/^[a-z]+$/.test(word) ? english.stem(word) : word)

/** Returns the lexemes of one match of `pattern`, which is folded. */
const analyze = (match: string): number[] => {
  if (isUnspaced.test(match)) {
    const characters = [...match]
    const pairs = characters.slice(1).map((character, index) => `${characters[index]}${character}`)
    return [...characters, ...pairs].map(hash)
  }
  const whole = plain(match).slice(0, longestWord)
  const words = whole.match(parts) ?? []
  // The stem of an English genitive or contraction is in its first part; the rest is a letter that says nothing.
  if (/^[a-z]+['’][a-z]{1,2}$/.test(whole)) return [hash(stem(words[0] ?? whole))]
  const found = words.map((word) => hash(stem(word)))
  return words.length === 1 && words[0] === whole ? found : [...found, hash(whole)]
}

/** The lexemes of words met last: most words of a language are met again at once. */
const known = new Map<string, readonly number[]>()
const mostKnown = 50_000

const lexemesIn = (match: string): readonly number[] => {
  const found = known.get(match)
  if (found) return found
  const lexemes = analyze(match)
  if (known.size >= mostKnown) known.clear()
  if (match.length <= longestWord) known.set(match, lexemes)
  return lexemes
}

/**
 * Returns the lexemes of a text: its words without case, accents and English endings, each as a 32-bit number. Words
 * joined by signs count as a whole and in parts, so that `ERR_4021` is found by itself and by `4021`.
 */
export const lexemesOf = (text: string): Lexemes => {
  const counts = new Map<number, number>()
  for (const [match] of fold(text).matchAll(pattern))
    for (const lexeme of lexemesIn(match)) counts.set(lexeme, Math.min(mostCounted, (counts.get(lexeme) ?? 0) + 1))
  const ids = Uint32Array.from(counts.keys()).sort()
  return { ids, counts: Uint8Array.from(ids, (id) => counts.get(id) ?? 0) }
}
