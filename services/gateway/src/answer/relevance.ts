import { subjectOf } from '@cairn/contracts/question-words'
import { candidatesOf, dot, hasText, isReadableLine } from '@cairn/contracts/sentences'
import type { Embedder } from '@cairn/domain/ports/embedder'
import { minReadable } from '../search/score-hits.ts'
import type { SearchHit } from '../search/search-namespaces.ts'

/** Maximum number of sentences to compare. */
const maxSentences = 240
/** Likeness in words from which a sentence is about the question whatever its cosine, as with names and codes. */
const likeSentence = 0.5
/** Share of the measured cosine and likeness of a sentence that together are enough. */
const nearly = { cosine: 0.8, likeness: 0.42 } as const
/** Share of the query's words, by weight, that a hit must have where the model can't read the query or the hit. */
const matchedUnread = 0.25

type Explanation = SearchHit['explanation']

const cosineOf = ({ semantic = 0, readable = 1 }: Explanation): number => semantic * readable

const isMatchedUnread = ({ readable = 1, matched = 0 }: Explanation): boolean =>
  readable < minReadable && matched >= matchedUnread

/** Returns the highest likeness of a sentence to the question, in the question's subject words. */
const likenessOf = async (
  texts: readonly string[],
  query: string,
  lexicalEmbedder: Pick<Embedder, 'embed'>,
): Promise<number> => {
  const sentences = candidatesOf(texts, maxSentences, isReadableLine)
  if (sentences.length === 0 || !hasText(query)) return 0
  const compared = [subjectOf(query), ...sentences.map(({ text }) => text)]
  const [towards, ...vectors] = await lexicalEmbedder.embed(compared, { kind: 'document' })
  return towards ? Math.max(...vectors.map((vector) => dot(vector, towards))) : 0
}

/**
 * Whether a hit is about the question: its meaning is close enough for the model (`relevantFrom`), or one of its
 * sentences has the question's words, or both nearly; or, where the model can't read the texts, it has many of the
 * words. Every hit of a model that was not measured is relevant. docs/evaluation.md has the figures.
 */
export const isRelevant = async (
  hits: readonly Pick<SearchHit, 'text' | 'explanation'>[],
  query: string,
  context: {
    readonly relevantFrom: number | undefined | null
    readonly lexicalEmbedder: Pick<Embedder, 'embed'>
  },
): Promise<boolean> => {
  const { relevantFrom, lexicalEmbedder } = context
  if (typeof relevantFrom !== 'number') return true
  const cosine = hits.reduce((best, { explanation }) => Math.max(best, cosineOf(explanation)), 0)
  if (cosine >= relevantFrom || hits.some(({ explanation }) => isMatchedUnread(explanation))) return true
  const texts = hits.map(({ text }) => text)
  const likeness = await likenessOf(texts, query, lexicalEmbedder)
  return likeness >= (cosine >= nearly.cosine * relevantFrom ? nearly.likeness : likeSentence)
}
