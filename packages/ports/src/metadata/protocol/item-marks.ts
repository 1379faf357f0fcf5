import type { ItemStatus, StoredItem } from '../records.ts'
import { get, type Protocol, type WhereOf } from './steps.ts'

/** What a search for items that are there is conditional on. */
export const present: WhereOf<'items'> = { status: { ne: 'removed' } }

/** Whether the item is there for anybody but recovery. */
export const isPresent = <T extends Pick<StoredItem, 'status'>>(item: T): item is T & { readonly status: ItemStatus } =>
  item.status !== 'removed'

/**
 * Which removed items may make way for others: those whose upload and deletion have both left the namespace. Until then the record is
 * what tells recovery how much each of them has changed.
 */
export function* mayReplace(namespaceId: string): Protocol<(item: Pick<StoredItem, 'insertedBy' | 'removedBy'>) => boolean> {
  const [namespace] = yield* get('items: who is open', 'namespaces', [[namespaceId]], ['open'])
  const isOpen = (token: string | undefined) => token !== undefined && Object.hasOwn(namespace?.open ?? {}, token)
  return ({ insertedBy, removedBy }) => !isOpen(insertedBy) && !isOpen(removedBy)
}
