import { createPauses } from '@cairn/contracts/flow/pauses'
import type { Language } from '@cairn/contracts/text/languages'
import { dot } from '@cairn/contracts/text/sentences'
import { askedFor, shareOfAsked } from './asked-for.ts'
import { type Candidate, candidatesIn } from './candidates.ts'
import {
  type Lexicon,
  lexiconOf,
  lexiconOfLong,
  type QuestionWord,
  questionWords,
  shareFound,
  shareIn,
  withForms,
} from './question.ts'
import { addWords, similarWords } from './similar-words.ts'

export type QuotePassage = {
  readonly text: string
  /** Search score, 0 to 1. */
  readonly score: number
  /** Headings above it, nearest first, its title and file name, one each line. */
  readonly about: string
  /** Values of its metadata, one each line. */
  readonly attached: string
  /** Its file's beginning, which mostly says what the file is about; empty: unknown, or the passage itself. */
  readonly beginning: string
}

export type QuoteContext = {
  readonly language: Language
  /** The choice then rejects with the signal's reason. */
  readonly signal: AbortSignal
  /** Vectors of unit length. */
  readonly embed: (texts: readonly string[]) => Promise<readonly Float32Array[]>
  /** The rarer a lexeme in the documents, the higher; `absent`: of one that none has. */
  readonly weigh: (lexemes: Uint32Array) => Promise<{ readonly of: readonly number[]; readonly absent: number }>
  /** Converts a cosine to one of all-MiniLM-L6-v2, by which the weights were fitted. */
  readonly meaningOf: (cosine: number) => number
}

export type Quote = { readonly text: string; readonly isAnswer: boolean }

/** Meaning weighs 1. Fitted on one half of the questions of `npm run eval -- questions` (docs/evaluation.md). */
const weights = {
  /** Share of the question's words in the candidate, its headings or its file name. */
  words: 1.3,
  /** That share of the words in neither headings nor file name. */
  own: 1.1,
  asked: 0.35,
  passage: 0.85,
  /** Subtracted if passage, subject and beginning of the file lack a name of the question, and if a row does. */
  unnamedPassage: 0.7,
  unnamedRow: 0.5,
  /** Subtracted from a line of its own without a sign at the end: mostly a title. */
  line: 0.3,
} as const
/** Whether the best candidate is an answer; meaning weighs 1. */
const certainty = { words: 0.35, own: 0.25, asked: 0.2, from: 0.86 } as const
/**
 * In few documents, an absent word says little: its weight lowers the demand by up to `most` at 0, by nothing from
 * `strictFrom`, its weight in 300 documents.
 */
const leniency = { most: 0.65, strictFrom: 6.4 } as const
/** Words in the sentence before a candidate. */
const inBefore = 0.3
/** Most that a second sentence scores below the first. */
const secondWithin = 0.25
/** Candidates compared by meaning. */
const compared = 32

type Judged = Candidate & {
  readonly order: number
  readonly words: number
  readonly own: number
  readonly asked: number
  /** Share of the question's names in the candidate, and in its passage or what that is about. */
  readonly names: number
  readonly namesAround: number
  readonly passageScore: number
}
type Weighted = { readonly word: QuestionWord; readonly weight: number }

const weighted = async (words: readonly QuestionWord[], weigh: QuoteContext['weigh']) => {
  const lexemes = Uint32Array.from(new Set(words.flatMap(({ lexemes }) => [...lexemes]))).sort()
  const { of, absent } = await weigh(lexemes)
  const weightOf = new Map(Array.from(lexemes, (lexeme, index) => [lexeme, of[index] ?? 0]))
  const weightOfWord = ({ lexemes }: QuestionWord) => Math.max(...Array.from(lexemes, (id) => weightOf.get(id) ?? 0))
  return { all: words.map((word) => ({ word, weight: weightOfWord(word) })), absent }
}

/** Returns a share by weight; 1 if no word has one. */
const shareOf = (words: readonly Weighted[], share: (word: QuestionWord) => number): number => {
  const total = words.reduce((sum, { weight }) => sum + weight, 0)
  return total === 0 ? 1 : words.reduce((sum, { word, weight }) => sum + weight * share(word), 0) / total
}

/** Judges candidates by words only. */
const judge = async (
  question: string,
  passages: readonly QuotePassage[],
  { language, weigh, signal }: QuoteContext,
): Promise<{ readonly judged: readonly Judged[]; readonly demanded: number }> => {
  const pauses = createPauses()
  const pause = async () => {
    await pauses()
    signal.throwIfAborted()
  }
  const { all, absent } = await weighted(questionWords(question, language), weigh)
  const asked = askedFor(question)
  const read = []
  const vocabulary = new Set<string>()
  const starts = new Map<string, Lexicon>()
  for (const passage of passages) {
    const { text, beginning } = passage
    const around = `${passage.about}\n${passage.attached}`
    addWords(around, vocabulary)
    addWords(text, vocabulary)
    // Passages of one file have the same beginning.
    const start = starts.get(beginning) ?? (await lexiconOfLong(beginning, language, pause))
    starts.set(beginning, start)
    read.push({
      ...passage,
      around: await lexiconOfLong(around, language, pause),
      start,
      whole: await lexiconOfLong(text, language, pause),
    })
  }
  for (const [index, { word, weight }] of all.entries()) {
    await pause()
    const like = similarWords(word.text, { isName: word.isName, isAbsent: weight >= absent }, vocabulary)
    all[index] = { word: withForms(word, like, language), weight }
  }
  const names = all.flatMap(({ word }) => (word.isName ? [word] : []))
  const judged: Judged[] = []
  for (const [index, { text, about, around, start, whole, score }] of read.entries()) {
    const notAround = all.map(({ word, weight }) => ({ word, weight: weight * (1 - shareIn(word, around)) }))
    /** The sentence before a candidate is mostly the last candidate, and introduces all items of a list. */
    const known = new Map<string, Lexicon>()
    const lexicon = (sentence: string): Lexicon => {
      const found = known.get(sentence) ?? lexiconOf(sentence, language)
      known.set(sentence, found)
      return found
    }
    for (const candidate of candidatesIn(text, index, new Set(about.split('\n')))) {
      await pause()
      const own = lexicon(candidate.wording)
      const before = lexicon(candidate.before)
      const inBoth = (word: QuestionWord) => Math.max(shareIn(word, own), inBefore * shareIn(word, before))
      judged.push({
        ...candidate,
        order: judged.length,
        words: shareOf(all, (word) => Math.max(shareIn(word, own, around), inBefore * shareIn(word, before))),
        own: shareOf(notAround, inBoth),
        asked: shareOfAsked(asked, candidate.text),
        names: shareFound(names, own, around),
        // Own words, too: a date may be cut in two where the passage is read in parts.
        namesAround: shareFound(names, own, whole, around, start),
        passageScore: score,
      })
    }
  }
  const lenient = 1 - Math.min(1, absent / leniency.strictFrom)
  return { judged, demanded: certainty.from - leniency.most * lenient }
}

/** Returns the best by words, to be compared by meaning. */
const promising = (judged: readonly Judged[]): Judged[] => {
  const quick = ({ own, words, asked, names, passageScore }: Judged) =>
    own + 0.3 * words + 0.3 * asked + 0.3 * names + passageScore
  return judged.toSorted((a, b) => quick(b) - quick(a)).slice(0, compared)
}

const scoreOf = (meaning: number, one: Judged): number =>
  meaning +
  weights.words * one.words +
  weights.own * one.own +
  weights.asked * one.asked +
  weights.passage * one.passageScore -
  (one.isLine ? weights.line : 0) -
  weights.unnamedPassage * (1 - one.namesAround) -
  (one.kind === 'row' ? weights.unnamedRow * (1 - one.names) : 0)

/**
 * Chooses what to quote; undefined: nothing can be quoted. `isAnswer` is false if a name or number of the question is
 * missing from the passage, its headings, metadata and its file's beginning (for a table row: from the row, headings
 * and metadata), or if too little of the question's meaning and words matches.
 */
export const chooseQuote = async (
  question: string,
  passages: readonly QuotePassage[],
  context: QuoteContext,
): Promise<Quote | undefined> => {
  const { judged, demanded } = await judge(question, passages, context)
  const near = promising(judged)
  if (near.length === 0) return undefined
  const texts = near.map(({ text, before, passage, kind }) => {
    const [heading = ''] = (passages[passage]?.about ?? '').split('\n')
    return [heading, kind === 'item' ? before : '', text].filter((part) => part !== '').join(': ')
  })
  const [towards, ...vectors] = await context.embed([question, ...texts])
  const scored = near
    .map((one, index) => {
      const vector = vectors[index]
      const meaning = towards && vector ? context.meaningOf(dot(towards, vector)) : 0
      return { ...one, meaning, score: scoreOf(meaning, one) }
    })
    .sort((a, b) => b.score - a.score || a.order - b.order)
  const [best] = scored
  if (!best) return undefined
  const { passage, kind, meaning, words, own, asked } = best
  const second = scored.find(
    (one) => one !== best && one.kind !== 'row' && one.passage === passage && one.score >= best.score - secondWithin,
  )
  const quoted = (second && kind !== 'row' ? [best, second] : [best]).toSorted((a, b) => a.order - b.order)
  const isNamed = (kind === 'row' ? best.names : best.namesAround) === 1
  const sure = meaning + certainty.words * words + certainty.own * own + certainty.asked * asked
  return { text: quoted.map(({ text }) => text).join(' '), isAnswer: isNamed && sure >= demanded }
}
