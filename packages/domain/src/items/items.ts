import type { Page } from '../protocol/page.ts'
import {
  count,
  find,
  get,
  guarded,
  type Protocol,
  type ReadProtocol,
  read,
  readLatest,
  removeFound,
  updateBlindly,
  updateIf,
} from '../protocol/steps.ts'
import { onlyFields } from './documents.ts'
import { isPresent, present } from './item-marks.ts'
import type { Item, ItemState, ItemStatus, ItemWithoutBody, Passages, SearchableItem, StoredItem } from './record.ts'

const keys = (namespaceId: string, ids: readonly string[]) => ids.map((id) => [namespaceId, id])
const presentItems = <T extends Pick<StoredItem, 'status'>>(
  items: readonly (T | undefined)[],
): (T & { readonly status: ItemStatus })[] => items.flatMap((item) => (item && isPresent(item) ? [item] : []))
const stateFields = ['id', 'version', 'status', 'reason', 'stale', 'indexed'] as const
/** Excludes the vector, which searches never return. */
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
const stateOf = (item: Pick<Item, (typeof stateFields)[number]>): ItemState => ({
  id: item.id,
  version: item.version,
  status: item.status,
  reason: item.reason,
  stale: item.stale,
  indexedVersion: item.indexed?.version ?? null,
})

export const items = {
  /** Returns items in the order of `ids`, without absent ones. */
  get: read(function* (namespaceId: string, ids: readonly string[]): ReadProtocol<Item[]> {
    return presentItems(yield* get('items: get', 'items', keys(namespaceId, ids)))
  }),
  /** Returns items of any namespaces, in the order of `addresses`, without vectors and absent ones. */
  searchable: read(function* (
    addresses: readonly { readonly namespaceId: string; readonly itemId: string }[],
  ): ReadProtocol<SearchableItem[]> {
    const keys = addresses.map(({ namespaceId, itemId }) => [namespaceId, itemId])
    return presentItems(yield* get('items: searchable', 'items', keys, searchableFields)).map(searchableOf)
  }),
  /** Returns what decides whether a version is dead, from the latest committed state: points are removed by it. */
  latestStates: readLatest(function* (namespaceId: string, ids: readonly string[]): ReadProtocol<ItemState[]> {
    return presentItems(yield* get('items: latest states', 'items', keys(namespaceId, ids), stateFields)).map(stateOf)
  }),
  /** Returns states for display: where a store has several members, they may be seconds old. */
  states: read(function* (namespaceId: string, ids: readonly string[]): ReadProtocol<ItemState[]> {
    return presentItems(yield* get('items: states', 'items', keys(namespaceId, ids), stateFields)).map(stateOf)
  }),
  /** Returns items in code point order of their ids. */
  page: read(function* (namespaceId: string, { after = '', limit }: Page): ReadProtocol<Item[]> {
    return presentItems(
      yield* find('items: page', 'items', { namespaceId, id: { gt: after }, ...present }, ['id'], limit),
    )
  }),
  pageWithoutBodies: read(function* (
    namespaceId: string,
    { after = '', limit }: Page,
  ): ReadProtocol<ItemWithoutBody[]> {
    return (yield* find(
      'items: page without bodies',
      'items',
      { namespaceId, id: { gt: after }, ...present },
      ['id'],
      limit,
      withoutBodyFields,
    )).map(onlyFields(withoutBodyFields))
  }),
  count: readLatest((namespaceId: string) => count('items: count', 'items', { namespaceId, ...present })),
  /**
   * Marks items `completed` on the condition that they still have this version and are `processing`; the version
   * indexed before moves to `stale`. Read the items to learn which updates were applied.
   */
  *markIndexed(
    namespaceId: string,
    version: string,
    marks: readonly (Passages & { readonly id: string })[],
  ): Protocol<void> {
    const read = yield* guarded(
      get(
        'mark indexed: read',
        'items',
        keys(
          namespaceId,
          marks.map(({ id }) => id),
        ),
        ['indexed'],
      ),
    )
    yield* updateBlindly(
      'mark indexed',
      'items',
      marks.map(({ id, ...passages }, index) => {
        const former = read[index]?.indexed?.version
        return {
          key: [namespaceId, id],
          // While `where` holds, no other operation changes `indexed`: `former` is still correct.
          where: { version, status: 'processing' },
          change: {
            set: { status: 'completed', indexed: { version, ...passages } },
            ...(former === undefined || former === version ? {} : { push: { stale: [former] } }),
          },
        }
      }),
    )
  },
  /** Has the condition of `markIndexed`; the body indexed before stays searchable. */
  *markFailed(
    namespaceId: string,
    version: string,
    failures: readonly { readonly id: string; readonly reason: string }[],
  ): Protocol<void> {
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
  *dropStale(namespaceId: string, id: string, versions: readonly string[]): Protocol<void> {
    yield* updateIf('drop stale', 'items', [namespaceId, id], {}, { pull: { stale: versions } })
  },
  /** Requires that the namespace is being deleted. */
  removeOfNamespace: (namespaceId: string, limit: number) =>
    removeFound(
      'items: remove of namespace',
      'items',
      find('items: find of namespace', 'items', { namespaceId }, ['id'], limit, ['namespaceId', 'id']),
    ),
}
