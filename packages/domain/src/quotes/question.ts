import type { Language } from '@cairn/contracts/languages'
import { isFunctionWord } from '@cairn/contracts/question-words'
import { lexemesOf, queryLexemesOf } from '../lexemes.ts'
import { wordBorder } from '../word-border.ts'

/** A word of a question that says what it is about. `isName`: a name, a number or a code. */
export type QuestionWord = { readonly lexemes: Uint32Array; readonly isName: boolean }

const german =
  /(?:^|\s)(?:der|die|das|dem|den|des|ein|eine|einen|wie|wer|wann|wo|welche[rsmn]?|was|ist|sind|wird|werden|hat|für|von|zum|zur|im|am|und)(?=\s|$)/gi
/** Common nouns of German have capitals, so they are no sign of a name there. */
const isGerman = (question: string): boolean => (question.match(german) ?? []).length >= 2

const unspaced = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]`
const letter = String.raw`[[\p{L}\p{N}\p{M}]--${unspaced}]`
/** Matches numbers, runs of characters of scripts without blanks, and words with the signs within them. */
const tokens = new RegExp(
  String.raw`\p{N}+(?:[.,:]\p{N}+)*(?!${letter})|${unspaced}+|${letter}+(?:[\-'’._\/]${letter}+)*`,
  'gv',
)

/** Units of a question, its words and units of a word that count. */
const maxQuestion = 1_000
const maxWords = 64
const maxWord = 64

/** Returns the words that say what a question is about. A word with a capital within the question is a name. */
export const questionWords = (question: string, language: Language): QuestionWord[] => {
  const hasNames = !isGerman(question)
  const found: QuestionWord[] = []
  for (const { 0: token, index } of question.slice(0, maxQuestion).matchAll(tokens)) {
    if (found.length === maxWords) break
    const word = token.slice(0, maxWord).replace(/['’]s$/, '')
    const isName = /\p{N}/u.test(word) || (hasNames && index > 1 && /^\p{Lu}/u.test(word) && word !== 'I')
    if (isFunctionWord(word) && !isName) continue
    const lexemes = queryLexemesOf(word, language)
    if (lexemes.length > 0) found.push({ lexemes, isName })
  }
  return found
}

/** The distinct lexemes of a text. */
export type Lexicon = ReadonlySet<number>
export const lexiconOf = (text: string, language: Language): Lexicon => new Set(lexemesOf(text, language).ids)

/** Units of a text whose lexemes are made at once: a character may become many words. */
const atOnce = 500

/** Returns the lexemes of a text of any length, in parts with pauses between them. */
export const lexiconOfLong = async (
  text: string,
  language: Language,
  pause: () => Promise<void> | void,
): Promise<Lexicon> => {
  const found = new Set<number>()
  for (let from = 0; from < text.length; ) {
    const to = text.length - from > atOnce ? wordBorder(text, from, from + atOnce) : text.length
    for (const lexeme of lexemesOf(text.slice(from, to), language).ids) found.add(lexeme)
    from = to
    await pause()
  }
  return found
}

/** Returns the share of a word's lexemes that one of the texts has; a run of Chinese characters has many lexemes. */
export const shareIn = ({ lexemes }: QuestionWord, ...texts: readonly Lexicon[]): number =>
  lexemes.filter((lexeme) => texts.some((text) => text.has(lexeme))).length / lexemes.length

/** Returns the share of the words that the texts have as a whole; 1 without words. */
export const shareFound = (words: readonly QuestionWord[], ...texts: readonly Lexicon[]): number =>
  words.length === 0 ? 1 : words.filter((word) => shareIn(word, ...texts) === 1).length / words.length
