import { slices } from '@cairn/contracts/flow/slices'
import type { Schemas } from '@qdrant/js-client-rest'
import type { Qdrant } from './client.ts'
import { toFilter } from './points.ts'

/** Each term is a separate query, because a point may have many terms and a term many points. */
const termsAtOnce = 100

/** The dense vector has no name; if a point also has a sparse vector, Qdrant returns both in an object. */
const denseOf = ({ vector }: Pick<Schemas['Record'], 'vector'>): Float32Array | undefined => {
  const dense = Array.isArray(vector) ? vector : (vector as Record<string, unknown> | null | undefined)?.['']
  return Array.isArray(dense) ? Float32Array.from(dense as number[]) : undefined
}

export const vectorsOf = async (
  { query }: Pick<Qdrant, 'query'>,
  collection: string,
  namespaceId: string,
  terms: readonly string[],
): Promise<(Float32Array | undefined)[]> => {
  const found: (Float32Array | undefined)[] = []
  for (const some of slices(terms, termsAtOnce)) {
    const results = await query(
      collection,
      some.map((term) => ({
        query: { sample: 'random' },
        filter: toFilter(namespaceId, { terms: [term], words: [] }),
        with_vector: true,
        limit: 1,
      })),
    )
    found.push(...some.map((_, index) => results[index]?.[0] && denseOf(results[index][0])))
  }
  return found
}
