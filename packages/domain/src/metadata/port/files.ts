import type { Deletion, FileOptions, FileRecord, FileState, RegisteredObject } from '../records.ts'
import type { Limit, Page } from './common.ts'
import type { DeleteItemsInput } from './items.ts'
import type { JobStore, Lease } from './jobs.ts'

export type RegisterInput = {
  /** A new id, used if there is no record of this name yet. */
  readonly fileId: string
  /** A new id, used if the bytes must be processed. */
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
   * `queued`: the object will be processed. `known`: this very object was registered before. `unchanged`: another
   * object with the same bytes, which need no processing.
   */
  | {
      readonly outcome: 'queued' | 'known' | 'unchanged'
      readonly file: FileRecord
      /** The key of the object that this one replaces, if it is another key. */
      readonly formerKey?: string
    }
  /**
   * Above the account's limit: the file has failed, counts for nothing, and its object must be removed. `stored`: the
   * bytes stored before.
   */
  | { readonly outcome: 'overLimit'; readonly file: FileRecord; readonly stored: number; readonly formerKey?: string }
  /** `revoked`: the file was deleted at that moment and must not be uploaded. */
  | { readonly outcome: 'namespaceGone' | 'revoked' }

/**
 * `busy`: requests in progress might still take ids of its chunks; try again. `lost`: the lease is lost, or the version
 * is another one.
 */
export type PublishResult =
  | 'published'
  | 'lost'
  | 'busy'
  | 'namespaceGone'
  | 'idConflict'
  | { readonly overLimit: number }

export interface FileJobs extends JobStore<FileRecord> {
  byName(namespaceId: string, name: string): Promise<FileRecord | undefined>
  /**
   * Returns what decides whether a version is dead, in the latest committed state: the removal of points depends on it.
   */
  latestStates(ids: readonly string[]): Promise<FileState[]>
  /** By name. */
  page(namespaceId: string, page: Page): Promise<FileRecord[]>
  /**
   * Registers an object that exists. There is one record per name, however often and by whatever process it is
   * registered; other bytes begin a new version.
   */
  register(input: RegisterInput): Promise<RegisterResult>
  /** Writes progress of the processing, conditional on the lease and on `version`. False when either is lost. */
  recordProgress(
    lease: Lease,
    change: {
      readonly version: string
      readonly set: Partial<Pick<FileRecord, 'stage' | 'progress' | 'checkpoint' | 'notes' | 'times' | 'passages'>>
      readonly at: number
    },
  ): Promise<boolean>
  /**
   * Publishes the chunks and summaries of `version`, all at once, instead of those published before, which become
   * stale. They count in the namespace and in the account's documents, within `limit`. Nothing changes unless it
   * resolves to `published`. Chunks are numbered from 0 under `<idBase>_chunk_`, summaries under `<idBase>_summary_`;
   * an existing item with one of these ids is `idConflict`.
   */
  publish(
    lease: Lease,
    what: {
      readonly version: string
      readonly chunks: number
      readonly summaries: number
      /** Version of the extraction that has read it. */
      readonly extraction: number
      readonly limit: Limit
    },
  ): Promise<PublishResult>
  /**
   * Fails the version: it will not be published and its chunks are stale. The published version stays. False when the
   * lease is lost.
   */
  fail(
    lease: Lease,
    why: { readonly version: string; readonly reason: string; readonly message: string; readonly at: number },
  ): Promise<boolean>
  /** Chunks of the version have been indexed: makes the file's job due now if it waits for that. */
  wakeJob(file: Pick<FileRecord, 'id' | 'version'>): Promise<void>
  /** Removes exactly these from `stale`. */
  dropStale(id: string, versions: readonly string[]): Promise<void>
  /** Makes the job final, in the state of its outcome; conditional on the lease. */
  complete(lease: Lease, result: { readonly times: FileRecord['times']; readonly at: number }): Promise<boolean>
  /**
   * Processes a finished file once more, with other options. Undefined when it is not finished, or no longer of version
   * `from`.
   */
  reprocess(
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
  /**
   * Returns failed files whose objects may be due for removal; `keepBytes` or `bytesRemoved` takes each off this list.
   */
  withFailedBytes(limit: number): Promise<FileRecord[]>
  /** Keeps the object of a failed version for so long. Does nothing for another version. */
  keepBytes(file: Pick<FileRecord, 'id' | 'version'>, forMs: number): Promise<void>
  /**
   * Records that the object of a failed version is removed (wall time); it no longer counts. Does nothing for another
   * version.
   */
  recordBytesRemoved(file: Pick<FileRecord, 'id' | 'version'>, at: number): Promise<void>
  /** Counts the published chunks and summaries of a namespace. */
  countPublished(namespaceId: string): Promise<number>
  /** Counts the files of a namespace whose published version was read by an extraction before `extraction`. */
  countOutdated(namespaceId: string, extraction: number): Promise<number>
}

export type DeleteFileInput = Omit<DeleteItemsInput, 'ids'> & {
  readonly name: string /** In the file store. */
  readonly key: string
}

/** `file` is undefined when there was no record of it. */
export type DeleteFileResult =
  | { readonly outcome: 'deleted'; readonly file: FileRecord | undefined; readonly deletion: Deletion }
  | { readonly outcome: 'namespaceGone' }
