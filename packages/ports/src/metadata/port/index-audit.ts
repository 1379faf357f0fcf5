import type { IndexedChunk, IndexedItem } from '../records.ts'
import type { Page } from './common.ts'

/** What the index should hold of a namespace, for whoever compares the two. Nothing here changes a status. */
export interface IndexAuditStore {
  /** By id, without bodies. */
  items(namespaceId: string, page: Page): Promise<IndexedItem[]>
  /** The same of chunks, of every version, by `itemId`; a full page may have more than `limit`, as `ChunkStore.page`. */
  chunks(namespaceId: string, page: Page): Promise<IndexedChunk[]>
  /** The indexed body of this version was cut into another number of passages than is recorded. Nothing when it is indexed no more. */
  setPassages(namespaceId: string, id: string, indexed: { readonly version: string; readonly passages: number }): Promise<void>
  /** Marks that points of a namespace are missing (wall time), or that none are any more (null). */
  markLost(namespaceId: string, at: number | null): Promise<void>
}
