import { slices } from '@cairn/contracts/flow/slices'
import type { VersionRemoval } from '@cairn/domain/ports/vector-index'
import type { Schemas } from '@qdrant/js-client-rest'
import type { Qdrant } from './client.ts'
import { confirm } from './collections.ts'
import { itemVersionOf, scrollPages, toFilter } from './points.ts'

const idsAtOnce = 1_000
/** At 36 bytes each, in responses and requests. */
const maxIds = 10_000

/** At about 70 bytes each, in one filter. */
const versionsAtOnce = 1_000

/** Looks points up and removes them by id, so that their number is known and a repeated removal returns 0. */
export const createRemoval = ({ request }: Qdrant) => {
  const remove = async (collection: string, ids: Schemas['ExtendedPointId'][]): Promise<number> => {
    if (ids.length > 0) confirm(await request((client) => client.delete(collection, { points: ids, wait: true })))
    return ids.length
  }

  const removeVersions = async (collection: string, namespaceId: string, targets: readonly VersionRemoval[]) => {
    const firstOf = new Map(
      targets.map(({ itemId, version, fromPassage = 0 }) => [itemVersionOf(itemId, version), fromPassage]),
    )
    const filter = toFilter(namespaceId, undefined, [{ key: 'item_version', match: { any: [...firstOf.keys()] } }])
    const page = { filter, limit: idsAtOnce, with_payload: ['item_version', 'passage'] }
    let removed = 0
    for await (const points of scrollPages({ request }, collection, page)) {
      const isTarget = ({ payload }: Pick<Schemas['Record'], 'payload'>) =>
        Number(payload?.['passage']) >= (firstOf.get(String(payload?.['item_version'])) ?? Number.POSITIVE_INFINITY)
      removed += await remove(
        collection,
        points.filter(isTarget).map(({ id }) => id),
      )
    }
    return removed
  }

  return {
    versions: async (collection: string, targets: readonly VersionRemoval[]): Promise<number> => {
      let removed = 0
      for (const [namespaceId, ofNamespace] of Map.groupBy(targets, (target) => target.namespaceId))
        for (const some of slices(ofNamespace, versionsAtOnce))
          removed += await removeVersions(collection, namespaceId, some)
      return removed
    },
    namespace: async (collection: string, namespaceId: string, limit: number): Promise<number> => {
      const slice = { filter: toFilter(namespaceId), limit: Math.min(limit, maxIds), with_payload: false }
      const { points } = await request((client) => client.scroll(collection, slice))
      return remove(
        collection,
        points.map(({ id }) => id),
      )
    },
  }
}
