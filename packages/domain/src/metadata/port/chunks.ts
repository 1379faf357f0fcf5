import type { Chunk, ChunkWithoutBody, FileProgress, FileRecord, Passages } from '../records.ts'
import type { Page } from './common.ts'
import type { Lease } from './jobs.ts'

export type ChunkDraft = Pick<Chunk, 'itemId' | 'kind' | 'body' | 'places'>

export interface ChunkStore {
  /** Absent ones are left out. */
  get(references: readonly { readonly version: string; readonly itemId: string }[]): Promise<Chunk[]>
  /** Returns the same without bodies, in the latest committed state: the removal of points depends on it. */
  latestWithoutBodies(
    references: readonly { readonly version: string; readonly itemId: string }[],
  ): Promise<ChunkWithoutBody[]>
  /** Returns those of these item ids that are published. */
  published(namespaceId: string, itemIds: readonly string[]): Promise<Chunk[]>
  /** By `id`; `after` is one. */
  ofVersion(version: string, page: Page): Promise<Chunk[]>
  /**
   * Returns chunks of every version, by `itemId`, as is `after`. Those of one id come in any order and all in one page,
   * so a full page may have more than `limit`.
   */
  page(namespaceId: string, page: Page): Promise<Chunk[]>
  /** The same page without bodies. */
  pageWithoutBodies(namespaceId: string, page: Page): Promise<ChunkWithoutBody[]>
  /**
   * Writes chunks of a version and the job that indexes them, then the file's checkpoint. A repetition under the same
   * ids has the same content. False when the lease is lost or another version is being processed.
   */
  handOver(input: {
    readonly lease: Lease
    /** The same each time for the same drafts. */
    readonly uploadId: string
    readonly file: { readonly id: string; readonly version: string }
    readonly drafts: readonly ChunkDraft[]
    readonly checkpoint: FileRecord['checkpoint']
    readonly progress: FileProgress
    /** Wall time. */
    readonly at: number
  }): Promise<boolean>
  markIndexed(version: string, marks: readonly (Passages & { readonly itemId: string })[]): Promise<void>
  remove(chunks: readonly { readonly version: string; readonly itemId: string }[]): Promise<void>
  removeOfNamespace(namespaceId: string, limit: number): Promise<number>
  countOfNamespace(namespaceId: string): Promise<number>
}
