import type { DocumentOutcome, Upload } from '../records.ts'
import type { JobStore, Lease } from './jobs.ts'

export interface UploadStore extends JobStore<Upload> {
  /** Final, conditional on the lease. */
  complete(
    lease: Lease,
    result: {
      readonly state: 'completed' | 'failed'
      readonly outcomes: readonly DocumentOutcome[]
      readonly times: Upload['times']
      readonly at: number
    },
  ): Promise<boolean>
  /** Turns an overdue `accepting` record to `queued` with the ids whose items carry its version; none: `failed`. */
  adopt(id: string, at: number): Promise<Upload | undefined>
  /** Re-opens final uploads that still have an item `processing` under their version. Looks at items processing since before `before` (wall time). */
  reopen(before: number, limit: number): Promise<string[]>
  /** Removes final records last updated before (wall time); resolves to the number removed. */
  prune(before: number, limit: number): Promise<number>
}
