import type { AccountStore } from './port/accounts.ts'
import type { ChunkStore } from './port/chunks.ts'
import type { DailyUsageStore } from './port/daily-usage.ts'
import type { DeadLetterStore } from './port/dead-letters.ts'
import type { DeletionStore } from './port/deletions.ts'
import type { EventStore } from './port/events.ts'
import type { DeleteFileInput, DeleteFileResult, FileJobs } from './port/files.ts'
import type { GrantStore } from './port/grants.ts'
import type { IndexAuditStore } from './port/index-audit.ts'
import type { AcceptInput, AcceptResult, DeleteItemsInput, DeleteItemsResult, ItemStore } from './port/items.ts'
import type { KeyStore } from './port/keys.ts'
import type { CountResult, CreateNamespaceInput, CreateNamespaceResult, NamespaceStore } from './port/namespaces.ts'
import type { InstallationStore, OrphanStore } from './port/objects.ts'
import type { RepeatableRequestStore } from './port/repeatable-requests.ts'
import type { TaskStore } from './port/tasks.ts'
import type { UploadStore } from './port/uploads.ts'
import type { UsageStore } from './port/usage.ts'
import type { Namespace } from './records.ts'

export type * from './port/accounts.ts'
export type * from './port/chunks.ts'
export type * from './port/common.ts'
export type * from './port/daily-usage.ts'
export type * from './port/dead-letters.ts'
export type * from './port/deletions.ts'
export type * from './port/events.ts'
export type * from './port/files.ts'
export type * from './port/grants.ts'
export type * from './port/index-audit.ts'
export type * from './port/items.ts'
export type * from './port/jobs.ts'
export type * from './port/keys.ts'
export type * from './port/namespaces.ts'
export type * from './port/objects.ts'
export type * from './port/repeatable-requests.ts'
export type * from './port/tasks.ts'
export type * from './port/uploads.ts'
export type * from './port/usage.ts'

/**
 * The cause of an AppError of a store whose schema this version does not work with. The message states the remedy and
 * names no host, so readiness may show it.
 */
export const schemaMismatch = 'schema mismatch'

/**
 * The truth about accounts, namespaces, items and work: one small store per collection, and the few methods that span
 * them. Every method is atomic per document and safe to repeat. What takes several steps is one method here; if it is
 * interrupted between two steps, a sweep completes it (docs/architecture.md). Not found is undefined. Trouble with the
 * engine is AppError `unavailable`: then the outcome of a write is unknown.
 */
export interface Metadata {
  /** Store time in milliseconds, in which every due time is measured. It only moves forward. */
  now(): Promise<number>
  /**
   * Bytes of the account's files, and of its reservations at this wall time. Reads as many index entries as the account
   * has files.
   */
  storedBytes(accountId: string, at: number): Promise<number>
  readonly accounts: AccountStore
  readonly keys: KeyStore
  readonly namespaces: NamespaceStore
  readonly items: ItemStore
  readonly uploads: UploadStore
  readonly files: FileJobs
  readonly chunks: ChunkStore
  readonly grants: GrantStore
  readonly deletions: DeletionStore
  readonly deadLetters: DeadLetterStore
  readonly usage: UsageStore
  readonly dailyUsage: DailyUsageStore
  readonly installation: InstallationStore
  readonly orphans: OrphanStore
  readonly tasks: TaskStore
  readonly repeatableRequests: RepeatableRequestStore
  readonly events: EventStore
  readonly indexAudit: IndexAuditStore
  /** Reserves the slot, then writes the record. AppError `unavailable` while entry to the account is closed. */
  createNamespace(input: CreateNamespaceInput): Promise<CreateNamespaceResult>
  /**
   * Accepts documents: reserves quota, writes the job record and the items, queues the job. An existing id is
   * overwritten and costs no quota. Once it resolves to `accepted`, they are durable. AppError `unavailable` when
   * another operation keeps changing the same ids, the record was taken over meanwhile, or entry is closed.
   */
  accept(input: AcceptInput): Promise<AcceptResult>
  /**
   * Removes items at once and records which points must be removed. AppError `unavailable` when other operations keep
   * changing the ids.
   */
  deleteItems(input: DeleteItemsInput): Promise<DeleteItemsResult>
  /**
   * Removes a file's record, in any state, and its grant at once, and records what else must be removed: its object,
   * its chunks and their points. AppError `unavailable` when the file keeps being replaced.
   */
  deleteFile(input: DeleteFileInput): Promise<DeleteFileResult>
  /**
   * The commit point of a namespace's deletion: it is invisible from here on. Undefined when it is not active; else
   * resolves to the new record, which keeps `estimatedAt`, the wall time at which the deletion is expected to end.
   */
  beginNamespaceDeletion(
    namespaceId: string,
    deletionId: string,
    at: number,
    estimatedAt?: number | null,
  ): Promise<Namespace | undefined>
  /**
   * Counts the changes of every overdue operation in the namespace, and removes its entries there and in the account.
   * An undecided record is taken over first (`at`: wall time). Costs what the operations wrote; waits for no request
   * and rejects none.
   */
  recoverNamespace(namespaceId: string, at: number): Promise<void>
  /** Removes the account's overdue entries of operations that never entered their namespace. */
  recoverAccount(accountId: string): Promise<void>
  /**
   * Does one slice of a full count of the namespace, whose record keeps the position: existing items, then published
   * chunks and summaries. The last slice assigns `itemCount`. For operations that wrote after their recovery.
   */
  countSlice(namespaceId: string): Promise<CountResult>
  /** Assigns the account's counts from its namespaces, at a moment without operations. */
  sumAccount(accountId: string): Promise<CountResult>
  /** Rejects entry to the namespace for 1 s, so that a full count finds a moment without operations. */
  closeEntry(namespaceId: string): Promise<void>
  close(): Promise<void>
}
