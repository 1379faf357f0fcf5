import type { EventRecord } from '../records.ts'

export type EventPage = {
  readonly records: EventRecord[]
  /** The last number that was read: a reader continues after it. */
  readonly last: number
  /** What comes after `last`: more records, nothing yet, or a number whose record is missing and may still come. */
  readonly next: 'more' | 'nothing' | 'missing'
}

/**
 * What happened to the content of each account, told by the methods that make it happen. Records are kept for a time;
 * those of a deleted namespace lose their content with it.
 */
export interface EventStore {
  /** Returns records after this `seq`, in order, up to the first missing number; `namespaceId`: only those of it. */
  after(
    accountId: string,
    seq: number,
    page: { readonly namespaceId?: string | undefined; readonly limit: number },
  ): Promise<EventPage>
  /**
   * Closes missing numbers of this range that are below a record, some hundreds at most: a process that drew one of them
   * draws another one.
   */
  close(accountId: string, from: number, to: number): Promise<void>
  /**
   * Returns the first and the last `seq` of the account whose records are kept; undefined if it has had no event. When
   * all have expired, the first is the number after the last.
   */
  bounds(accountId: string): Promise<{ readonly first: number; readonly last: number } | undefined>
  /** Removes the content of the namespace's records; resolves to their number. */
  removeOfNamespace(namespaceId: string, limit: number): Promise<number>
  countOfNamespace(namespaceId: string): Promise<number>
  /** Removes records before this wall time; resolves to their number. */
  prune(before: number, limit: number): Promise<number>
}
