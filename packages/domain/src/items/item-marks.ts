import { get, type Protocol, type WhereOf } from '../protocol/steps.ts'
import type { ItemStatus, StoredItem } from './record.ts'

export const present: WhereOf<'items'> = { status: { ne: 'removed' } }

/** A removed item only remains for recovery. */
export const isPresent = <T extends Pick<StoredItem, 'status'>>(item: T): item is T & { readonly status: ItemStatus } =>
  item.status !== 'removed'

/**
 * A removed item may be replaced once its upload and deletion have left the namespace: until then recovery needs the
 * record to know what each of them changed.
 */
export function* mayReplace(
  namespaceId: string,
): Protocol<(item: Pick<StoredItem, 'insertedBy' | 'removedBy'>) => boolean> {
  const [namespace] = yield* get('items: read open requests', 'namespaces', [[namespaceId]], ['open'])
  const isOpen = (token: string | undefined) => token !== undefined && Object.hasOwn(namespace?.open ?? {}, token)
  return ({ insertedBy, removedBy }) => !isOpen(insertedBy) && !isOpen(removedBy)
}
