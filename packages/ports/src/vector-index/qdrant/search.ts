import { compareAddresses } from '../compare-addresses.ts'
import type { PointFilter, VectorHit } from '../port.ts'
import type { Qdrant } from './client.ts'
import { addressFields, toAddress, toFilter } from './points.ts'

/** Points requested beyond the limit, to find where the last score ends. */
const margin = 16
/**
 * Maximum number of points tied at the limit that are read for sorting. If there are more, Qdrant's selection is used.
 */
const mostTies = 16_384
const graphBreadth = 256
/**
 * A quantized collection compares rounded vectors: with 8,000 × 384 they kept 0.95 of the best ten, with scores off by
 * 0.004. So twice as many are compared again with the full vectors; that found all ten, with exact scores. Other
 * collections ignore this.
 */
const quantization = { rescore: true, oversampling: 2 }

type Request = {
  readonly namespaceIds: readonly string[]
  /** Unit length. */
  readonly vector: Float32Array
  readonly filter: PointFilter | undefined
  readonly limit: number
}

/**
 * Searches the best points that pass the filter. In one namespace, Qdrant chooses by the number of points: it compares
 * up to about 100,000 one by one. Above that it searches the namespace's graph and may miss some of the best. In
 * several namespaces it compares all points: the graphs of namespaces are not connected, so a search that starts in one
 * would not reach the others.
 *
 * Qdrant orders equal scores arbitrarily and cuts them at the limit; this function reads all of them and sorts them.
 * Scores are compared as Qdrant's 32-bit numbers: equal vectors have equal scores.
 */
export const createSearch =
  ({ request }: Qdrant) =>
  async (collection: string, { namespaceIds, vector, filter, limit }: Request): Promise<VectorHit[]> => {
    const most = limit + mostTies
    const query = {
      query: Array.from(vector),
      filter: toFilter(namespaceIds, filter),
      params: { ...(namespaceIds.length > 1 ? { exact: true } : { hnsw_ef: graphBreadth }), quantization },
      with_payload: addressFields,
    }
    for (let limitWithTies = limit + margin; ; limitWithTies = Math.min(4 * limitWithTies, most)) {
      const { points } = await request((client) => client.query(collection, { ...query, limit: limitWithTies }))
      const hits = points.map((point) => ({ ...toAddress(point), score: Math.max(-1, Math.min(1, point.score)) }))
      const isCut = hits.length === limitWithTies && hits.at(-1)?.score === hits[limit - 1]?.score
      if (!isCut || limitWithTies === most)
        return hits.sort((a, b) => b.score - a.score || compareAddresses(a, b)).slice(0, limit)
    }
  }
