import type { Schemas } from '@qdrant/js-client-rest'
import type { Qdrant } from './client.ts'
import { confirm } from './collections.ts'
import { itemVersionOf, toFilter } from './points.ts'

const idsAtOnce = 1_000
/** Ids per response and request, at 36 bytes each. */
const mostIds = 10_000

type Target = {
  readonly namespaceId: string
  readonly itemId: string
  readonly version: string
  readonly fromPassage: number
}

/**
 * Looks up points and then removes them by id, so that the number removed is known and a repeated removal returns 0.
 */
export const createRemoval = ({ request }: Qdrant) => {
  const remove = async (collection: string, ids: Schemas['ExtendedPointId'][]): Promise<number> => {
    if (ids.length > 0) confirm(await request((client) => client.delete(collection, { points: ids, wait: true })))
    return ids.length
  }

  return {
    version: async (collection: string, { namespaceId, itemId, version, fromPassage }: Target): Promise<number> => {
      const match = { value: itemVersionOf(itemId, version) }
      const filter = toFilter([namespaceId], undefined, [{ key: 'item_version', match }])
      let removed = 0
      for (let offset: Schemas['ExtendedPointId'] | undefined; ; ) {
        const from = offset === undefined ? {} : { offset }
        const page = await request((client) =>
          client.scroll(collection, { filter, limit: idsAtOnce, with_payload: ['passage'], ...from }),
        )
        const ids = page.points.filter(({ payload }) => Number(payload?.['passage']) >= fromPassage).map(({ id }) => id)
        removed += await remove(collection, ids)
        const next = page.next_page_offset
        if (typeof next !== 'string' && typeof next !== 'number') return removed
        offset = next
      }
    },

    namespace: async (collection: string, namespaceId: string, limit: number): Promise<number> => {
      const slice = { filter: toFilter([namespaceId], undefined), limit: Math.min(limit, mostIds), with_payload: false }
      const { points } = await request((client) => client.scroll(collection, slice))
      return remove(
        collection,
        points.map(({ id }) => id),
      )
    },
  }
}
