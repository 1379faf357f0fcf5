import { slices } from '@cairn/contracts/flow/slices'
import type { PointAddress } from '@cairn/domain/ports/vector-index'
import type { Schemas } from '@qdrant/js-client-rest'
import type { Qdrant } from './client.ts'
import { pointIdOf, toFilter } from './points.ts'

/**
 * Maximum terms per request. Each term is a separate query, because a point may have many terms and a term many points.
 */
const termsAtOnce = 100
/** Maximum ids per request, whose response has their vectors. */
const idsAtOnce = 100

/** Returns the dense vector. It has no name; if a point also has a sparse vector, Qdrant returns both in an object. */
const denseOf = ({ vector }: Pick<Schemas['Record'], 'vector'>): Float32Array | undefined => {
  const dense = Array.isArray(vector) ? vector : (vector as Record<string, unknown> | null | undefined)?.['']
  return Array.isArray(dense) ? Float32Array.from(dense as number[]) : undefined
}

export const createVectorsOf =
  ({ query }: Pick<Qdrant, 'query'>) =>
  async (collection: string, namespaceId: string, terms: readonly string[]): Promise<(Float32Array | undefined)[]> => {
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

export const createVectorsAt =
  ({ request }: Pick<Qdrant, 'request'>) =>
  async (collection: string, addresses: readonly PointAddress[]): Promise<(Float32Array | undefined)[]> => {
    const found = new Map<unknown, Float32Array | undefined>()
    const ids = addresses.map(pointIdOf)
    for (const some of slices(ids, idsAtOnce)) {
      const points = await request((client) =>
        client.retrieve(collection, { ids: some, with_payload: false, with_vector: true }),
      )
      for (const point of points) found.set(point.id, denseOf(point))
    }
    return ids.map((id) => found.get(id))
  }
