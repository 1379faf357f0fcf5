import type { Language } from '@cairn/contracts/text/languages'
import { isFunctionWord } from '@cairn/contracts/text/question-words'
import { lexemesOf, queryLexemesOf } from '../lexemes.ts'
import { wordBorder } from '../word-border.ts'
import { furtherWords, numberedNamesInQuestion, otherNumbers, type WrittenForm, writtenForms } from './written-forms.ts'

/** Says what a question is about. `forms`: lexemes of each way to write it. `isName`: or a number, date or code. */
export type QuestionWord = {
  readonly text: string
  /** Lexemes of the word as it stands in the question, which give its weight. */
  readonly lexemes: Uint32Array
  readonly forms: readonly Uint32Array[]
  readonly isName: boolean
}

const german =
  /(?:^|\s)(?:der|die|das|dem|den|des|ein|eine|einen|wie|wer|wann|wo|welche[rsmn]?|was|ist|sind|wird|werden|hat|für|von|zum|zur|im|am|und)(?=\s|$)/gi
/** Common nouns of German have capitals, so they are no sign of a name. */
const isGerman = (question: string): boolean => (question.match(german) ?? []).length >= 2

/** Stands before a name, also in German: a title, with the first name, or a quotation mark. */
const nameMark = /(?:(?:^|\s)(?:Frau|Herrn?|Fr\.|Hr\.|Hrn\.|Dr\.|Familie)\s+(?:\p{Lu}\p{L}+\s+)?|[„“"«]\s?)$/u

const unspaced = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]`
const letter = String.raw`[[\p{L}\p{N}\p{M}]--${unspaced}]`
/** Numbers, runs of scripts without blanks, and words with the signs within them. */
const tokens = new RegExp(
  String.raw`\p{N}+(?:[.,:]\p{N}+)*(?!${letter})|${unspaced}+|${letter}+(?:[\-'’._\/]${letter}+)*`,
  'gv',
)

/** UTF-16 units of a question, its words, and units of a word that count. */
const maxQuestion = 1_000
const maxWords = 64
const maxWord = 64

const formsOf = (texts: readonly string[], language: Language): Uint32Array[] =>
  texts.map((text) => queryLexemesOf(text, language)).filter(({ length }) => length > 0)

/** A word with a capital within the question is a name. */
export const questionWords = (question: string, language: Language): QuestionWord[] => {
  const hasNames = !isGerman(question)
  const found: QuestionWord[] = []
  let rest = question.slice(0, maxQuestion)
  const take = ({ from, to, plain }: WrittenForm, isLabel: boolean): void => {
    const text = rest.slice(from, to)
    if (text.trim() === '') return
    const lexemes = queryLexemesOf(text, language)
    found.push({ text, lexemes, forms: formsOf(isLabel ? [plain] : [text, plain], language), isName: true })
    rest = rest.slice(0, from) + ' '.repeat(to - from) + rest.slice(to)
  }
  // "May I ...": a capital at the beginning says nothing.
  for (const form of writtenForms(rest))
    if (form.from > 1 || /\d/.test(rest.slice(form.from, form.to))) take(form, false)
  for (const label of numberedNamesInQuestion(rest)) take(label, true)
  for (const { 0: token, index } of rest.matchAll(tokens)) {
    if (found.length >= maxWords) break
    const text = token.slice(0, maxWord).replace(/['’]s$/, '')
    const isNumber = /\p{N}/u.test(text)
    const isMarked = nameMark.test(rest.slice(Math.max(0, index - 40), index))
    const isName = isNumber || ((hasNames || isMarked) && index > 1 && /^\p{Lu}/u.test(text) && text !== 'I')
    if (isFunctionWord(text) && !isName) continue
    // Parts of a name may stand apart in a text, those of a code may not.
    const forms = formsOf(isNumber ? [text, ...otherNumbers(text)] : [text.replaceAll(/[-’'._/]/g, ' ')], language)
    const [lexemes] = forms
    if (lexemes) found.push({ text, lexemes, forms, isName })
  }
  return found
}

const maxFurther = 8

export const withForms = (word: QuestionWord, texts: readonly string[], language: Language): QuestionWord => ({
  ...word,
  forms: [...word.forms, ...formsOf(texts.slice(0, maxFurther), language)],
})

export type Lexicon = ReadonlySet<number>
export const lexiconOf = (text: string, language: Language): Lexicon =>
  new Set(lexemesOf([text, ...furtherWords(text)].join(' '), language).ids)

/** Units per step: a character may become many words. */
const atOnce = 500

/** Reads the text in parts, with pauses between them. */
export const lexiconOfLong = async (
  text: string,
  language: Language,
  pause: () => Promise<void> | void,
): Promise<Lexicon> => {
  const found = new Set<number>()
  for (let from = 0; from < text.length; ) {
    const to = text.length - from > atOnce ? wordBorder(text, from, from + atOnce) : text.length
    for (const lexeme of lexiconOf(text.slice(from, to), language)) found.add(lexeme)
    from = to
    await pause()
  }
  return found
}

/** Returns the share of a form's lexemes that the texts have; a run of Chinese characters has many. */
export const shareIn = ({ forms }: QuestionWord, ...texts: readonly Lexicon[]): number =>
  Math.max(...forms.map((form) => form.filter((lexeme) => texts.some((text) => text.has(lexeme))).length / form.length))

/** Words that the texts have as a whole; 1 without words. */
export const shareFound = (words: readonly QuestionWord[], ...texts: readonly Lexicon[]): number =>
  words.length === 0 ? 1 : words.filter((word) => shareIn(word, ...texts) === 1).length / words.length
