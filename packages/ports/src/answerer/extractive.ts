import { AppError } from '@cairn/contracts/errors'
import {
  candidatesOf,
  clip,
  dot,
  hasText,
  isSentence,
  longestSentence,
  pickSentences,
} from '@cairn/contracts/sentences'
import type { Embedder } from '../embedder/port.ts'
import type { Answerer, AnswerModel, Passage } from './port.ts'

const model: AnswerModel = { id: 'extractive', credits: 1, writes: false }
/** Maximum number of sentences to compare. */
const most = 240
const answerLimits = { sentences: 3, characters: 800, nearness: 0.8 } as const
/** Minimum similarity of a sentence that is relevant to the question. */
const least = 0.05

const frontMatter = /^\uFEFF?(---|\+\+\+)[^\S\n]*\n[\s\S]*?\n\1[^\S\n]*(?:\n|$)/
/** Lines like `Author: Ann` at the start of a text, two at least, up to an empty line. */
const headerLines = /^(?:[\p{L}\p{N}][\p{L}\p{N} _-]{0,39}:[^\S\n]\S.*\n){2,}(?=\s*\n)/u

/** Returns a text without the metadata it starts with, unless it has nothing else. */
const withoutMetadata = (text: string): string => {
  const lines = text.replaceAll('\r\n', '\n')
  const rest = lines.replace(frontMatter, '').replace(headerLines, '')
  return hasText(rest) ? rest : text
}

const answerFrom = async (
  passages: readonly Passage[],
  query: string,
  words: Pick<Embedder, 'embed'>,
  signal: AbortSignal,
) => {
  const texts = passages.map(({ text }) => withoutMetadata(text)).filter(hasText)
  const [first] = texts
  if (first === undefined) throw new AppError('invalid', 'There is no text to answer from.')
  const sentences = candidatesOf(texts, most, isSentence)
  const found =
    sentences.length > 0
      ? sentences
      : candidatesOf(texts, most, (text) => hasText(text) && text.length <= longestSentence)
  const opening = clip(first.replace(/\s+/gu, ' ').trim(), answerLimits.characters)
  if (found.length === 0 || !hasText(query)) return opening
  const [towards, ...vectors] = await words.embed([query, ...found.map(({ text }) => text)], {
    kind: 'document',
    signal,
  })
  if (!towards) return opening
  const near = found.flatMap((candidate, index) => {
    const vector = vectors[index] as Float32Array
    return dot(vector, towards) >= least ? [{ candidate, vector }] : []
  })
  const picked = pickSentences({
    candidates: near.map(({ candidate }) => candidate),
    vectors: near.map(({ vector }) => vector),
    towards,
    ...answerLimits,
  })
  return picked.length === 0 ? opening : picked.map(({ text }) => text).join(' ')
}

/**
 * Answers without a model: returns unchanged those sentences of the passages that are most similar to the question,
 * compared with `words`. Needs passages; ignores history, prompts, temperature and form.
 */
export const extractiveAnswerer = (words: Pick<Embedder, 'embed'>): Answerer => ({
  modelFor: () => model,
  write: async function* ({ passages = [], query }, { signal }) {
    signal.throwIfAborted()
    yield await answerFrom(passages, query, words, signal)
  },
})
