import type { Body, Deletion, Item, ItemState, ItemWithoutBody, Passages, SearchableItem, Upload } from '../records.ts'
import type { Limit, Page } from './common.ts'

export type AcceptInput = {
  readonly uploadId: string
  readonly kind: Upload['kind']
  readonly accountId: string
  readonly namespaceId: string
  /** Distinct ids; at least one. */
  readonly documents: readonly { readonly id: string; readonly body: Body }[]
  /**
   * If set, only items that have this version are overwritten, by id: one that was replaced or deleted meanwhile is left
   * alone, and nothing is inserted.
   */
  readonly versions?: ReadonlyMap<string, string>
  readonly rejected: Upload['rejected']
  readonly limit: Limit
  readonly correlationId: string
  readonly traceparent: string | null
  /** Wall time, milliseconds. */
  readonly at: number
  /** If set, the record becomes `running` under this lease, for a request that does the work itself. */
  readonly leaseToken?: string
}

export type AcceptResult =
  | {
      readonly outcome: 'accepted'
      readonly accepted: readonly string[]
      readonly overQuota: readonly string[]
      /** Ids that belong to chunks of files. */
      readonly taken: readonly string[]
      readonly inserted: number
      readonly job: Upload
    }
  /** Nothing was written. */
  | { readonly outcome: 'overLimit'; readonly current: number }
  | { readonly outcome: 'namespaceGone' }

export type DeleteItemsInput = {
  readonly deletionId: string
  readonly accountId: string
  readonly namespaceId: string
  readonly namespaceName: string
  readonly space: Deletion['space']
  readonly ids: readonly string[]
  /** If set, only items with this version are removed, by id; one that is replaced meanwhile stays. */
  readonly versions?: ReadonlyMap<string, string>
  readonly correlationId: string
  readonly traceparent: string | null
  readonly at: number
}

export type DeleteItemsResult =
  /** `deletion` is undefined when none of the ids was there. */
  | {
      readonly outcome: 'deleted'
      readonly deleted: readonly string[]
      readonly remaining: number
      readonly deletion: Deletion | undefined
    }
  | { readonly outcome: 'namespaceGone' }

export interface ItemStore {
  /** In the order of `ids`; absent ones are left out. */
  get(namespaceId: string, ids: readonly string[]): Promise<Item[]>
  /** Reads items of any namespaces at once, in the order of `addresses`, without vectors; absent ones are left out. */
  searchable(addresses: readonly { readonly namespaceId: string; readonly itemId: string }[]): Promise<SearchableItem[]>
  /**
   * Returns what decides whether a version is dead, in the latest committed state: the removal of points depends on it.
   */
  latestStates(namespaceId: string, ids: readonly string[]): Promise<ItemState[]>
  /** Returns the same for display: it may be some seconds old where a store has several members. */
  states(namespaceId: string, ids: readonly string[]): Promise<ItemState[]>
  /** By id in code point order. */
  page(namespaceId: string, page: Page): Promise<Item[]>
  /** The same page without bodies. */
  pageWithoutBodies(namespaceId: string, page: Page): Promise<ItemWithoutBody[]>
  count(namespaceId: string): Promise<number>
  /**
   * Marks items as indexed, one conditional update per item (`version` is this one, status `processing`): it becomes
   * `completed` with so many passages, and the version indexed before moves to `stale`. Read the items to learn which
   * updates were applied.
   */
  markIndexed(
    namespaceId: string,
    version: string,
    marks: readonly (Passages & { readonly id: string })[],
  ): Promise<void>
  /** Marks items as failed, under the same condition; the body indexed before stays searchable. */
  markFailed(
    namespaceId: string,
    version: string,
    failures: readonly { readonly id: string; readonly reason: string }[],
  ): Promise<void>
  /** Removes exactly these from the item's `stale`. */
  dropStale(namespaceId: string, id: string, versions: readonly string[]): Promise<void>
  /** Removes up to `limit` items of a namespace that is being deleted; resolves to the number removed. */
  removeOfNamespace(namespaceId: string, limit: number): Promise<number>
}
