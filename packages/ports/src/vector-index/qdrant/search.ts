import { compareAddresses } from '../compare-addresses.ts'
import type { PointFilter, VectorHit } from '../port.ts'
import type { Qdrant } from './client.ts'
import { addressFields, toAddress, toFilter } from './points.ts'

/** Asked for above the limit, to see where the last score ends. */
const margin = 16
/** Points of one score at the limit that are read to put them in order; of more, those that Qdrant gives are taken. */
const mostTies = 16_384
const graphBreadth = 256
/**
 * A quantized collection compares rounded vectors: of 8,000 × 384 these kept 0.95 of the best ten, with scores off by 0.004. Twice as many
 * are therefore compared again with the whole vectors, which found all of them and gives exact scores. Others ignore this.
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
 * The best of the points that pass. In one namespace Qdrant chooses by their number: up to about 100,000 are compared one by one, above
 * that it walks the namespace's graph and may miss some of the best. In several namespaces all are compared: the graphs of different
 * namespaces have no links between them, so that a walk begun in one would not reach the others.
 *
 * Qdrant orders equal scores as it likes and cuts them at the limit; they are read to their end and ordered here. Scores are compared
 * as Qdrant gives them, 32-bit numbers: equal vectors have equal scores.
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
    for (let asked = limit + margin; ; asked = Math.min(4 * asked, most)) {
      const { points } = await request((client) => client.query(collection, { ...query, limit: asked }))
      const hits = points.map((point) => ({ ...toAddress(point), score: Math.max(-1, Math.min(1, point.score)) }))
      const isCut = hits.length === asked && hits.at(-1)?.score === hits[limit - 1]?.score
      if (!isCut || asked === most) return hits.sort((a, b) => b.score - a.score || compareAddresses(a, b)).slice(0, limit)
    }
  }
