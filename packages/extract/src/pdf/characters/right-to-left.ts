import { rtl } from '@cairn/domain/text/direction'
import type { Word } from '../words/words.ts'

const ltrLetter = /\p{L}/u
const signs = /^[^\p{L}\p{N}]+$/u
const isRtlWord = ({ text }: Word): boolean => rtl.test(text)
const isLtrWord = (word: Word | undefined): boolean =>
  word !== undefined && !isRtlWord(word) && ltrLetter.test(word.text)

const mirrored = new Map(['()', '[]', '{}', '«»'].flatMap(([a = '', b = '']) => [[a, b] as const, [b, a] as const]))
const turned = /^[)\]}].*[\p{L}\p{N}]|[\p{L}\p{N}].*[([{]\p{P}*$/u

/**
 * Turns brackets that close before a word or open behind it: pdfium mirrors brackets of right-to-left text, but some
 * fonts map their glyphs to the typed brackets.
 */
const withBrackets = (word: Word): Word =>
  turned.test(word.text) && !isLtrWord(word)
    ? { ...word, text: [...word.text].map((sign) => mirrored.get(sign) ?? sign).join('') }
    : word

/** Glyphs of two directions are never in one word, so signs are joined with the word that they touch. */
const joinSigns = (words: readonly Word[]): Word[] => {
  const joined: Word[] = []
  for (const word of words) {
    const last = joined.at(-1)
    const touches =
      last &&
      (signs.test(last.text) || signs.test(word.text)) &&
      Math.max(last.x0, word.x0) - Math.min(last.x1, word.x1) < word.style.size * 0.15
    if (touches)
      joined[joined.length - 1] = {
        ...last,
        text: last.text + word.text,
        x0: Math.min(last.x0, word.x0),
        x1: Math.max(last.x1, word.x1),
      }
    else joined.push(word)
  }
  return joined
}

/** Runs of left-to-right words keep their order; signs belong to such a run only between its words. */
export const inReadingOrder = (words: readonly Word[]): readonly Word[] => {
  if (!words.some(isRtlWord)) return words
  const isRtlLine = words.filter(isRtlWord).length >= words.filter(isLtrWord).length
  const isFromRight = (word: Word, index: number): boolean =>
    isRtlWord(word) ||
    (isRtlLine && signs.test(word.text) && !(isLtrWord(words[index - 1]) && isLtrWord(words[index + 1])))
  const runs: { readonly words: Word[]; readonly fromRight: boolean }[] = []
  for (const [index, word] of words.entries()) {
    const run = runs.at(-1)
    const fromRight = isFromRight(word, index)
    if (run?.fromRight === fromRight) run.words.push(word)
    else runs.push({ words: [word], fromRight })
  }
  const ordered = runs.map((run) => (run.fromRight ? run.words.toReversed() : run.words))
  return joinSigns((isRtlLine ? ordered.toReversed() : ordered).flat()).map(withBrackets)
}
