import type { Deletion, FileRecord, Job } from '../records.ts'

/** A lease on a job: the token proves it. */
export type Lease = { readonly jobId: string; readonly token: string }

/** The lane of a job: `short` ones may use a slot that is kept for them. */
export type Lane = 'short' | 'long'

/** What the choice between due jobs depends on. */
export type DueJob = Pick<Job, 'id' | 'namespaceId' | 'nextAttemptAt'> & { readonly bytes: number }

/**
 * Number of queued jobs that are due, counted up to 1,000, and how long the oldest has been due (ms; 0 without due
 * jobs).
 */
export type DueCount = { readonly jobs: number; readonly oldestMs: number }

/** What the end of a job is estimated from. */
export type BacklogJob = Pick<
  Job,
  'id' | 'accountId' | 'namespaceId' | 'bytes' | 'lane' | 'nextAttemptAt' | 'lease' | 'startedAt' | 'endedAt'
> &
  Pick<Partial<FileRecord>, 'name' | 'object' | 'stage' | 'times'> &
  Pick<Partial<Deletion>, 'target' | 'itemCount' | 'removed'>

/** The work of a store, of all processes. */
export type Backlog = {
  readonly at: number
  /** The 64 jobs whose work was completed last; of deletions as many again that are still re-checked. */
  readonly ended: readonly BacklogJob[]
  /** The leases of some may have expired. At most 100. */
  readonly running: readonly BacklogJob[]
  /** The 200 that are due first, or will be. */
  readonly queued: readonly BacklogJob[]
  /** Number of queued jobs beyond these. */
  readonly unread: number
}

export interface JobStore<J extends Job> {
  get(id: string): Promise<J | undefined>
  /** Absent ones are left out. */
  many(ids: readonly string[]): Promise<J[]>
  /**
   * Takes the lease (30 s) if the job is due: queued and either fresh or past its next attempt, running with an expired
   * lease, or a due re-check. Undefined when it can't be taken. An overdue `accepting` record is not due: see `adopt`.
   */
  lease(id: string, token: string): Promise<J | undefined>
  /** False when the lease is lost. `progress` resets `starts` and `retries`. */
  renew(lease: Lease, options?: { readonly progress?: boolean }): Promise<boolean>
  /**
   * Puts the job back to `queued`, due after `delayMs`, and resets `starts`. `counted` raises `attempts`. An orderly
   * release is `fresh`. `waits`: it only waits for work of others, and its next start continues it.
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
  /** Returns due jobs: queued, with an expired lease, or overdue in `accepting`. Oldest due time first. */
  due(limit: number): Promise<J[]>
  /** Returns the first account after `after`, by id, with a queued job of this lane that is due. */
  dueAccount(lane: Lane, after: string): Promise<string | undefined>
  /**
   * Returns due queued jobs of the account: those of the first namespace after `after`, by id, oldest due time first,
   * then those of the next, and from the first namespace again when none follows. A lease on one of them may be
   * refused.
   */
  dueOf(accountId: string, lane: Lane, after: string, limit: number): Promise<DueJob[]>
  dueCount(): Promise<DueCount>
  /** Reads a few hundred records at most, however long the queue is. */
  backlog(): Promise<Backlog>
  /**
   * Returns due jobs that are not queued: with an expired lease, overdue in `accepting`, or due for a re-check. Oldest
   * due time first.
   */
  abandoned(limit: number): Promise<J[]>
  /** Returns jobs that are not final, oldest first. */
  unfinished(limit: number): Promise<J[]>
  removeOfNamespace(namespaceId: string, limit: number): Promise<number>
  countOfNamespace(namespaceId: string): Promise<number>
}
