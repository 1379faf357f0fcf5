import type { Installation, Orphan } from '../records.ts'
import type { Page } from './common.ts'

export interface InstallationStore {
  /** Returns the identity of this database for the object store; the first call creates it with its `minted` id. */
  get(minted: string): Promise<Installation>
}

/** Objects that this database knows nothing of, as found by the sweep. */
export interface OrphanStore {
  get(key: string): Promise<Orphan | undefined>
  /** By key. */
  page(page: Page): Promise<Orphan[]>
  /** Records that the object existed at `at` (wall time); returns the record. */
  recordOrphan(object: Pick<Orphan, 'key' | 'sizeBytes'>, at: number): Promise<Orphan>
  /** Approves its removal by the next sweep; false when there is no such record. */
  approve(key: string): Promise<boolean>
  /**
   * Removes up to `limit` records of objects last found before this wall time: they are gone, or known by now. Resolves
   * to the number removed.
   */
  forget(before: number, limit: number): Promise<number>
}
