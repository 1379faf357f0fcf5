import type { Deletion, Namespace } from '../records.ts'
import type { JobStore, Lease } from './jobs.ts'

export interface DeletionStore extends JobStore<Deletion> {
  /** Writes the record of a namespace's deletion if it is missing; false when it exists. */
  insertOfNamespace(
    namespace: Namespace,
    context: {
      readonly space: Deletion['space']
      readonly otherSpaces?: Deletion['otherSpaces']
      readonly correlationId: string
      readonly traceparent: string | null
      readonly at: number
    },
  ): Promise<boolean>
  /**
   * Takes over a deletion by id under the lease `token`: one overdue in `accepting`, or a due one whose last worker did
   * not finish this step. Removes its listed items whose version is unchanged, records how the counts change
   * (`itemsDone`), and changes them. Until then `lease` does not take it. Never reads versions again. Undefined when it
   * can't be taken.
   */
  adopt(id: string, token: string): Promise<Deletion | undefined>
  complete(lease: Lease, result: { readonly removed: Deletion['removed']; readonly at: number }): Promise<boolean>
  /**
   * Removes the records that a deletion by id has marked, or the record of the file it has claimed. Resolves to the
   * number of marks that must stay for now, because the upload that inserted the item is not counted yet.
   */
  removeMarked(id: string): Promise<number>
  /**
   * Removes marked items whose deletion is final or gone: a request marked them after it was thought dead. Resolves to
   * their number.
   */
  removeForgotten(limit: number): Promise<number>
  /**
   * Does the last steps of a namespace's deletion: returns the account's quota (once per deletion), removes the
   * namespace record, which frees the name, and sets the deletion to `rechecking`. False when the lease is lost.
   */
  releaseNamespace(
    lease: Lease,
    result: { readonly removed: Deletion['removed']; readonly at: number },
  ): Promise<boolean>
  /** Records a re-check. The fourth and last one completes the deletion and removes its note from the account. */
  rechecked(lease: Lease, result: { readonly removed: Deletion['removed']; readonly at: number }): Promise<boolean>
  prune(before: number, limit: number): Promise<number>
}
