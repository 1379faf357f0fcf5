import type { DocumentOutcome, IndexJob, PassageCounts, Upload } from '../records.ts'
import type { JobStore, Lease } from './jobs.ts'

/** Uploads and batches of chunks. */
export interface UploadStore extends JobStore<IndexJob> {
  /** Returns uploads of a namespace by the time of their request, newest first, from those before `before`, an id. */
  newest(namespaceId: string, page: { readonly before?: string | undefined; readonly limit: number }): Promise<Upload[]>
  /** Makes the job final, conditional on the lease. */
  complete(
    lease: Lease,
    result: {
      readonly state: 'completed' | 'failed'
      readonly outcomes: readonly DocumentOutcome[]
      readonly times: Upload['times']
      readonly passages?: PassageCounts
      readonly at: number
    },
  ): Promise<boolean>
  /**
   * Turns an overdue `accepting` record to `queued` with the ids whose items have its version; without any, to
   * `failed`.
   */
  adopt(id: string, at: number): Promise<Upload | undefined>
  /**
   * Reopens final uploads that still have an item `processing` under their version. Reads items in `processing` since
   * before `before` (wall time), the oldest first, from those after `after` on. `next` continues there; null at the end.
   */
  reopen(range: {
    readonly after: number
    readonly before: number
    readonly limit: number
  }): Promise<{ readonly reopened: string[]; readonly next: number | null }>
  /** Removes final records last updated before this wall time; resolves to the number removed. */
  prune(before: number, limit: number): Promise<number>
}
