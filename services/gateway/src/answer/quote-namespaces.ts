import { defaultLanguage } from '@cairn/contracts/text/languages'
import { clip } from '@cairn/contracts/text/sentences'
import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import type { Quote } from '@cairn/domain/text/quotes/choose'
import type { ReadableNamespace } from '../gate.ts'
import type { SearchHit } from '../search/search-namespaces.ts'
import { type QuotedSource, quoteSources } from './quote-sources.ts'

const maxOpeningLength = 800

/** Quotes sources without a sentence or row, such as single words. */
const openingOf = ([best]: readonly QuotedSource[]): Quote => ({
  text: clip((best?.text ?? '').replace(/\s+/gu, ' ').trim(), maxOpeningLength),
  isAnswer: false,
})

/**
 * Quotes from the best group of namespaces of one language and model that has an answer, else from the best group:
 * meanings and word weights of different groups can't be compared. Sources come best first.
 */
export const quoteNamespaces = async (
  deps: Parameters<typeof quoteSources>[0],
  call: Parameters<typeof quoteSources>[1],
  namespaces: readonly ReadableNamespace[],
  question: string,
  sources: readonly (QuotedSource & Pick<SearchHit, 'embedding'>)[],
): Promise<Quote> => {
  // A namespace's model may have changed since it was read; this one found the hits.
  const models = new Map(sources.map(({ namespace, embedding }) => [namespace, embedding]))
  const current = namespaces.map((each) => ({ ...each, embedding: models.get(each.name) ?? each.embedding }))
  const groups = new Map(
    current.map((each) => [each.name, `${each.language ?? defaultLanguage} ${embeddingSpaceOf(each).key}`]),
  )
  let nearest: Quote | undefined
  for (const [group, found] of Map.groupBy(sources, ({ namespace }) => groups.get(namespace))) {
    const among = current.filter(({ name }) => groups.get(name) === group)
    const quote = await quoteSources(deps, call, among, question, found)
    if (quote?.isAnswer) return quote
    nearest ??= quote
  }
  return nearest ?? openingOf(sources)
}
