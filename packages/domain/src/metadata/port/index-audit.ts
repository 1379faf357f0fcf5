import type { IndexedChunk, IndexedItem, Passages } from '../records.ts'
import type { Page } from './common.ts'

/** What the index should hold of a namespace. Nothing here changes a status. */
export interface IndexAuditStore {
  /** By id, without bodies. */
  items(namespaceId: string, page: Page): Promise<IndexedItem[]>
  /**
   * Returns the same of chunks, of every version, by `itemId`. A full page may have more than `limit`, as in
   * `ChunkStore.page`.
   */
  chunks(namespaceId: string, page: Page): Promise<IndexedChunk[]>
  /**
   * Records that the indexed body of this version has other numbers of passages. Does nothing when the version is no
   * longer indexed.
   */
  setPassages(namespaceId: string, id: string, indexed: Passages & { readonly version: string }): Promise<void>
  /** Marks that points of a namespace are missing (wall time), or that none is (null). */
  markLost(namespaceId: string, at: number | null): Promise<void>
}
