import { AppError } from '@cairn/contracts/errors'
import { candidatesOf, clip, dot, isSayable, isSentence, longestSentence, pickSentences } from '@cairn/contracts/sentences'
import type { Embedder } from '../embedder/port.ts'
import type { Answerer, AnswerModel, Passage } from './port.ts'

const model: AnswerModel = { id: 'extractive', credits: 1, writes: false }
/** Sentences that are compared. */
const most = 240
const said = { sentences: 3, characters: 800, nearness: 0.8 } as const
/** A sentence that has less in common with the question says nothing about it. */
const least = 0.05

const answerFrom = async (passages: readonly Passage[], query: string, words: Pick<Embedder, 'embed'>, signal: AbortSignal) => {
  const texts = passages.map(({ text }) => text).filter(isSayable)
  const [first] = texts
  if (first === undefined) throw new AppError('invalid', 'There is no text to answer from.')
  const sentences = candidatesOf(texts, most, isSentence)
  const found = sentences.length > 0 ? sentences : candidatesOf(texts, most, (text) => isSayable(text) && text.length <= longestSentence)
  const opening = clip(first.replace(/\s+/gu, ' ').trim(), said.characters)
  if (found.length === 0 || !isSayable(query)) return opening
  const [towards, ...vectors] = await words.embed([query, ...found.map(({ text }) => text)], { kind: 'document', signal })
  if (!towards) return opening
  const near = found.flatMap((candidate, index) => {
    const vector = vectors[index] as Float32Array
    return dot(vector, towards) >= least ? [{ candidate, vector }] : []
  })
  const picked = pickSentences({
    candidates: near.map(({ candidate }) => candidate),
    vectors: near.map(({ vector }) => vector),
    towards,
    ...said,
  })
  return picked.length === 0 ? opening : picked.map(({ text }) => text).join(' ')
}

/**
 * Answers without a model: the sentences of the passages that have most in common with the question, as they stand there. `words` compares
 * them. Needs passages; history, prompts, temperature and form mean nothing to it.
 */
export const extractiveAnswerer = (words: Pick<Embedder, 'embed'>): Answerer => ({
  modelFor: () => model,
  write: async function* ({ passages = [], query }, { signal }) {
    signal.throwIfAborted()
    yield await answerFrom(passages, query, words, signal)
  },
})
