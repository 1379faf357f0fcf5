import type { Schemas } from '@qdrant/js-client-rest'
import type { Qdrant } from './client.ts'
import { confirm } from './collections.ts'
import { itemVersionOf, toFilter } from './points.ts'

const idsAtOnce = 1_000
/** One answer and one request: 36 bytes an id. */
const mostIds = 10_000

type Target = {
  readonly namespaceId: string
  readonly itemId: string
  readonly version: string
  readonly fromPassage: number
}

/** Points are looked up and then removed by their ids, so that the number is of what went, and a repeated removal finds nothing. */
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
        const page = await request((client) => client.scroll(collection, { filter, limit: idsAtOnce, with_payload: ['passage'], ...from }))
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
