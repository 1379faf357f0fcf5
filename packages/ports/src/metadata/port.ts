import type {
  Account,
  ApiKey,
  Body,
  Chunk,
  ChunkLine,
  DeadLetter,
  Deletion,
  DocumentOutcome,
  FileHead,
  FileOptions,
  FileProgress,
  FileRecord,
  Grant,
  IndexedChunk,
  IndexedItem,
  Installation,
  Item,
  ItemHead,
  ItemLine,
  Job,
  KeyState,
  Namespace,
  Orphan,
  SeenObject,
  Task,
  Upload,
  Usage,
} from './records.ts'

/**
 * The cause of an AppError of a store whose schema is not one this version works with. The message says what to do and names no host,
 * so that readiness may show it.
 */
export const schemaMismatch = 'schema mismatch'

/** A page of a listing. `after` is exclusive; the order is the key's, by UTF-8 bytes. */
export type Page = { readonly after?: string; readonly limit: number }

/** null: unlimited. */
export type Limit = number | null

export type AcceptInput = {
  readonly uploadId: string
  readonly kind: Exclude<Upload['kind'], 'chunks'>
  readonly accountId: string
  readonly namespaceId: string
  /** Distinct ids; at least one. */
  readonly documents: readonly { readonly id: string; readonly body: Body }[]
  readonly rejected: Upload['rejected']
  readonly limit: Limit
  readonly correlationId: string
  readonly traceparent: string | null
  /** Wall time, milliseconds. */
  readonly at: number
  /** Given: the record goes to `running` under this lease, for a request that does the work itself. */
  readonly leaseToken?: string
}

export type AcceptResult =
  | {
      readonly outcome: 'accepted'
      readonly accepted: readonly string[]
      readonly overQuota: readonly string[]
      /** Ids that belong to chunks of files. */
      readonly taken: readonly string[]
      readonly inserted: number
      readonly job: Upload
    }
  /** Nothing was written. */
  | { readonly outcome: 'overLimit'; readonly current: number }
  | { readonly outcome: 'namespaceGone' }

export type DeleteItemsInput = {
  readonly deletionId: string
  readonly accountId: string
  readonly namespaceId: string
  readonly namespaceName: string
  readonly space: Deletion['space']
  readonly ids: readonly string[]
  readonly correlationId: string
  readonly traceparent: string | null
  readonly at: number
}

export type DeleteItemsResult =
  /** `deletion` is undefined when none of the ids was there. */
  | {
      readonly outcome: 'deleted'
      readonly deleted: readonly string[]
      readonly remaining: number
      readonly deletion: Deletion | undefined
    }
  | { readonly outcome: 'namespaceGone' }

/** What an account may store. `openUploads`: uploads of unannounced size that were permitted and have not arrived. */
export type StorageQuota = { readonly bytes: Limit; readonly openUploads: Limit }

export type ReserveInput = {
  readonly accountId: string
  readonly namespaceId: string
  readonly name: string
  /** null: not announced. It is refused where the quota is reached already. */
  readonly bytes: number | null
  /** Wall time at which the reservation ends by itself. */
  readonly until: number
  /** Wall time. */
  readonly at: number
  readonly quota: StorageQuota
}

/** `gone`: the grant is not open. `overLimit` and `overOpenUploads`: what is held without it; an earlier reservation stays. */
export type ReserveResult = 'reserved' | 'gone' | { readonly overLimit: number } | { readonly overOpenUploads: number }

export type CreateNamespaceInput = Pick<Namespace, 'id' | 'accountId' | 'name' | 'type' | 'dimension' | 'embedding' | 'createdAt'> & {
  readonly limit: Limit
}
export type CreateNamespaceResult = 'created' | 'exists' | { readonly overLimit: number }

/**
 * What a count came to. `more`: there are further slices. `busy`: operations are under way; try again. `counted`: it is assigned, and was
 * off by so many before.
 */
export type CountResult = { readonly outcome: 'more' | 'busy' | 'gone' } | { readonly outcome: 'counted'; readonly off: number }

export interface AccountStore {
  /** AppError `conflict` when the id is taken. */
  insert(account: Pick<Account, 'id' | 'name' | 'tier' | 'subscriptionEndsAt' | 'createdAt'>): Promise<Account>
  get(id: string): Promise<Account | undefined>
  page(page: Page): Promise<Account[]>
  update(id: string, change: Partial<Pick<Account, 'name' | 'tier' | 'subscriptionEndsAt'>>): Promise<Account | undefined>
  /** Accounts with operations under way. */
  reserving(limit: number): Promise<Account[]>
}

export interface KeyStore {
  /** AppError `conflict` when the id is taken. */
  insert(key: ApiKey): Promise<void>
  get(id: string): Promise<ApiKey | undefined>
  ofAccount(accountId: string): Promise<ApiKey[]>
  setState(id: string, state: KeyState): Promise<ApiKey | undefined>
  used(id: string, at: number): Promise<void>
}

export interface NamespaceStore {
  byName(accountId: string, name: string): Promise<Namespace | undefined>
  get(id: string): Promise<Namespace | undefined>
  /** Active ones, by name. */
  ofAccount(accountId: string): Promise<Namespace[]>
  /** Every namespace of the store, by id. */
  page(page: Page): Promise<Namespace[]>
  /** Those with operations under way. */
  open(limit: number): Promise<Namespace[]>
  /** Those being deleted. */
  deleting(limit: number): Promise<Namespace[]>
  /** Whether a namespace of this id has been deleted. */
  isRetired(id: string): Promise<boolean>
}

export interface ItemStore {
  /** In the order of `ids`; absent ones are left out. */
  get(namespaceId: string, ids: readonly string[]): Promise<Item[]>
  /** The same of what decides whether a version is dead, of the latest committed state: removal of points rests on it. */
  heads(namespaceId: string, ids: readonly string[]): Promise<ItemHead[]>
  /** The same for what is only shown: it may be some seconds old where a store has several members. */
  states(namespaceId: string, ids: readonly string[]): Promise<ItemHead[]>
  /** By id in code point order. */
  page(namespaceId: string, page: Page): Promise<Item[]>
  /** The same page without bodies. */
  lines(namespaceId: string, page: Page): Promise<ItemLine[]>
  count(namespaceId: string): Promise<number>
  /**
   * One update per item, conditional on `version` being this one and its status `processing`: it becomes `completed` and
   * indexed with so many passages; the version indexed before goes to `stale`. Which took effect, a read tells.
   */
  markIndexed(namespaceId: string, version: string, marks: readonly { readonly id: string; readonly passages: number }[]): Promise<void>
  /** The same condition; the body indexed before stays searchable. */
  markFailed(namespaceId: string, version: string, failures: readonly { readonly id: string; readonly reason: string }[]): Promise<void>
  /** Takes exactly these out of the item's `stale`. */
  dropStale(namespaceId: string, id: string, versions: readonly string[]): Promise<void>
  /** Removes up to `limit` items of a namespace that is being deleted; resolves to the number removed. */
  removeOfNamespace(namespaceId: string, limit: number): Promise<number>
}

/** A lease on a job: the token proves it. */
export type Lease = { readonly jobId: string; readonly token: string }

/** Which jobs of an account are meant: `short` ones may use a slot that is kept for them. */
export type Lane = 'short' | 'long'

/** What a choice between due jobs rests on. */
export type DueJob = Pick<Job, 'id' | 'namespaceId' | 'nextAttemptAt'> & { readonly bytes: number }

export interface JobStore<J extends Job> {
  get(id: string): Promise<J | undefined>
  /**
   * Takes the lease (30 s) if the job is due: queued and either fresh or past its next attempt, or running with an expired
   * lease, or a re-check that is due. Undefined when it can't be had. An overdue `accepting` record is not due: see `adopt`.
   */
  lease(id: string, token: string): Promise<J | undefined>
  /** False when the lease is lost. `progress` resets `starts` and `retries`. */
  renew(lease: Lease, options?: { readonly progress?: boolean }): Promise<boolean>
  /** Back to `queued`, due after `delayMs`; `starts` begins anew. `counted` raises `attempts`; an orderly release is `fresh`. */
  requeue(
    lease: Lease,
    next: { readonly delayMs: number; readonly error: string | null; readonly counted: boolean; readonly fresh?: boolean },
  ): Promise<boolean>
  /** Jobs to look at now: due, of expired lease, or overdue in accepting. Oldest due time first. */
  due(limit: number): Promise<J[]>
  /** The first account whose id comes after `after` and that has a queued job of this lane that is due. */
  dueAccount(lane: Lane, after: string): Promise<string | undefined>
  /**
   * Queued jobs of the account that are due: those of the first namespace whose id comes after `after`, oldest due time first, then those of
   * the next, and from the first namespace on again where none comes after it. A lease on one of them may be refused.
   */
  dueOf(accountId: string, lane: Lane, after: string, limit: number): Promise<DueJob[]>
  /** Due jobs that are not queued: of expired lease, overdue in accepting, or to be checked again. Oldest due time first. */
  abandoned(limit: number): Promise<J[]>
  /** Not final, oldest first. */
  unfinished(limit: number): Promise<J[]>
  removeOfNamespace(namespaceId: string, limit: number): Promise<number>
  countOfNamespace(namespaceId: string): Promise<number>
}

export interface UploadStore extends JobStore<Upload> {
  /** Final, conditional on the lease. */
  complete(
    lease: Lease,
    result: {
      readonly state: 'completed' | 'failed'
      readonly outcomes: readonly DocumentOutcome[]
      readonly times: Upload['times']
      readonly at: number
    },
  ): Promise<boolean>
  /** Turns an overdue `accepting` record to `queued` with the ids whose items carry its version; none: `failed`. */
  adopt(id: string, at: number): Promise<Upload | undefined>
  /** Re-opens final uploads that still have an item `processing` under their version. Looks at items processing since before `before` (wall time). */
  reopen(before: number, limit: number): Promise<string[]>
  /** Removes final records last updated before (wall time); resolves to the number removed. */
  prune(before: number, limit: number): Promise<number>
}

export interface DeletionStore extends JobStore<Deletion> {
  /** Writes the record of a namespace deletion where it is missing; false when it is there. */
  insertOfNamespace(
    namespace: Namespace,
    context: {
      readonly space: Deletion['space']
      readonly correlationId: string
      readonly traceparent: string | null
      readonly at: number
    },
  ): Promise<boolean>
  /**
   * Takes over a deletion by id under the lease token `token`: one overdue in `accepting`, or one that is due and whose taker
   * before did not finish this. Its listed items are removed on condition that their version is unchanged, the record says what
   * that changes (`itemsDone`), and counts follow; before that no plain lease is given. Never re-reads. Undefined when it can't be had.
   */
  adopt(id: string, token: string): Promise<Deletion | undefined>
  complete(lease: Lease, result: { readonly removed: Deletion['removed']; readonly at: number }): Promise<boolean>
  /**
   * Removes the records that a deletion by id has marked, or the one of the file it has claimed. Resolves to the number of marks that must
   * stay for now: the upload that inserted the item has not been counted yet.
   */
  removeMarked(id: string): Promise<number>
  /** Removes marked items whose deletion is final or gone, which a request that was thought dead marked late; resolves to their number. */
  removeForgotten(limit: number): Promise<number>
  /**
   * The last steps of a namespace deletion: gives back what the account held (never twice for one deletion), removes the
   * namespace record (the name is free) and puts the deletion to `rechecking`. False when the lease is lost.
   */
  releaseNamespace(lease: Lease, result: { readonly removed: Deletion['removed']; readonly at: number }): Promise<boolean>
  /** A re-check is done; the last one (the fourth) completes the deletion and forgets its note on the account. */
  rechecked(lease: Lease, result: { readonly removed: Deletion['removed']; readonly at: number }): Promise<boolean>
  prune(before: number, limit: number): Promise<number>
}

export type ArriveInput = {
  /** Minted; used where there is no record of this name yet. */
  readonly fileId: string
  /** Minted; used where the bytes are to be read. */
  readonly version: string
  readonly accountId: string
  readonly namespaceId: string
  readonly name: string
  readonly idBase: string
  readonly key: string
  readonly object: SeenObject
  /** Bytes the account may store. */
  readonly limit: Limit
  readonly correlationId: string
  readonly traceparent: string | null
  /** Wall time. */
  readonly at: number
}

export type ArriveResult =
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
  /** Absent ones are left out. */
  many(ids: readonly string[]): Promise<FileRecord[]>
  /** The same of what decides whether a version is dead, of the latest committed state: removal of points rests on it. */
  heads(ids: readonly string[]): Promise<FileHead[]>
  /** By name. */
  page(namespaceId: string, page: Page): Promise<FileRecord[]>
  /** An object is there. One record for a name, whoever notices it and however often; other bytes begin a new version. */
  arrive(input: ArriveInput): Promise<ArriveResult>
  /** What is told of the reading, under the lease and while `version` is being read. False when they are lost. */
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
  liveCount(namespaceId: string): Promise<number>
}

export type ChunkDraft = Pick<Chunk, 'itemId' | 'kind' | 'body'>

export interface ChunkStore {
  /** Absent ones are left out. */
  get(wanted: readonly { readonly version: string; readonly itemId: string }[]): Promise<Chunk[]>
  /** The same without bodies, of the latest committed state: removal of points rests on it. */
  heads(wanted: readonly { readonly version: string; readonly itemId: string }[]): Promise<ChunkLine[]>
  /** Those of these item ids that are seen. */
  seen(namespaceId: string, itemIds: readonly string[]): Promise<Chunk[]>
  /** By `id`; `after` is one. */
  ofVersion(version: string, page: Page): Promise<Chunk[]>
  /**
   * Of every version, by `itemId`, which `after` is; those of one id come in any order, and all in one page: a full one may have more
   * than `limit`.
   */
  page(namespaceId: string, page: Page): Promise<Chunk[]>
  /** The same page without bodies. */
  lines(namespaceId: string, page: Page): Promise<ChunkLine[]>
  /**
   * Writes chunks of a version and the job that indexes them, then the file's checkpoint: what is handed over again under the same ids
   * is what was handed over before. False when the lease is lost or another version is being read.
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
  markIndexed(version: string, marks: readonly { readonly itemId: string; readonly passages: number }[]): Promise<void>
  remove(chunks: readonly { readonly version: string; readonly itemId: string }[]): Promise<void>
  removeOfNamespace(namespaceId: string, limit: number): Promise<number>
  countOfNamespace(namespaceId: string): Promise<number>
}

export interface GrantStore {
  /** Writes it, or renews the one of this name, which keeps its key while it is unexpired. Undefined when others keep renewing it. */
  open(grant: Omit<Grant, 'state' | 'nextLookAt' | 'looks' | 'seen' | 'reservedBytes' | 'reservedUntil'>): Promise<Grant | undefined>
  /**
   * Reserves bytes for what is uploaded under the grant, in place of its earlier reservation. The file that the upload replaces doesn't
   * count. Two reservations at the same moment that only fit one at a time may both be refused.
   */
  reserve(input: ReserveInput): Promise<ReserveResult>
  /** Ends the reservation. */
  release(namespaceId: string, name: string): Promise<void>
  get(namespaceId: string, name: string): Promise<Grant | undefined>
  /** Good until this wall time at least, as long as it is open; undefined when it is not, or when others keep changing it. */
  extend(namespaceId: string, name: string, expiresAt: number): Promise<Grant | undefined>
  /** By name. */
  page(namespaceId: string, page: Page): Promise<Grant[]>
  /** Those whose objects are to be looked for now. */
  due(limit: number): Promise<Grant[]>
  /** Looked for: the next time after `afterMs`. `seen` ends the reservation. Only while it is as it was read (`looks`). */
  looked(grant: Grant, next: { readonly afterMs: number; readonly seen?: SeenObject }): Promise<void>
  revoke(namespaceId: string, name: string): Promise<Grant | undefined>
  /** Only while it is as it was read (`looks`). */
  remove(grant: Grant): Promise<void>
  removeOfNamespace(namespaceId: string, limit: number): Promise<number>
  countOfNamespace(namespaceId: string): Promise<number>
}

export type DeleteFileInput = Omit<DeleteItemsInput, 'ids'> & { readonly name: string /** In the file store. */; readonly key: string }

/** Undefined `file`: there was no record of it. */
export type DeleteFileResult =
  | { readonly outcome: 'deleted'; readonly file: FileRecord | undefined; readonly deletion: Deletion }
  | { readonly outcome: 'namespaceGone' }

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

export interface DeadLetterStore {
  insert(letter: DeadLetter): Promise<void>
  page(page: Page): Promise<DeadLetter[]>
  get(id: string): Promise<DeadLetter | undefined>
  replayed(id: string, at: number): Promise<void>
  /**
   * Removes up to `limit` of before this wall time; resolves to the number removed. Looks at so many of the first by id, which begins
   * with the time of making.
   */
  prune(before: number, limit: number): Promise<number>
}

/** Leases last 30 s from the last `lease`, `advance` or `renew`. False: the lease is lost, and nothing was written. */
export interface TaskStore {
  get(name: string): Promise<Task | undefined>
  /**
   * Takes the lease of a task that nobody holds and that is due: never done, in the middle of a pass, or last done `everyMs` ago. Undefined
   * when it can't be had. The record is made by the first who asks.
   */
  lease(name: string, token: string, options: { readonly everyMs: number }): Promise<Task | undefined>
  /** Stores how far the pass is. */
  advance(name: string, token: string, cursor: string): Promise<boolean>
  renew(name: string, token: string): Promise<boolean>
  /** The pass has ended; the lease is given back. */
  done(name: string, token: string): Promise<boolean>
  /** Gives the lease back in the middle of a pass. */
  release(name: string, token: string): Promise<void>
}

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

export interface UsageStore {
  get(accountId: string, period: string): Promise<Usage | undefined>
  /**
   * Adds what was tallied in memory, without a condition, of any number of accounts at once; each (account, period) once. Resolves to
   * the sums in the same order, in which what others added in that moment may be missing.
   */
  add(tallies: readonly Usage[]): Promise<Usage[]>
  /** Adds one request and its credits only while requests stay within `limit`; undefined when they would not. */
  addWithin(accountId: string, period: string, credits: number, limit: number): Promise<Usage | undefined>
}

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
