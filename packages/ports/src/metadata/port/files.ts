import type { Deletion, FileOptions, FileRecord, FileState, RegisteredObject } from '../records.ts'
import type { Limit, Page } from './common.ts'
import type { DeleteItemsInput } from './items.ts'
import type { JobStore, Lease } from './jobs.ts'

export type RegisterInput = {
  /** Minted; used where there is no record of this name yet. */
  readonly fileId: string
  /** Minted; used where the bytes are to be read. */
  readonly version: string
  readonly accountId: string
  readonly namespaceId: string
  readonly name: string
  readonly idBase: string
  readonly key: string
  readonly object: RegisteredObject
  /** Bytes the account may store. */
  readonly limit: Limit
  readonly correlationId: string
  readonly traceparent: string | null
  /** Wall time. */
  readonly at: number
}

export type RegisterResult =
  /**
   * `queued`: it will be read. `known`: this very object was taken in before. `unchanged`: another object of the same bytes, which
   * need no reading.
   */
  | {
      readonly outcome: 'queued' | 'known' | 'unchanged'
      readonly file: FileRecord
      /** Where the object was that this one replaces, when that is another key. */
      readonly formerKey?: string
    }
  /** Beyond the account's limit: the file is failed, counts for nothing, and its object is to be removed. `stored`: what was there before. */
  | { readonly outcome: 'overLimit'; readonly file: FileRecord; readonly stored: number; readonly formerKey?: string }
  /** `revoked`: the file was deleted at that moment, and may not be brought. */
  | { readonly outcome: 'namespaceGone' | 'revoked' }

/** `busy`: requests under way might still take ids of its chunks; try again. `lost`: the lease is, or the version is another. */
export type PublishResult = 'published' | 'lost' | 'busy' | 'namespaceGone' | 'idConflict' | { readonly overLimit: number }

export interface FileJobs extends JobStore<FileRecord> {
  byName(namespaceId: string, name: string): Promise<FileRecord | undefined>
  /** The same of what decides whether a version is dead, of the latest committed state: removal of points rests on it. */
  latestStates(ids: readonly string[]): Promise<FileState[]>
  /** By name. */
  page(namespaceId: string, page: Page): Promise<FileRecord[]>
  /** An object is there. One record for a name, whoever notices it and however often; other bytes begin a new version. */
  register(input: RegisterInput): Promise<RegisterResult>
  /** Writes progress of the processing, conditional on the lease and on `version`. False when either is lost. */
  note(
    lease: Lease,
    change: {
      readonly version: string
      readonly set: Partial<Pick<FileRecord, 'stage' | 'progress' | 'checkpoint' | 'notes' | 'times'>>
      readonly at: number
    },
  ): Promise<boolean>
  /**
   * The chunks and summaries of `version` become what is seen, all at once, in the place of those seen before, which become stale.
   * They count in the namespace and in the account's documents, within `limit`. Nothing changes unless it resolves to `published`.
   * Chunks are numbered from 0 under `<idBase>_chunk_`, summaries under `<idBase>_summary_`; an item of one of these ids is `idConflict`.
   */
  publish(
    lease: Lease,
    what: {
      readonly version: string
      readonly chunks: number
      readonly summaries: number
      readonly limit: Limit
    },
  ): Promise<PublishResult>
  /** The version will not be seen: its chunks are stale. What was seen before stays. False when the lease is lost. */
  fail(
    lease: Lease,
    why: { readonly version: string; readonly reason: string; readonly message: string; readonly at: number },
  ): Promise<boolean>
  /** Chunks of the version have been indexed: the file's job, if it waits for that, is due now. */
  chunksIndexed(file: Pick<FileRecord, 'id' | 'version'>): Promise<void>
  /** Takes exactly these out of `stale`. */
  dropStale(id: string, versions: readonly string[]): Promise<void>
  /** Final, in the state of its outcome; conditional on the lease. */
  complete(lease: Lease, result: { readonly times: FileRecord['times']; readonly at: number }): Promise<boolean>
  /** Reads a finished file once more, with other options; undefined when it is not finished, or not of version `from` any more. */
  again(
    id: string,
    input: {
      readonly from: string
      readonly version: string
      readonly options: FileOptions
      readonly at: number
      readonly correlationId: string
      readonly traceparent: string | null
    },
  ): Promise<FileRecord | undefined>
  /** Failed files whose objects may have to go: `keepBytes` or `bytesRemoved` takes each off this list. */
  withFailedBytes(limit: number): Promise<FileRecord[]>
  /** The object of a failed version stays for so long. Nothing where the version is another. */
  keepBytes(file: Pick<FileRecord, 'id' | 'version'>, forMs: number): Promise<void>
  /** The object of a failed version is gone (wall time) and counts no more. Nothing where the version is another. */
  bytesRemoved(file: Pick<FileRecord, 'id' | 'version'>, at: number): Promise<void>
  /** Chunks and summaries of a namespace that are seen. */
  countPublished(namespaceId: string): Promise<number>
}

export type DeleteFileInput = Omit<DeleteItemsInput, 'ids'> & { readonly name: string /** In the file store. */; readonly key: string }

/** Undefined `file`: there was no record of it. */
export type DeleteFileResult =
  | { readonly outcome: 'deleted'; readonly file: FileRecord | undefined; readonly deletion: Deletion }
  | { readonly outcome: 'namespaceGone' }
