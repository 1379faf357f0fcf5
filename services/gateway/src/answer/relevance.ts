import { candidatesOf, dot, hasText, longestSentence } from '@cairn/contracts/sentences'
import type { Embedder } from '@cairn/ports/embedder/port'
import type { SearchHit } from '../search/search-namespaces.ts'

/** Maximum number of sentences to compare. */
const most = 240
/** Likeness of a sentence in words that is about the question whatever its meaning, as for names and codes. */
const likeSentence = 0.45

/**
 * Whether a hit is about the question: its meaning is close enough for the model (`relevantFrom`), as far as the model
 * can read both, or one of its
 * sentences has the question's words. Of a model that was not measured, every hit is. docs/evaluation.md has the figures.
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
  if (hits.some(({ explanation: { semantic = 0, readable = 1 } }) => semantic * readable >= relevantFrom)) return true
  const texts = hits.map(({ text }) => text)
  const sentences = candidatesOf(texts, most, (text) => hasText(text) && text.length <= longestSentence)
  if (sentences.length === 0 || !hasText(query)) return false
  const compared = [query, ...sentences.map(({ text }) => text)]
  const [towards, ...vectors] = await lexicalEmbedder.embed(compared, { kind: 'document' })
  return towards !== undefined && vectors.some((vector) => dot(vector, towards) >= likeSentence)
}
