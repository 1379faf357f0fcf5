import type { Job } from '../records.ts'

/** A lease on a job: the token proves it. */
export type Lease = { readonly jobId: string; readonly token: string }

/** Which jobs of an account are meant: `short` ones may use a slot that is kept for them. */
export type Lane = 'short' | 'long'

/** What a choice between due jobs rests on. */
export type DueJob = Pick<Job, 'id' | 'namespaceId' | 'nextAttemptAt'> & { readonly bytes: number }

/** Queued jobs that are due: their number, counted up to 1,000, and how long the oldest has been due (ms; 0 without due jobs). */
export type DueCount = { readonly jobs: number; readonly oldestMs: number }

export interface JobStore<J extends Job> {
  get(id: string): Promise<J | undefined>
  /** Absent ones are left out. */
  many(ids: readonly string[]): Promise<J[]>
  /**
   * Takes the lease (30 s) if the job is due: queued and either fresh or past its next attempt, or running with an expired
   * lease, or a re-check that is due. Undefined when it can't be had. An overdue `accepting` record is not due: see `adopt`.
   */
  lease(id: string, token: string): Promise<J | undefined>
  /** False when the lease is lost. `progress` resets `starts` and `retries`. */
  renew(lease: Lease, options?: { readonly progress?: boolean }): Promise<boolean>
  /**
   * Back to `queued`, due after `delayMs`; `starts` begins anew. `counted` raises `attempts`; an orderly release is `fresh`; `waits`: it only
   * waits for work of others, and its next start goes on with it.
   */
  requeue(
    lease: Lease,
    next: {
      readonly delayMs: number
      readonly error: string | null
      readonly counted: boolean
      readonly fresh?: boolean
      readonly waits?: boolean
    },
  ): Promise<boolean>
  /** Jobs to look at now: due, of expired lease, or overdue in accepting. Oldest due time first. */
  due(limit: number): Promise<J[]>
  /** The first account whose id comes after `after` and that has a queued job of this lane that is due. */
  dueAccount(lane: Lane, after: string): Promise<string | undefined>
  /**
   * Queued jobs of the account that are due: those of the first namespace whose id comes after `after`, oldest due time first, then those of
   * the next, and from the first namespace on again where none comes after it. A lease on one of them may be refused.
   */
  dueOf(accountId: string, lane: Lane, after: string, limit: number): Promise<DueJob[]>
  dueCount(): Promise<DueCount>
  /** Due jobs that are not queued: of expired lease, overdue in accepting, or to be checked again. Oldest due time first. */
  abandoned(limit: number): Promise<J[]>
  /** Not final, oldest first. */
  unfinished(limit: number): Promise<J[]>
  removeOfNamespace(namespaceId: string, limit: number): Promise<number>
  countOfNamespace(namespaceId: string): Promise<number>
}
