import type { EventRecord } from '../records.ts'

/**
 * What happened to the content of each account, told by the methods that make it happen. Records are kept for a time;
 * those of a deleted namespace lose their content with it.
 */
export interface EventStore {
  /** Returns records after this `seq`, in order; `namespaceId`: only those of it. */
  after(
    accountId: string,
    seq: number,
    page: { readonly namespaceId?: string | undefined; readonly limit: number },
  ): Promise<EventRecord[]>
  /**
   * Returns the first `seq` of the account that has not expired, and the last; undefined: nothing was told yet. When all
   * have expired, the first is the next one after the last.
   */
  bounds(accountId: string): Promise<{ readonly first: number; readonly last: number } | undefined>
  /** Removes the content of the namespace's records; resolves to their number. */
  removeOfNamespace(namespaceId: string, limit: number): Promise<number>
  countOfNamespace(namespaceId: string): Promise<number>
  /**
   * Removes records before this wall time; the last one of an account loses its content only, at wall time `at`.
   * Resolves to the number of both.
   */
  prune(before: number, at: number, limit: number): Promise<number>
}
