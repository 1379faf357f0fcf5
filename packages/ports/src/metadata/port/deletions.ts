import type { Deletion, Namespace } from '../records.ts'
import type { JobStore, Lease } from './jobs.ts'

export interface DeletionStore extends JobStore<Deletion> {
  /** Writes the record of a namespace deletion where it is missing; false when it is there. */
  insertOfNamespace(
    namespace: Namespace,
    context: {
      readonly space: Deletion['space']
      readonly correlationId: string
      readonly traceparent: string | null
      readonly at: number
    },
  ): Promise<boolean>
  /**
   * Takes over a deletion by id under the lease token `token`: one overdue in `accepting`, or one that is due and whose taker
   * before did not finish this. Its listed items are removed on condition that their version is unchanged, the record says what
   * that changes (`itemsDone`), and counts follow; before that no plain lease is given. Never re-reads. Undefined when it can't be had.
   */
  adopt(id: string, token: string): Promise<Deletion | undefined>
  complete(lease: Lease, result: { readonly removed: Deletion['removed']; readonly at: number }): Promise<boolean>
  /**
   * Removes the records that a deletion by id has marked, or the one of the file it has claimed. Resolves to the number of marks that must
   * stay for now: the upload that inserted the item has not been counted yet.
   */
  removeMarked(id: string): Promise<number>
  /** Removes marked items whose deletion is final or gone, which a request that was thought dead marked late; resolves to their number. */
  removeForgotten(limit: number): Promise<number>
  /**
   * The last steps of a namespace deletion: gives back what the account held (never twice for one deletion), removes the
   * namespace record (the name is free) and puts the deletion to `rechecking`. False when the lease is lost.
   */
  releaseNamespace(lease: Lease, result: { readonly removed: Deletion['removed']; readonly at: number }): Promise<boolean>
  /** A re-check is done; the last one (the fourth) completes the deletion and forgets its note on the account. */
  rechecked(lease: Lease, result: { readonly removed: Deletion['removed']; readonly at: number }): Promise<boolean>
  prune(before: number, limit: number): Promise<number>
}
