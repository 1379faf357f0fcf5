import { subjectOf } from '@cairn/contracts/question-words'
import { minReadable } from '@cairn/contracts/scripts'
import { candidatesOf, dot, hasText, isReadableLine } from '@cairn/contracts/sentences'
import type { Embedder } from '@cairn/domain/ports/embedder'
import type { SearchHit } from '../search/search-namespaces.ts'

/** Maximum number of sentences to compare. */
const maxSentences = 240
/**
 * Word similarity from which a sentence is relevant to the question whatever its cosine; matters for names and codes.
 */
const likeSentence = 0.5
/** Cosine, as a share of `relevantFrom`, and word similarity of a sentence that are sufficient together. */
const nearly = { cosine: 0.8, likeness: 0.42 } as const
/** Share of the query's words, by weight, that a hit must have if the model can't read the query or the hit. */
const matchedUnread = 0.25

type Explanation = SearchHit['explanation']

const cosineOf = ({ semantic = 0, readable = 1 }: Explanation): number => semantic * readable

const isMatchedUnread = ({ readable = 1, matched = 0 }: Explanation): boolean =>
  readable < minReadable && matched >= matchedUnread

/** Returns the highest similarity of any sentence to the question, by the subject words of the question. */
const likenessOf = async (
  texts: readonly string[],
  query: string,
  lexicalEmbedder: Pick<Embedder, 'embed'>,
): Promise<number> => {
  const sentences = await candidatesOf(texts, maxSentences, isReadableLine)
  if (sentences.length === 0 || !hasText(query)) return 0
  const compared = [subjectOf(query), ...sentences.map(({ text }) => text)]
  const [towards, ...vectors] = await lexicalEmbedder.embed(compared, { kind: 'document' })
  return towards ? Math.max(...vectors.map((vector) => dot(vector, towards))) : 0
}

/**
 * Whether hits are relevant to the question: a cosine is high enough (`relevantFrom`), a sentence is similar enough in
 * words, or both are nearly so; or a hit that the model can't read has many of the query's words. Every hit of a model
 * without a measured threshold is relevant. docs/evaluation.md has the figures.
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
