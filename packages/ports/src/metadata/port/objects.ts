import type { Installation, Orphan } from '../records.ts'
import type { Page } from './common.ts'

export interface InstallationStore {
  /** What this database is to the object store; made at the first call, with the id that call has minted. */
  get(minted: string): Promise<Installation>
}

/** Objects that this database knows nothing of, as the sweep has found them. */
export interface OrphanStore {
  get(key: string): Promise<Orphan | undefined>
  /** By key. */
  page(page: Page): Promise<Orphan[]>
  /** Notes that the object was there at `at` (wall time); the record after. */
  seen(object: Pick<Orphan, 'key' | 'sizeBytes'>, at: number): Promise<Orphan>
  /** Agrees to its removal by the next sweep; false when there is no such record. */
  approve(key: string): Promise<boolean>
  /** Forgets up to `limit` that were last seen before (wall time): they are gone, or known. Resolves to the number forgotten. */
  forget(before: number, limit: number): Promise<number>
}
