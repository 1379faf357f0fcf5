import { AppError } from '@cairn/contracts/errors'
import { subjectOf } from '@cairn/contracts/question-words'
import {
  candidatesOf,
  clip,
  dot,
  hasText,
  isProse,
  isReadableLine,
  isSentence,
  placeOf,
} from '@cairn/contracts/sentences'
import type { Answerer, AnswerModel, Passage } from '@cairn/domain/ports/answerer'
import type { Embedder } from '@cairn/domain/ports/embedder'

const model: AnswerModel = { id: 'extractive', credits: 1, writes: false }
/** Maximum number of sentences to compare. */
const maxSentences = 240
const maxAnswerLength = 800
/** Minimum similarity of a sentence that is relevant to the question. */
const minNearness = 0.05
/** Minimum similarity of a second quoted sentence, as a share of the first sentence's similarity. */
const minOfSecond = 0.8

const frontMatter = /^\uFEFF?(---|\+\+\+)[^\S\n]*\n[\s\S]*?\n\1[^\S\n]*(?:\n|$)/
/** At least two lines like `Author: Ann` at the start of a text, up to an empty line. */
const headerLines = /^(?:[\p{L}\p{N}][\p{L}\p{N} _-]{0,39}:[^\S\n]\S.*\n){2,}(?=\s*\n)/u

/** Removes the metadata at the start of a text, unless the text has nothing else. */
const withoutMetadata = (text: string): string => {
  const lines = text.replaceAll('\r\n', '\n')
  const rest = lines.replace(frontMatter, '').replace(headerLines, '')
  return hasText(rest) ? rest : text
}

type Ranked = { readonly text: string; readonly order: number; readonly nearness: number }

/** Returns the sentence to quote, or two in reading order. */
const quotedOf = (ranked: readonly Ranked[]): readonly Ranked[] => {
  const [first, ...others] = ranked.toSorted((a, b) => b.nearness - a.nearness || a.order - b.order)
  if (!first || first.nearness < minNearness) return []
  const second = others.find(({ text }) => !text.includes(first.text) && !first.text.includes(text))
  const isNear = second && second.nearness >= minOfSecond * first.nearness
  return isNear ? [first, second].sort((a, b) => a.order - b.order) : [first]
}

const answerFrom = async (
  passages: readonly Passage[],
  query: string,
  words: Pick<Embedder, 'embed'>,
  signal: AbortSignal,
) => {
  const read = passages
    .map(({ text, score = 1 }) => ({ text: withoutMetadata(text), score }))
    .filter(({ text }) => hasText(text))
  const texts = read.map(({ text }) => text)
  const best = Math.max(...read.map(({ score }) => score))
  const [first] = texts
  if (first === undefined) throw new AppError('invalid', 'There is no text to answer from.')
  const whole = await candidatesOf(texts, maxSentences, (text) => isSentence(text) && isProse(text))
  const sentences = whole.length > 0 ? whole : await candidatesOf(texts, maxSentences, isReadableLine)
  const opening = clip(whole[0]?.text ?? first.replace(/\s+/gu, ' ').trim(), maxAnswerLength)
  if (sentences.length === 0 || !hasText(query)) return opening
  const compared = [subjectOf(query), ...sentences.map(({ text }) => text)]
  const [towards, ...vectors] = await words.embed(compared, { kind: 'document', signal })
  if (!towards) return opening
  const ranked = sentences.map(({ text, order }, index): Ranked => {
    // Shared words alone do not show what a sentence is about, so the passage's search score has equal weight.
    const weight = best > 0 ? (read[placeOf(order)]?.score ?? 0) / best : 1
    return { text, order, nearness: weight * dot(vectors[index] as Float32Array, towards) }
  })
  return (
    quotedOf(ranked)
      .map(({ text }) => text)
      .join(' ') || opening
  )
}

/**
 * Creates an answerer without a model: it quotes the sentences of the passages that `words` finds most similar to the
 * question. Needs passages; ignores history, prompts, temperature and form.
 */
export const extractiveAnswerer = (words: Pick<Embedder, 'embed'>): Answerer => ({
  modelFor: () => model,
  write: async function* ({ passages = [], query }, { signal }) {
    signal.throwIfAborted()
    yield await answerFrom(passages, query, words, signal)
  },
})
