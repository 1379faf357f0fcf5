import type { Language } from '@cairn/contracts/languages'
import type { EmbeddingModel } from '../ports/embedder.ts'
import type { StoredFile } from '../ports/file-store.ts'
import type { EmbeddingSpace } from '../ports/vector-index.ts'

/** One page of a listing. `after` is exclusive; the order is that of the key's UTF-8 bytes. */
export type Page = { readonly after?: string; readonly limit: number }

/** null: unlimited. */
export type Limit = number | null

/** A lease on a job: the token proves it. */
export type Lease = { readonly jobId: string; readonly token: string }

/** The lane of a job: `short` ones may use a slot that is kept for them. */
export type Lane = 'short' | 'long'

/** Limits and usage of an account. Times are store time in milliseconds unless a name says otherwise. */
export type Counts = { readonly documents: number; readonly vectors: number; readonly namespaces: number }

export type Account = {
  readonly id: string
  readonly name: string
  readonly tier: string
  /** Wall time, milliseconds since the epoch; null: never ends. */
  readonly subscriptionEndsAt: number | null
  /** Content counted by finished operations. */
  readonly counts: Counts
  /** `counts` plus every reservation: limits are checked against it, so that one condition enforces them. */
  readonly held: Counts
  readonly reservations: {
    readonly [token: string]: Counts & { readonly overdueAt: number; readonly namespaceId?: string | null }
  }
  readonly reservationCount: number
  /** Raised by every update of counts or reservations, so that a recount notices them. */
  readonly seq: number
  /** Always 0. Processes of 0.1 enter no account without it. */
  readonly entryClosedUntil: number
  /** Namespace deletions whose content was already returned, each until its last re-check. */
  readonly noted: { readonly [deletionId: string]: number }
  /** Wall time. */
  readonly createdAt: number
}

export type KeyState = 'active' | 'inactive' | 'disabled' | 'revoked'
export type Scope = 'read' | 'write' | 'admin'

export type ApiKey = {
  readonly id: string
  readonly accountId: string
  readonly name: string
  /** Hex HMAC of the secret. The secret itself is returned once and never stored. */
  readonly hmac: string
  readonly scopes: readonly Scope[]
  readonly state: KeyState
  /** Wall time; null: never. */
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  readonly createdAt: number
}

export type NamespaceType = 'text' | 'vector'

/**
 * An operation in progress in a namespace. `by` names the record that decides what it changes; entries of 0.1 have
 * none.
 */
export type OpenEntry = {
  readonly overdueAt: number
  readonly by?: 'upload' | 'deletion' | 'file'
  /** Set for `file`. */
  readonly fileId?: string
}

/** A full count of a namespace in progress: items by id, then files by name. */
export type CountPass = {
  readonly phase: 'items' | 'files'
  /** The last key counted. */
  readonly after: string
  /** The count up to that key, and the changes up to it since. */
  readonly sum: number
  /** Equals `countSeq` as long as every operation that left has added its change to the pass. */
  readonly seq: number
}

export type Namespace = {
  /** Never reused: a namespace created again under the same name has another id. */
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly type: NamespaceType
  /** Set for a vector namespace; null for text. */
  readonly dimension: number | null
  /** Set for a text namespace; null for vector. */
  readonly embedding: EmbeddingModel | null
  readonly state: 'active' | 'deleting'
  readonly deletionId: string | null
  /** Wall time. */
  readonly deletionStartedAt: number | null
  /** Wall time at which the deletion was expected to end when it began. Missing in records of 0.1. */
  readonly deletionEstimatedAt?: number | null
  readonly itemCount: number
  readonly countSeq: number
  /** Operations in progress that will change `itemCount`. */
  readonly open: { readonly [token: string]: OpenEntry }
  readonly openCount: number
  readonly entryClosedUntil: number
  /** Missing in records of 0.1. */
  readonly countPass?: CountPass | null
  /** Whether all its files have keys with its id. Missing in records of 0.1, whose keys have only its name. */
  readonly keysById?: true
  /** Whether all its points have the fields of their metadata. Missing in records of 0.1. */
  readonly hasFields?: true
  /** Whose endings don't count in a search by words. Missing in records of 0.1: English. */
  readonly language?: Language
  /** Wall time at which points were found missing in the index; absent or null: none is known to be. */
  readonly lostPointsAt?: number | null
  /** Absent or null: all points are in the space of `embedding`. */
  readonly reindex?: Reindex | null
  /** Equals the phase of `reindex`: an index needs a field of the record. */
  readonly reindexPhase?: Reindex['phase'] | null
  /** Models of former reindexes: a writer that was late may have left points in their spaces. */
  readonly formerEmbeddings?: readonly EmbeddingModel[]
  /** The last one, also after its end. Missing before the first, and in records of 0.1. */
  readonly reextraction?: Reextraction | null
  /** Equals the id of `reextraction` while it runs: an index needs a field of the record. */
  readonly reextractionId?: string | null
  /** Wall time. */
  readonly createdAt: number
}

/** A pass over the files of a namespace, by name, that extracts those again that earlier versions have read. */
export type Reextraction = {
  /** Also the correlation id of the files that it has begun to process. */
  readonly id: string
  /** Wall times. */
  readonly startedAt: number
  readonly endedAt: number | null
  /** Name of the last file that it has met. */
  readonly cursor: string
  /** Ids of the files that it has met and that are being processed, whoever began that. */
  readonly underWay: readonly string[]
  /** Outdated files when it began. */
  readonly total: number
  readonly extracted: number
  /** Files that could not be extracted again: what was published before still is. */
  readonly failed: number
  /** Files that were left as they are, because the object store no longer has their bytes. */
  readonly withoutBytes: number
}

/** Outcome of the same queries on both spaces. Times in milliseconds. */
export type ReindexComparison = {
  readonly queries: number
  /** Mean share of the ten best items by `embedding` that are among those by the second model, 0 to 1. */
  readonly overlap: number
  readonly medianMs: number
  readonly secondMedianMs: number
}

/**
 * A second space of a text namespace, and how the namespace changes to it. Writers write to both spaces in every phase
 * but `removing`; only `embedding` of the namespace is searched.
 *
 * - `filling`: it gets the points of all items. Then `filled`: it waits for the request to flip.
 * - `closing`: a last pass over all items while writers know that both spaces must have their points. Then the two
 *   models change places.
 * - `former`: it was searched before the flip, and may be again, until `flippedAt` + `keepMs`.
 * - `removing`: its points are being removed.
 */
export type Reindex = {
  readonly id: string
  /** Model of the second space. */
  readonly embedding: EmbeddingModel
  readonly phase: 'filling' | 'filled' | 'closing' | 'former' | 'removing'
  /** Whether the models change places as soon as the space is filled. */
  readonly isAutomatic: boolean
  readonly keepMs: number
  /** Wall times. */
  readonly startedAt: number
  readonly phaseAt: number
  /** Set in `former`, in `removing`, and in `closing` after `former`. */
  readonly flippedAt: number | null
  /** Where the pass continues; null: at its beginning. */
  readonly cursor: string | null
  /** `itemCount` of the namespace when it began. */
  readonly total: number
  /** Items and chunks that the pass has met. */
  readonly passed: number
  /** Items and chunks that any pass has embedded. */
  readonly written: number
  /** Items and chunks of this pass that only the second model rejects: it would not find them. */
  readonly rejected: number
  readonly error: string | null
  /** Texts of searches since it began, for the comparison; null: they are not kept, or not any more. */
  readonly queries: readonly string[] | null
  readonly comparison: ReindexComparison | null
}

/** Numbers of passages: they differ between models. `second` is that in one further space, by its key. */
export type Passages = {
  readonly passages: number
  readonly second?: { readonly space: string; readonly passages: number }
}

/** What a client sent and gets back. `metadata` is JSON text: a client's keys never become field names. */
export type Body = { readonly text: string; readonly metadata: string; readonly vector?: Float32Array }

export type ItemStatus = 'processing' | 'completed' | 'failed'

export type Item = {
  readonly namespaceId: string
  readonly id: string
  readonly kind: 'document' | 'vector'
  /** The latest body, which documents/get and paging return. */
  readonly body: Body
  /** The upload that wrote `body`. Versions have no order. */
  readonly version: string
  readonly status: ItemStatus
  readonly reason: string | null
  /** The upload that inserted the item, even if others have overwritten it since. Missing in records of 0.1. */
  readonly insertedBy?: string
  /** What search matches and returns. It has a `body` only while that differs from the latest. */
  readonly indexed: (Passages & { readonly version: string; readonly body?: Body }) | null
  /** Versions that were indexed before and whose points must still be removed. */
  readonly stale: readonly string[]
  /** Wall time; unchanged when an id is overwritten. */
  readonly createdAt: number
  readonly updatedAt: number
}

/**
 * An item as it is stored. `removed`: a deletion has marked it and it is absent for everybody: no read returns it, and
 * an upload inserts it again. The record stays until what inserted it and what removed it have been counted, because
 * their recovery counts it.
 */
export type StoredItem = Omit<Item, 'status'> & {
  readonly status: ItemStatus | 'removed' /** The deletion. */
  readonly removedBy?: string
}

/** An item on a page without bodies. */
export type ItemWithoutBody = Pick<Item, 'id' | 'version' | 'createdAt'>

/** The points that an item or a chunk should have; null: none yet. */
export type IndexedItem = {
  readonly id: string
  readonly indexed: Pick<NonNullable<Item['indexed']>, 'version' | 'passages' | 'second'> | null
}
export type IndexedChunk = Pick<Chunk, 'itemId' | 'fileId' | 'version' | 'passages' | 'second'>

/** An item as a search returns it: its indexed content, without the vector. */
export type SearchableItem = Pick<Item, 'namespaceId' | 'id'> & {
  readonly indexedVersion: string | null
  readonly body: Pick<Body, 'text' | 'metadata'>
}

/** What decides whether points of an item are dead. */
export type ItemState = Pick<Item, 'id' | 'version' | 'status' | 'reason' | 'stale'> & {
  readonly indexedVersion: string | null
}

export type Outcome = 'pending' | 'completed' | 'failed' | 'superseded' | 'deleted'
export type DocumentOutcome = { readonly id: string; readonly outcome: Outcome; readonly reason?: string }
export type JobState = 'accepting' | 'queued' | 'running' | 'completed' | 'failed'

/** The common part of every job. The record is the job's truth and its outbox entry; a message only hints at it. */
export type Job = {
  readonly id: string
  readonly accountId: string
  readonly namespaceId: string
  readonly state: JobState | 'rechecking'
  /** A fresh job may be started by its message at once; one that failed before waits until `nextAttemptAt`. */
  readonly waiting: 'fresh' | 'retry'
  /**
   * Bytes charged to the account's turn: of the texts, or of the file, where they also count toward the account's
   * storage. Missing in records of 0.1.
   */
  readonly bytes?: number
  /** Missing or null: long. */
  readonly lane?: 'short' | null
  /** When its work last began; of a file, when that of its version did. Missing in records of 0.1. */
  readonly startedAt?: number | null
  /** When its work ended, before any re-checks. Missing in records of 0.1. */
  readonly endedAt?: number | null
  readonly nextAttemptAt: number
  /** When an `accepting` record may be taken over. */
  readonly overdueAt: number
  readonly lease: { readonly token: string; readonly until: number } | null
  /** Raised each time a lease is taken, which is conditional on it. */
  readonly leaseSeq: number
  /** Releases in which the job only waited for work of others; missing without any. */
  readonly waits?: number
  /** Leases taken since the last progress. */
  readonly starts: number
  /** Attempts that ended in an internal error. */
  readonly attempts: number
  /** Releases since the last progress; the next delay grows with them. */
  readonly retries: number
  readonly lastError: string | null
  readonly correlationId: string
  readonly traceparent: string | null
  /** Wall time. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly finishedAt: number | null
}

/**
 * Passages by the source of their vectors: found in the namespace, or computed. Of the last worker of a job, which does
 * not repeat what the ones before it have done.
 */
export type PassageCounts = { readonly reused: number; readonly embedded: number }

type IndexingJob = Job & {
  /** Accepted ids, each once. */
  readonly ids: readonly string[]
  /** Final once the job is. */
  readonly outcomes: readonly DocumentOutcome[]
  /**
   * By how much an upload changes the counts; decided when the record leaves `accepting`. Missing before that, in
   * records of 0.1, and for chunks, which are counted when their file is published.
   */
  readonly changed?: number
  /** Milliseconds spent per stage. */
  readonly times: { readonly [stage: string]: number }
  /** Missing until a text job is final, and in records of 0.1. */
  readonly passages?: PassageCounts
}

/** Documents or vectors that a client uploaded. */
export type Upload = IndexingJob & {
  readonly kind: 'text' | 'vectors'
  /** Rejected by validation: part of the answer, kept for the status page. */
  readonly rejected: readonly { readonly id: string; readonly error: string; readonly message: string }[]
}

/** Chunks of one version of a file, from the file pipeline. */
export type ChunkBatch = IndexingJob & {
  readonly kind: 'chunks'
  readonly file: { readonly id: string; readonly version: string }
}

/** What needs the embedding model. Both kinds are in one collection, so that they take turns. */
export type IndexJob = Upload | ChunkBatch

export const asUpload = (job: IndexJob | undefined): Upload | undefined => (job?.kind === 'chunks' ? undefined : job)

/** An object of the file store as it was when it was registered. */
export type RegisteredObject = Omit<StoredFile, 'key'>

export type FileStage =
  | 'waiting'
  | 'fetching'
  | 'reading'
  | 'indexing'
  | 'summarising'
  | 'publishing'
  | 'cleaning'
  | 'done'

export type FileOptions = { readonly ocr?: boolean; readonly languages?: readonly string[]; readonly encoding?: string }

export type FileProgress = {
  readonly page?: number
  readonly pages?: number
  readonly rows?: number
  readonly bytes?: number
  readonly chunks?: number
  readonly summaries?: number
  /** Chunks and summaries that are indexed. */
  readonly indexed?: number
}

/** The outcome of a version of a file. */
export type FileOutcome =
  | { readonly state: 'completed' }
  | { readonly state: 'failed'; readonly reason: string; readonly message: string }

/** A part of a file that was not read, or not as it is. */
export type FileNote = {
  readonly code: string
  readonly message: string
  /** Where it is in the file. Missing if it is not about one place, and in records of 0.1. */
  readonly at?: {
    readonly page?: number
    readonly pageTitle?: string
    readonly sheet?: string
    readonly rows?: { readonly from: number; readonly to: number }
    readonly path?: string
    readonly offset?: { readonly from: number; readonly to: number }
  }
}

/**
 * A stored file and the job that processes it. `version` is being processed, or was processed last; it is new whenever
 * other bytes arrive or the file is processed again, and never reused. `live` is the published version, which search,
 * paging and look-ups return; it changes as a whole.
 */
export type FileRecord = Job & {
  readonly name: string
  /** Prefix of the ids of its chunks. */
  readonly idBase: string
  /** Its key in the file store. */
  readonly key: string
  readonly object: RegisteredObject
  readonly version: string
  readonly options: FileOptions
  readonly stage: FileStage
  readonly progress: FileProgress
  /** Where a worker that takes over continues; opaque here. */
  readonly checkpoint: { readonly [field: string]: unknown } | null
  /** Decided; what it leaves behind is being removed. */
  readonly outcome: FileOutcome | null
  /** Operations on its namespace that must end before it is published: they may not know of it. Null: not read yet. */
  readonly waitsFor: readonly string[] | null
  readonly notes: readonly FileNote[]
  readonly live: {
    readonly version: string
    readonly chunks: number
    readonly summaries: number
    readonly etag: string
    /** Version of the extraction that began to read it. Missing in records of 0.1: 0. */
    readonly extraction?: number
  } | null
  /** The last operation that changed `live`, and by how much it raises the counts. Missing in records of 0.1. */
  readonly settling?: { readonly token: string; readonly changed: number }
  /** The deletion that removes this record: nothing else changes the record any more. */
  readonly claimedBy?: string
  /** Versions that are no longer published and whose chunks and points must still be removed. */
  readonly stale: readonly string[]
  /** Wall time at which the same bytes last arrived again; null: never. */
  readonly unchangedAt: number | null
  /** Wall time at which the object of a failed version was removed; absent or null: it was not. */
  readonly bytesRemovedAt?: number | null
  /** Passages of the version being processed, once all its chunks are indexed. Missing in records of 0.1. */
  readonly passages?: PassageCounts | null
  readonly times: { readonly [stage: string]: number }
}

/** Returns how many chunks and summaries of a file are published. */
export const publishedCount = (file: Pick<FileRecord, 'live'> | undefined): number =>
  file?.live ? file.live.chunks + file.live.summaries : 0

/** Returns the version of the extraction that has read what is published of a file; null if nothing is. */
export const extractionOf = ({ live }: Pick<FileRecord, 'live'>): number | null => live && (live.extraction ?? 0)

/** A chunk or summary of one version of a file. Returned only while that version is published. */
export type Chunk = {
  /** `<version> <itemId>`. */
  readonly id: string
  readonly namespaceId: string
  readonly fileId: string
  readonly version: string
  /** The id users know; equal in several versions. */
  readonly itemId: string
  readonly kind: 'chunk' | 'summary'
  readonly body: Body
  /**
   * Where the text is on the page of a PDF (`@cairn/domain/places`). Beside the body, which endpoints return. Missing in
   * chunks of other files, in summaries, and in records of 0.1.
   */
  readonly places?: string
  /** Number of its points; null until they are written. */
  readonly passages: number | null
  readonly second?: Passages['second'] | null
  /** Wall time. */
  readonly createdAt: number
}

/** A chunk on a page without bodies. */
export type ChunkWithoutBody = Pick<Chunk, 'id' | 'fileId' | 'version' | 'itemId' | 'kind' | 'createdAt'>

/**
 * The permission to upload a file: an object is registered only under a grant of the active namespace. Kept for a day
 * after it expired, since a long upload may end late.
 */
export type Grant = {
  readonly namespaceId: string
  readonly name: string
  readonly accountId: string
  readonly key: string
  readonly contentType: string
  /** `revoked`: the file was deleted; what still arrives is removed. */
  readonly state: 'open' | 'revoked'
  /** Wall time. */
  readonly expiresAt: number
  /** Store time of the next check for its object. */
  readonly nextLookAt: number
  /** Raised by each check and each renewal, so that a process that read the grant before notices. */
  readonly looks: number
  /** The object that was registered last. */
  readonly seen: RegisteredObject | null
  /** Set for a multipart upload; null: a single PUT. */
  readonly uploadId: string | null
  /**
   * Bytes announced for a single PUT, which count toward the account's storage until `reservedUntil`. null: the size
   * was not announced.
   */
  readonly reservedBytes?: number | null
  /** Wall time. Absent or null: nothing is reserved. */
  readonly reservedUntil?: number | null
  /** Bytes of a multipart upload's stored parts as last counted, reserved until `partsUntil`. null: none yet. */
  readonly partsBytes?: number | null
  readonly partsUntil?: number | null
  readonly correlationId: string
  readonly traceparent: string | null
  /** Wall time of the last opening. */
  readonly createdAt: number
}

/** As read before the removal: the versions whose points must be removed. */
export type DeletedVersion = {
  readonly id: string
  readonly version: string
  readonly indexedVersion: string | null
  readonly stale: readonly string[]
}

/** A deleted file: its record at that moment, and where its object is. */
export type DeletedFile = {
  readonly id: string | null
  readonly name: string
  readonly key: string
  readonly versions: readonly string[]
}

export type Deletion = Job & {
  readonly target: 'items' | 'namespace' | 'file'
  /** Set for `file`; null otherwise. */
  readonly file: DeletedFile | null
  readonly namespaceName: string
  /** `itemCount` of the namespace when its deletion began. Missing for other targets, and in records of 0.1. */
  readonly itemCount?: number
  /** Where the points are: the namespace's record is gone before its last re-check. */
  readonly space: EmbeddingSpace
  /** Further spaces that may have points of the namespace; missing: none. */
  readonly otherSpaces?: readonly EmbeddingSpace[]
  readonly list: readonly DeletedVersion[]
  readonly itemsDone: boolean
  /**
   * By how much the deletion changes the counts; decided with `itemsDone`. Missing before that, and in records of 0.1.
   */
  readonly changed?: number
  /** Number of re-checks done after the removal of a namespace. */
  readonly rechecks: number
  /** Number removed, by store. */
  readonly removed: { readonly [store: string]: number }
}

export type DeadLetter = {
  readonly id: string
  readonly topic: string
  readonly group: string
  readonly reason: string
  readonly raw: string
  /** Wall time. */
  readonly at: number
  readonly replayedAt: number | null
}

/** The identity of this database for the object store: objects of another one are not touched. */
export type Installation = {
  readonly id: 'installation'
  /** Created once. */
  readonly installationId: string
  /** Whether there was data of 0.1, whose objects have keys without a prefix. */
  readonly hasLegacyKeys: boolean
}

/** The id of a deleted namespace, kept forever: an object that arrives for it may be removed at once. */
export type RetiredNamespace = {
  readonly id: string
  readonly accountId: string /** Wall time. */
  readonly at: number
}

/** Bytes charged for the removal of this number of items with their points. */
export const deletionBytesOf = (items: number): number => 100 * items

/** An object that this database knows nothing of. Times are wall times. */
export type Orphan = {
  readonly key: string
  readonly sizeBytes: number
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  /** Whether an operator has approved its removal. */
  readonly approved: boolean
}

/** A request that was sent with an idempotency key, and its response once it is known. */
export type RepeatableRequest = {
  /** The account, or `admin`. */
  readonly owner: string
  /** Hash of method, path and idempotency key. */
  readonly key: string
  /** Hash of what else the request says: the same key with another one is refused. */
  readonly fingerprint: string
  /** Token of the request that runs, or ran last. */
  readonly token: string
  /** Store time at which another request may run in its place; null once there is a response. */
  readonly until: number | null
  /** Encrypted: it may hold a secret that is shown once. */
  readonly response: string | null
  /** Store time at which the record is removed. */
  readonly expiresAt: number
}

/**
 * Changes of documents, vectors, files and namespaces. Each ends in exactly one of `searchable`, `failed`,
 * `superseded`.
 */
export type EventType =
  | `${'document' | 'vector'}.${'accepted' | 'searchable' | 'failed' | 'superseded' | 'deleted'}`
  | `file.${'accepted' | 'progress' | 'searchable' | 'failed' | 'deleted'}`
  | 'namespace.deleted'

/** One event that several documents have in common. */
export type EventGroup = {
  readonly type: EventType
  /** Ids of documents or vectors; the name of a file or a namespace. */
  readonly ids: readonly string[]
  /** Reason code of `failed`; `overwritten` or `deleted` for `superseded`. */
  readonly reason?: string
  /** Stage reported by `file.progress`. */
  readonly stage?: FileStage
  readonly progress?: FileProgress
  /** Number of notes, and each of their codes once; only events `file.searchable` of a file with notes have it. */
  readonly notes?: { readonly count: number; readonly codes: readonly string[] }
}

/**
 * Events that one step of a job has recorded. `seq` is drawn from the account's counter before the record is inserted, so a
 * lower one may appear later: readers stop before a missing one (`events.after`).
 */
export type EventRecord = {
  /** `<account id> <key>`: a repeated step records nothing twice. */
  readonly id: string
  readonly accountId: string
  readonly seq: number
  /** Null: of no namespace that exists. */
  readonly namespaceId: string | null
  /** The upload or the deletion; null: of a file. */
  readonly jobId: string | null
  /** Wall time, never before that of an earlier record. */
  readonly at: number
  /** None in a record whose content was removed, or that only takes the place of a number. */
  readonly groups: readonly EventGroup[]
}

/** Where the events of an account are. */
export type EventCounter = {
  readonly accountId: string
  /** The number drawn last. */
  readonly last: number
  /** The latest time of the records so far. */
  readonly at: number
  /** The last number whose record has expired; 0: none has. */
  readonly expired: number
}

/** A periodic task of the cluster: one process at a time works on it, range by range. Times are store time. */
export type Task = {
  readonly name: string
  readonly lease: { readonly token: string; readonly until: number } | null
  /** Raised each time the lease is taken, which is conditional on it. */
  readonly leaseSeq: number
  /** Where the current pass continues, opaque here; null: no pass. */
  readonly cursor: string | null
  /** When the last pass ended; null: never. */
  readonly doneAt: number | null
}

export type Usage = {
  readonly accountId: string /** `YYYY-MM`, UTC. */
  readonly period: string
  readonly requests: number
  readonly credits: number
}

/** Usage of one key of an account, or of one of its namespaces, on one day. */
export type DailyUsage = {
  readonly accountId: string
  /** `<kind>/<day>/<name>`, the rest of the key. */
  readonly entry: string
  readonly kind: 'key' | 'namespace'
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string
  /** The key's id, or the namespace's name. */
  readonly name: string
  readonly requests: number
  readonly credits: number
}

/** Prefix of file version ids; upload ids never start with it. */
export const fileVersionPrefix = 'fver'

export const isFileVersion = (version: string): boolean => version.startsWith(`${fileVersionPrefix}_`)

/** What decides whether a version of a file is dead. */
export type FileState = Pick<FileRecord, 'id' | 'name' | 'version' | 'state' | 'outcome' | 'live' | 'stale'>

/**
 * Whether a version of a file is dead. Dead is final: versions are never reused, and a published version that was
 * replaced is never published again.
 */
export const isDeadFileVersion = (file: FileState | undefined, version: string): boolean =>
  file === undefined || (file.live?.version !== version && (file.version !== version || file.outcome !== null))

/**
 * Whether a version of an item is dead: it will never be found again, so its points may be removed. Dead is final,
 * because a version never returns, and a final status never becomes `processing` again under the same version.
 */
export const isDead = (item: ItemState | undefined, version: string): boolean =>
  item === undefined || (item.indexedVersion !== version && (item.version !== version || item.status !== 'processing'))
