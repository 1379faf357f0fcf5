import type { Language } from '@cairn/contracts/text/languages'
import type { EmbeddingSpace, Requester, WordHit } from '@cairn/domain/ports/vector-index'
import { queryLexemesOf } from '@cairn/domain/text/lexemes'
import { lexemesVersion } from '@cairn/domain/text/lexemes-version'
import type { GatedVectors } from '../gate.ts'

/** `lexemes`: version of the points' lexemes. */
type Text = { readonly text: string; readonly language: Language; readonly lexemes: number }

const keyOf = ({ namespaceId, itemId, version, passage }: WordHit): string =>
  `${namespaceId} ${version} ${passage} ${itemId}`

/**
 * While a namespace's points are being renewed, some have an earlier version's lexemes: the index is asked with those
 * of each version, and a point counts by its own.
 */
export const searchWords = async (
  vectors: Pick<GatedVectors, 'searchWords'>,
  space: EmbeddingSpace,
  scope: Omit<Parameters<GatedVectors['searchWords']>[1], 'lexemes'>,
  { text, language, lexemes }: Text,
  requester: Requester,
): Promise<WordHit[]> => {
  const versions = lexemes < lexemesVersion ? [lexemes, lexemesVersion] : [lexemesVersion]
  const hits = new Map<string, WordHit>()
  // The earlier version first: a point renewed between the two is found by one of them.
  for (const version of versions) {
    const query = { ...scope, lexemes: queryLexemesOf(text, language, version) }
    for (const hit of await vectors.searchWords(space, query, requester)) {
      const { bm25, matched } = hits.get(keyOf(hit)) ?? hit
      hits.set(keyOf(hit), { ...hit, bm25: Math.max(bm25, hit.bm25), matched: Math.max(matched, hit.matched) })
    }
  }
  return [...hits.values()]
}
