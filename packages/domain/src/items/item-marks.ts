import { get, type Protocol, type WhereOf } from '../protocol/steps.ts'
import type { ItemStatus, StoredItem } from './record.ts'

/** The condition for items that exist. */
export const present: WhereOf<'items'> = { status: { ne: 'removed' } }

/** Whether the item exists; a removed item only remains for recovery. */
export const isPresent = <T extends Pick<StoredItem, 'status'>>(item: T): item is T & { readonly status: ItemStatus } =>
  item.status !== 'removed'

/**
 * Returns a test for removed items that may be replaced: those whose upload and deletion have both left the namespace.
 * Until then recovery needs the record to know what each of the two operations has changed.
 */
export function* mayReplace(
  namespaceId: string,
): Protocol<(item: Pick<StoredItem, 'insertedBy' | 'removedBy'>) => boolean> {
  const [namespace] = yield* get('items: read open requests', 'namespaces', [[namespaceId]], ['open'])
  const isOpen = (token: string | undefined) => token !== undefined && Object.hasOwn(namespace?.open ?? {}, token)
  return ({ insertedBy, removedBy }) => !isOpen(insertedBy) && !isOpen(removedBy)
}
