import type { AccountStore } from './port/accounts.ts'
import type { ChunkStore } from './port/chunks.ts'
import type { DeadLetterStore } from './port/dead-letters.ts'
import type { DeletionStore } from './port/deletions.ts'
import type { DeleteFileInput, DeleteFileResult, FileJobs } from './port/files.ts'
import type { GrantStore } from './port/grants.ts'
import type { IndexAuditStore } from './port/index-audit.ts'
import type { AcceptInput, AcceptResult, DeleteItemsInput, DeleteItemsResult, ItemStore } from './port/items.ts'
import type { KeyStore } from './port/keys.ts'
import type { CountResult, CreateNamespaceInput, CreateNamespaceResult, NamespaceStore } from './port/namespaces.ts'
import type { InstallationStore, OrphanStore } from './port/objects.ts'
import type { TaskStore } from './port/tasks.ts'
import type { UploadStore } from './port/uploads.ts'
import type { UsageStore } from './port/usage.ts'
import type { Namespace } from './records.ts'

export type * from './port/accounts.ts'
export type * from './port/chunks.ts'
export type * from './port/common.ts'
export type * from './port/dead-letters.ts'
export type * from './port/deletions.ts'
export type * from './port/files.ts'
export type * from './port/grants.ts'
export type * from './port/index-audit.ts'
export type * from './port/items.ts'
export type * from './port/jobs.ts'
export type * from './port/keys.ts'
export type * from './port/namespaces.ts'
export type * from './port/objects.ts'
export type * from './port/tasks.ts'
export type * from './port/uploads.ts'
export type * from './port/usage.ts'

/**
 * The cause of an AppError of a store whose schema is not one this version works with. The message says what to do and names no host,
 * so that readiness may show it.
 */
export const schemaMismatch = 'schema mismatch'

/**
 * The truth about accounts, namespaces, items and work. One connection, one small store per collection, and the few methods
 * that span them. Every method is atomic per document and safe to repeat; what takes several steps is one method here and
 * leaves, when it is cut off between two of them, something that a sweep puts right (docs/architecture.md).
 * Not found is undefined. Trouble with the engine is AppError `unavailable`: then the outcome of a write is unknown.
 */
export interface Metadata {
  /** Store time in milliseconds: what every due time is measured in. It only goes forward. */
  now(): Promise<number>
  /** Bytes of the account's files, and of its reservations at this wall time. Costs a look at as many index entries as it has files. */
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
  readonly installation: InstallationStore
  readonly orphans: OrphanStore
  readonly tasks: TaskStore
  readonly indexAudit: IndexAuditStore
  /** Slot, then record; AppError `unavailable` while entry to the account is closed. */
  createNamespace(input: CreateNamespaceInput): Promise<CreateNamespaceResult>
  /**
   * Takes documents in: reserves, writes the job record and the items, queues the job. An id that exists is overwritten and
   * costs no quota. Resolved `accepted` means durable. AppError `unavailable` when another operation keeps moving the same ids,
   * the record was taken over meanwhile, or entry is closed.
   */
  accept(input: AcceptInput): Promise<AcceptResult>
  /** Removes items at once and records which points are to go. AppError `unavailable` when ids keep moving. */
  deleteItems(input: DeleteItemsInput): Promise<DeleteItemsResult>
  /**
   * Forgets a file at once, in whatever state it is, and its grant, and records what is to be removed of it: its object, its chunks and
   * their points. AppError `unavailable` when it keeps being replaced.
   */
  deleteFile(input: DeleteFileInput): Promise<DeleteFileResult>
  /** The commit point of a namespace's deletion: it is invisible from here on. Undefined when it is not active; resolves to the record after. */
  beginNamespaceDeletion(namespaceId: string, deletionId: string, at: number): Promise<Namespace | undefined>
  /**
   * Counts for every operation that is overdue in the namespace and takes out its entries there and in the account; one whose record is
   * undecided is taken over first (`at`: wall time). Costs what the operations wrote, waits for nobody and refuses nobody.
   */
  recoverNamespace(namespaceId: string, at: number): Promise<void>
  /** Takes out the account's overdue entries of operations that never entered their namespace. */
  recoverAccount(accountId: string): Promise<void>
  /**
   * One slice of the full count of a namespace, which the record keeps the place of: items that are there, then chunks and summaries that
   * are published. The last slice assigns `itemCount`. For operations that wrote after they had been recovered.
   */
  countSlice(namespaceId: string): Promise<CountResult>
  /** Assigns the account's counts from its namespaces, at a moment when nothing is under way. */
  sumAccount(accountId: string): Promise<CountResult>
  /** Refuses entry to the namespace for 1 s, so that a full count finds its moment on a busy one. */
  closeEntry(namespaceId: string): Promise<void>
  close(): Promise<void>
}
