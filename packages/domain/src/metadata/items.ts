import { isPresent, present } from './item-marks.ts'
import type { ProtocolOf } from './jobs.ts'
import type { ItemStore } from './port.ts'
import type { Item, ItemState, ItemStatus, ItemWithoutBody, SearchableItem, StoredItem } from './records.ts'
import { count, find, get, read, readLatest, removeAll, updateBlindly, updateOne } from './steps.ts'

const keys = (namespaceId: string, ids: readonly string[]) => ids.map((id) => [namespaceId, id])
const there = <T extends Pick<StoredItem, 'status'>>(
  items: readonly (T | undefined)[],
): (T & { readonly status: ItemStatus })[] => items.flatMap((item) => (item && isPresent(item) ? [item] : []))
const stateFields = ['id', 'version', 'status', 'reason', 'stale', 'indexed'] as const
/** Bodies without their vectors, which no search returns. */
const searchableFields = [
  'namespaceId',
  'id',
  'status',
  'indexed.version',
  'indexed.body.text',
  'indexed.body.metadata',
  'body.text',
  'body.metadata',
] as const
const searchableOf = ({
  namespaceId,
  id,
  body,
  indexed,
}: Pick<Item, 'namespaceId' | 'id' | 'body' | 'indexed'>): SearchableItem => {
  const { text, metadata } = indexed?.body ?? body
  return { namespaceId, id, indexedVersion: indexed?.version ?? null, body: { text, metadata } }
}
const withoutBodyFields = ['id', 'version', 'createdAt'] as const
// An engine may return more fields than requested, and bodies are long.
const withoutBody = ({ id, version, createdAt }: ItemWithoutBody): ItemWithoutBody => ({ id, version, createdAt })
const stateOf = (item: Pick<Item, (typeof stateFields)[number]>): ItemState => ({
  id: item.id,
  version: item.version,
  status: item.status,
  reason: item.reason,
  stale: item.stale,
  indexedVersion: item.indexed?.version ?? null,
})

export const items: ProtocolOf<ItemStore> = {
  get: read(function* (namespaceId, ids) {
    return there(yield* get('items: get', 'items', keys(namespaceId, ids)))
  }),
  searchable: read(function* (addresses) {
    const keys = addresses.map(({ namespaceId, itemId }) => [namespaceId, itemId])
    return there(yield* get('items: searchable', 'items', keys, searchableFields)).map(searchableOf)
  }),
  latestStates: readLatest(function* (namespaceId, ids) {
    return there(yield* get('items: latest states', 'items', keys(namespaceId, ids), stateFields)).map(stateOf)
  }),
  states: read(function* (namespaceId, ids) {
    return there(yield* get('items: states', 'items', keys(namespaceId, ids), stateFields)).map(stateOf)
  }),
  page: read(function* (namespaceId, { after = '', limit }) {
    return there(yield* find('items: page', 'items', { namespaceId, id: { gt: after }, ...present }, ['id'], limit))
  }),
  pageWithoutBodies: read(function* (namespaceId, { after = '', limit }) {
    return (yield* find(
      'items: page without bodies',
      'items',
      { namespaceId, id: { gt: after }, ...present },
      ['id'],
      limit,
      withoutBodyFields,
    )).map(withoutBody)
  }),
  count: readLatest(function* (namespaceId) {
    return yield* count('items: count', 'items', { namespaceId, ...present })
  }),
  *markIndexed(namespaceId, version, marks) {
    const read = yield* get(
      'mark indexed: read',
      'items',
      keys(
        namespaceId,
        marks.map(({ id }) => id),
      ),
      ['indexed'],
    )
    yield* updateBlindly(
      'mark indexed',
      'items',
      marks.map(({ id, ...passages }, index) => {
        const former = read[index]?.indexed?.version
        return {
          key: [namespaceId, id],
          // Under this version and `processing` no other operation changes what is indexed, so `former` is still what
          // it replaces.
          where: { version, status: 'processing' },
          change: {
            set: { status: 'completed', indexed: { version, ...passages } },
            ...(former === undefined || former === version ? {} : { push: { stale: [former] } }),
          },
        }
      }),
    )
  },
  *markFailed(namespaceId, version, failures) {
    yield* updateBlindly(
      'mark failed',
      'items',
      failures.map(({ id, reason }) => ({
        key: [namespaceId, id],
        where: { version, status: 'processing' },
        change: { set: { status: 'failed', reason } },
      })),
    )
  },
  *dropStale(namespaceId, id, versions) {
    yield* updateOne('drop stale', 'items', [namespaceId, id], {}, { pull: { stale: versions } })
  },
  *removeOfNamespace(namespaceId, limit) {
    const some = yield* find('items: find of namespace', 'items', { namespaceId }, ['id'], limit, ['id'])
    return yield* removeAll(
      'items: remove of namespace',
      'items',
      keys(
        namespaceId,
        some.map(({ id }) => id),
      ),
    )
  },
}
