import type { ItemVersion, VectorHit, VectorQuery } from '@cairn/domain/ports/vector-index'
import type { Schemas } from '@qdrant/js-client-rest'
import { compareAddresses } from '../compare-addresses.ts'
import type { Qdrant } from './client.ts'
import { addressFields, itemVersionOf, toAddress, toFilter } from './points.ts'

/** Points beyond the limit, to find where the last score ends. */
const margin = 16
/** Points tied at the limit that are read for sorting; if more are tied, Qdrant's selection is used. */
const maxTies = 16_384
const graphBreadth = 256
/**
 * For quantized collections, which compare rounded vectors: with 8,000 points of 384 dimensions, they found 0.95 of the
 * best ten, with scores off by 0.004. Comparing twice the limit again with the full vectors found all ten, with exact
 * scores.
 */
const quantization = { rescore: true, oversampling: 2 }
export const denseParams = { hnsw_ef: graphBreadth, quantization }

/** `vector` has unit length. */
type Request = VectorQuery & { readonly signal: AbortSignal | undefined }

export const toExceptions = (
  namespaceId: string,
  except: readonly ItemVersion[] = [],
): Pick<Schemas['Filter'], 'must_not'> => {
  const own = except.filter((one) => one.namespaceId === namespaceId)
  if (own.length === 0) return {}
  const any = [...new Set(own.map(({ itemId, version }) => itemVersionOf(itemId, version)))]
  return { must_not: [{ key: 'item_version', match: { any } }] }
}

/**
 * Each namespace is a separate query, all in one request: their graphs are not connected, so one query of several
 * namespaces would have to compare all points. Qdrant compares a namespace's points one by one up to about 100,000;
 * above that it searches the graph and may miss some of the best.
 * Qdrant orders equal scores arbitrarily and cuts them at the limit, so all tied points are read and sorted here.
 * Scores are compared as Qdrant's 32-bit numbers: equal vectors have equal scores.
 */
export const searchPoints = async (
  { query }: Qdrant,
  collection: string,
  { namespaceIds, vector, filter, except, limit, signal }: Request,
): Promise<VectorHit[]> => {
  const max = limit + maxTies
  const found: VectorHit[] = []
  let left = namespaceIds
  for (let limitWithTies = limit + margin; left.length > 0; limitWithTies = Math.min(4 * limitWithTies, max)) {
    const results = await query(
      collection,
      left.map((namespaceId) => ({
        query: vector,
        filter: { ...toFilter(namespaceId, filter), ...toExceptions(namespaceId, except) },
        params: denseParams,
        with_payload: addressFields,
        limit: limitWithTies,
      })),
      signal,
    )
    const cut = left.filter((_, index) => {
      const points = results[index] ?? []
      const isCut = points.length === limitWithTies && points.at(-1)?.score === points[limit - 1]?.score
      if (isCut && limitWithTies < max) return true
      for (const point of points) found.push({ ...toAddress(point), score: Math.max(-1, Math.min(1, point.score)) })
      return false
    })
    left = cut
  }
  return found.sort((a, b) => b.score - a.score || compareAddresses(a, b)).slice(0, limit)
}
