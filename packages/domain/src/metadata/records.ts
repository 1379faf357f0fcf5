import type { SearchMode } from '@cairn/contracts/http/search'
import type { Language } from '@cairn/contracts/languages'
import type { Readability } from '@cairn/contracts/scripts'
import type { EmbeddingModel } from '../ports/embedder.ts'
import type { StoredFile } from '../ports/file-store.ts'
import type { EmbeddingSpace } from '../ports/vector-index.ts'

/** One page of a listing, ordered by the UTF-8 bytes of the key. `after` is exclusive. */
export type Page = { readonly after?: string; readonly limit: number }

/** Limit; null: unlimited. */
export type Limit = number | null

/** Lease on a job; the token proves who holds it. */
export type Lease = { readonly jobId: string; readonly token: string }

/** Lane of a job: one slot is reserved for `short` jobs. */
export type Lane = 'short' | 'long'

/**
 * Numbers of documents, vectors and namespaces of an account. In this file, times are store time in milliseconds unless
 * stated otherwise.
 */
export type Counts = { readonly documents: number; readonly vectors: number; readonly namespaces: number }

export type Account = {
  readonly id: string
  readonly name: string
  readonly tier: string
  /** Wall time, milliseconds since the epoch; null: the subscription never ends. */
  readonly subscriptionEndsAt: number | null
  /** Content that finished operations have added. */
  readonly counts: Counts
  /** `counts` plus every reservation. Limits are checked against this sum, so that one condition enforces them. */
  readonly held: Counts
  readonly reservations: {
    readonly [token: string]: Counts & { readonly overdueAt: number; readonly namespaceId?: string | null }
  }
  readonly reservationCount: number
  /** Raised by every update of counts or reservations, so that a recount detects updates. */
  readonly seq: number
  /** Always 0. Processes of 0.1 can't enter an account without this field. */
  readonly entryClosedUntil: number
  /** Namespace deletions that have already released their quota, each kept until its last re-check. */
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
 * An operation in progress in a namespace. `by` names the record that decides what the operation changes; entries of
 * 0.1 have no `by`.
 */
export type OpenEntry = {
  readonly overdueAt: number
  readonly by?: 'upload' | 'deletion' | 'file'
  /** Set if `by` is `file`. */
  readonly fileId?: string
}

/** Position of a full count of a namespace: items by id, then files by name. */
export type CountPass = {
  readonly phase: 'items' | 'files'
  /** The last key counted. */
  readonly after: string
  /** Count up to that key, including later changes up to that key. */
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
  /**
   * Whether the keys of all files of the namespace contain the namespace's id. Missing in records of 0.1, whose keys
   * contain only the name.
   */
  readonly keysById?: true
  /** Whether all points of the namespace have the fields of their metadata. Missing in records of 0.1. */
  readonly hasFields?: true
  /**
   * Version of the rules of the lexemes of the namespace's points (`lexemesVersion`); some points may be of a later one.
   * Missing in records of 0.1: 1.
   */
  readonly lexemes?: number
  /** Language whose word endings are ignored in a search by words. Missing in records of 0.1: English. */
  readonly language?: Language
  /** Wall time at which points were found missing in the index; absent or null: no points are known to be missing. */
  readonly lostPointsAt?: number | null
  /** Absent or null: all points are in the space of `embedding`. */
  readonly reindex?: Reindex | null
  /** Equals the phase of `reindex`, because an index needs a field of the record. */
  readonly reindexPhase?: Reindex['phase'] | null
  /** Models of former reindexes: a late writer may have left points in their spaces. */
  readonly formerEmbeddings?: readonly EmbeddingModel[]
  /** The last re-extraction, kept after its end. Missing before the first re-extraction, and in records of 0.1. */
  readonly reextraction?: Reextraction | null
  /** Equals the id of `reextraction` while it runs, because an index needs a field of the record. */
  readonly reextractionId?: string | null
  /** Wall time. */
  readonly createdAt: number
}

/**
 * A pass over the files of a namespace, by name, that extracts again each file that an earlier version has extracted.
 */
export type Reextraction = {
  /** Id, also the correlation id of the files that the pass has begun to process. */
  readonly id: string
  /** Wall times. */
  readonly startedAt: number
  readonly endedAt: number | null
  /** Name of the last file that the pass has reached. */
  readonly cursor: string
  /** Ids of the files that the pass has reached and that are being processed, whoever began that. */
  readonly underWay: readonly string[]
  /** Number of outdated files when the pass began. */
  readonly total: number
  readonly extracted: number
  /** Files that could not be extracted again; their published version is unchanged. */
  readonly failed: number
  /** Files that were left unchanged because the object store no longer has their bytes. */
  readonly withoutBytes: number
}

/** Result of the same queries on both spaces. Times in milliseconds. */
export type ReindexComparison = {
  readonly queries: number
  /** Mean share of the ten best items by `embedding` that are also among the ten best by the second model, 0 to 1. */
  readonly overlap: number
  readonly medianMs: number
  readonly secondMedianMs: number
}

/**
 * A second space of a text namespace, and the progress of the switch to this space. Writers write to both spaces in
 * every phase but `removing`; only `embedding` of the namespace is searched.
 *
 * - `filling`: the points of all items are written to the second space. Then `filled`: the reindex waits for the
 *   request to flip.
 * - `closing`: a last pass over all items while writers know that both spaces must have their points. Then the two
 *   models switch places.
 * - `former`: the second space is now the one that was searched before the flip; it is kept until `flippedAt` +
 *   `keepMs`, so that the flip can be reversed.
 * - `removing`: the points of the second space are being removed.
 */
export type Reindex = {
  readonly id: string
  /** Model of the second space. */
  readonly embedding: EmbeddingModel
  readonly phase: 'filling' | 'filled' | 'closing' | 'former' | 'removing'
  /** Whether the models switch places as soon as the space is filled. */
  readonly isAutomatic: boolean
  readonly keepMs: number
  /** Wall times. */
  readonly startedAt: number
  readonly phaseAt: number
  /** Set in `former` and `removing`, and in `closing` if it follows `former`. */
  readonly flippedAt: number | null
  /** Position of the pass; null: at its beginning. */
  readonly cursor: string | null
  /** `itemCount` of the namespace when the reindex began. */
  readonly total: number
  /** Items and chunks that the pass has reached. */
  readonly passed: number
  /** Items and chunks that any pass has embedded. */
  readonly written: number
  /**
   * Items and chunks of this pass that only the second model rejects, so that searches with that model would not find
   * them.
   */
  readonly rejected: number
  readonly error: string | null
  /** Texts of searches since the reindex began, for the comparison; null: texts are not kept, or no longer kept. */
  readonly queries: readonly string[] | null
  readonly comparison: ReindexComparison | null
}

/** Passage counts, which differ between models. `second` is the count in one further space, identified by its key. */
export type Passages = {
  readonly passages: number
  readonly second?: { readonly space: string; readonly passages: number }
}

/**
 * Content that a client sent and gets back. `metadata` is JSON text, so that a client's keys never become field names.
 */
export type Body = { readonly text: string; readonly metadata: string; readonly vector?: Float32Array }

export type ItemStatus = 'processing' | 'completed' | 'failed'

export type Item = {
  readonly namespaceId: string
  readonly id: string
  readonly kind: 'document' | 'vector'
  /** The latest body, which documents/get and paging return. */
  readonly body: Body
  /** Id of the upload that wrote `body`. Versions have no order. */
  readonly version: string
  readonly status: ItemStatus
  readonly reason: string | null
  /**
   * Id of the upload that inserted the item, even if other uploads have overwritten it since. Missing in records of
   * 0.1.
   */
  readonly insertedBy?: string
  /** Content that search matches and returns. `body` is only set while it differs from the latest body. */
  readonly indexed: (Passages & { readonly version: string; readonly body?: Body }) | null
  /** Formerly indexed versions whose points must still be removed. */
  readonly stale: readonly string[]
  /** Wall time; unchanged when an id is overwritten. */
  readonly createdAt: number
  readonly updatedAt: number
}

/**
 * An item as it is stored. `removed`: a deletion has marked the item. No read returns it, and an upload of its id
 * inserts it again. The record stays until the upload that inserted it and the deletion that removed it have been
 * counted, because their recovery needs the record.
 */
export type StoredItem = Omit<Item, 'status'> & {
  readonly status: ItemStatus | 'removed'
  /** The deletion. */
  readonly removedBy?: string
}

/** An item on a page without bodies. */
export type ItemWithoutBody = Pick<Item, 'id' | 'version' | 'createdAt'>

/** Passage count of the points that an item or a chunk should have; null: no points yet. */
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

/** Fields that decide whether points of an item are dead. */
export type ItemState = Pick<Item, 'id' | 'version' | 'status' | 'reason' | 'stale'> & {
  readonly indexedVersion: string | null
}

export type Outcome = 'pending' | 'completed' | 'failed' | 'superseded' | 'deleted'
export type DocumentOutcome = { readonly id: string; readonly outcome: Outcome; readonly reason?: string }
export type JobState = 'accepting' | 'queued' | 'running' | 'completed' | 'failed'

/**
 * The part that all jobs share. The record is the source of truth for the job and its outbox entry; a message is only a
 * hint.
 */
export type Job = {
  readonly id: string
  readonly accountId: string
  readonly namespaceId: string
  readonly state: JobState | 'rechecking'
  /** A fresh job may be started by its message at once; a job that failed before waits until `nextAttemptAt`. */
  readonly waiting: 'fresh' | 'retry'
  /**
   * Bytes charged to the account's turn: the size of the texts, or of the file, where the bytes also count toward the
   * account's storage. Missing in records of 0.1.
   */
  readonly bytes?: number
  /** Missing or null: `long`. */
  readonly lane?: 'short' | null
  /**
   * Store time at which the work last began; for a file, at which the work on its version began. Missing in records of
   * 0.1.
   */
  readonly startedAt?: number | null
  /** Store time at which the work ended, before any re-checks. Missing in records of 0.1. */
  readonly endedAt?: number | null
  readonly nextAttemptAt: number
  /** Store time at which an `accepting` record may be taken over. */
  readonly overdueAt: number
  readonly lease: { readonly token: string; readonly until: number } | null
  /** Raised each time a lease is taken; taking one is conditional on this number. */
  readonly leaseSeq: number
  /** Number of releases in which the job only waited for work of other jobs; missing: none. */
  readonly waits?: number
  /** Leases taken since the last progress. */
  readonly starts: number
  /** Attempts that ended in an internal error. */
  readonly attempts: number
  /** Releases since the last progress; the delay before the next attempt grows with this number. */
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
 * Passages by the source of their vectors: found in the namespace, or computed. Counts only the work of a job's last
 * worker, which does not repeat what earlier workers have done.
 */
export type PassageCounts = { readonly reused: number; readonly embedded: number }

type IndexingJob = Job & {
  /** Accepted ids, each once. */
  readonly ids: readonly string[]
  /** Outcomes of the documents, final once the job is. */
  readonly outcomes: readonly DocumentOutcome[]
  /**
   * Change of the counts by an upload, decided when the record leaves `accepting`. Missing before that, in records of
   * 0.1, and for chunks, which are counted when their file is published.
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
  /** Documents rejected by validation: part of the response, kept for the status page. */
  readonly rejected: readonly { readonly id: string; readonly error: string; readonly message: string }[]
}

/** Chunks of one version of a file, from the file pipeline. */
export type ChunkBatch = IndexingJob & {
  readonly kind: 'chunks'
  readonly file: { readonly id: string; readonly version: string }
}

/** Jobs that index content. Both kinds are in one collection, so that they take turns. */
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
  /** Number of indexed chunks and summaries. */
  readonly indexed?: number
}

/** The outcome of a version of a file. */
export type FileOutcome =
  | { readonly state: 'completed' }
  | { readonly state: 'failed'; readonly reason: string; readonly message: string }

/** A part of a file that was not read, or was read with changes. */
export type FileNote = {
  readonly code: string
  readonly message: string
  /** Place in the file. Missing if the note is not about one place, and in records of 0.1. */
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
 * A stored file and the job that processes it. `version` is the version that is being processed or was processed last.
 * It changes whenever different bytes arrive or the file is processed again, and is never reused. `live` is the
 * published version, which search, paging and look-ups return; it is replaced as a whole.
 */
export type FileRecord = Job & {
  readonly name: string
  /** Prefix of the ids of the file's chunks. */
  readonly idBase: string
  /** Key of the object in the file store. */
  readonly key: string
  readonly object: RegisteredObject
  readonly version: string
  readonly options: FileOptions
  /** JSON of the metadata that was sent with the file; in the metadata of each chunk of `version`. Absent: none. */
  readonly metadata?: string
  /**
   * Published version whose chunks `version` copies with another `metadata`, instead of extracting the file. Absent or
   * null: the file is extracted.
   */
  readonly copiedFrom?: string | null
  readonly stage: FileStage
  readonly progress: FileProgress
  /** Position from which a worker that takes over continues; opaque here. */
  readonly checkpoint: { readonly [field: string]: unknown } | null
  /**
   * Outcome of the version; null: not decided yet. Once it is decided, chunks and points of stale versions are removed.
   */
  readonly outcome: FileOutcome | null
  /**
   * Tokens of operations in the namespace that must end before the file is published, because they may not know of the
   * file. Null: not read yet.
   */
  readonly waitsFor: readonly string[] | null
  readonly notes: readonly FileNote[]
  readonly live: {
    readonly version: string
    readonly chunks: number
    readonly summaries: number
    readonly etag: string
    /** Version of the extraction that began to read the file. Missing in records of 0.1: 0. */
    readonly extraction?: number
  } | null
  /**
   * The last operation that changed `live`, and the change of the counts by this operation. Missing in records of 0.1.
   */
  readonly settling?: { readonly token: string; readonly changed: number }
  /** Id of the deletion that removes this record: nothing else changes the record any more. */
  readonly claimedBy?: string
  /** Versions that are no longer published and whose chunks and points must still be removed. */
  readonly stale: readonly string[]
  /** Wall time of the last upload of the same bytes; null: never. */
  readonly unchangedAt: number | null
  /** Wall time at which the object of a failed version was removed; absent or null: not removed. */
  readonly bytesRemovedAt?: number | null
  /** Passages of the version being processed, once all its chunks are indexed. Missing in records of 0.1. */
  readonly passages?: PassageCounts | null
  readonly times: { readonly [stage: string]: number }
}

/**
 * Returns the value of a counter for users. The counter itself is negative for a moment when items are deleted whose
 * upload is not counted yet.
 */
export const shownCount = (counter: number): number => Math.max(0, counter)

/** Returns the number of published chunks and summaries of a file. */
export const publishedCount = (file: Pick<FileRecord, 'live'> | undefined): number =>
  file?.live ? file.live.chunks + file.live.summaries : 0

/** Returns the extraction version of the file's published version; null if no version is published. */
export const extractionOf = ({ live }: Pick<FileRecord, 'live'>): number | null => live && (live.extraction ?? 0)

/** A chunk or summary of one version of a file. Returned only while that version is published. */
export type Chunk = {
  /** `<version> <itemId>`. */
  readonly id: string
  readonly namespaceId: string
  readonly fileId: string
  readonly version: string
  /** Id that users know; several versions of a file may have the same ids. */
  readonly itemId: string
  readonly kind: 'chunk' | 'summary'
  readonly body: Body
  /** JSON of the metadata without that of the file. Absent: the file has none, so the body's is the same. */
  readonly extracted?: string
  /**
   * Places of the text on the page of a PDF (`@cairn/domain/places`). Kept outside the body, which endpoints return.
   * Missing in chunks of other files, in summaries, and in records of 0.1.
   */
  readonly places?: string
  /** Number of the chunk's points; null until the points are written. */
  readonly passages: number | null
  readonly second?: Passages['second'] | null
  /** Wall time. */
  readonly createdAt: number
}

/** A chunk on a page without bodies. */
export type ChunkWithoutBody = Pick<Chunk, 'id' | 'fileId' | 'version' | 'itemId' | 'kind' | 'createdAt'>

/**
 * Permission to upload a file: an object is registered only under a grant of the active namespace. Kept for a day after
 * it expired, since a long upload may end late.
 */
export type Grant = {
  readonly namespaceId: string
  readonly name: string
  readonly accountId: string
  readonly key: string
  readonly contentType: string
  /** `revoked`: the file was deleted; objects that still arrive are removed. */
  readonly state: 'open' | 'revoked'
  /** Wall time. */
  readonly expiresAt: number
  /** Store time of the next check for its object. */
  readonly nextLookAt: number
  /** Raised by each check and each renewal, so that a process with an older copy of the grant detects the change. */
  readonly looks: number
  /** Object that was registered last. */
  readonly seen: RegisteredObject | null
  /** Id of the multipart upload; null: a single PUT. */
  readonly uploadId: string | null
  /**
   * Bytes announced for a single PUT, which count toward the account's storage until `reservedUntil`. null: the size
   * was not announced.
   */
  readonly reservedBytes?: number | null
  /** Wall time. Absent or null: no bytes are reserved. */
  readonly reservedUntil?: number | null
  /** Bytes of a multipart upload's stored parts as last counted, reserved until `partsUntil`. null: not counted yet. */
  readonly partsBytes?: number | null
  readonly partsUntil?: number | null
  /** JSON of the metadata to register with the file. Absent or null: the file keeps the metadata that it has. */
  readonly metadata?: string | null
  readonly correlationId: string
  readonly traceparent: string | null
  /** Wall time at which the grant was last opened. */
  readonly createdAt: number
}

/** An item as it was before its removal: the versions whose points must be removed. */
export type DeletedVersion = {
  readonly id: string
  readonly version: string
  readonly indexedVersion: string | null
  readonly stale: readonly string[]
}

/** A deleted file: its record when it was deleted, and the key of its object. */
export type DeletedFile = {
  readonly id: string | null
  readonly name: string
  readonly key: string
  readonly versions: readonly string[]
}

export type Deletion = Job & {
  readonly target: 'items' | 'namespace' | 'file'
  /** Set if `target` is `file`; null otherwise. */
  readonly file: DeletedFile | null
  readonly namespaceName: string
  /** `itemCount` of the namespace when its deletion began. Missing for other targets, and in records of 0.1. */
  readonly itemCount?: number
  /** Space of the points, kept here because the namespace's record is removed before the last re-check. */
  readonly space: EmbeddingSpace
  /** Further spaces that may have points of the namespace; missing: none. */
  readonly otherSpaces?: readonly EmbeddingSpace[]
  readonly list: readonly DeletedVersion[]
  readonly itemsDone: boolean
  /** Change of the counts by the deletion, decided with `itemsDone`. Missing before that, and in records of 0.1. */
  readonly changed?: number
  /** Number of re-checks done after the removal of a namespace. */
  readonly rechecks: number
  /** Numbers of removed records, by store. */
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

/** Identity of this database for the object store: objects of other databases are not touched. */
export type Installation = {
  readonly id: 'installation'
  /** Id of the installation, created once. */
  readonly installationId: string
  /** Whether the database held data of 0.1, whose objects have keys without a prefix. */
  readonly hasLegacyKeys: boolean
}

/** Id of a deleted namespace, kept forever: an object that arrives for this namespace may be removed at once. */
export type RetiredNamespace = {
  readonly id: string
  readonly accountId: string
  /** Wall time. */
  readonly at: number
}

/** Returns the bytes charged for the removal of this number of items with their points. */
export const deletionBytesOf = (items: number): number => 100 * items

/** An object that has no record in this database. Times are wall times. */
export type Orphan = {
  readonly key: string
  readonly sizeBytes: number
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  /** Whether an operator has approved the removal of the object. */
  readonly approved: boolean
}

/** A request that was sent with an idempotency key, and its response once it is known. */
export type RepeatableRequest = {
  /** Account id, or `admin`. */
  readonly owner: string
  /** Hash of method, path and idempotency key. */
  readonly key: string
  /** Hash of the rest of the request: another request with the same key is rejected. */
  readonly fingerprint: string
  /** Token of the request that is running or ran last. */
  readonly token: string
  /** Store time at which another request may take over; null once there is a response. */
  readonly until: number | null
  /** Encrypted, because the response may hold a secret that is shown once. */
  readonly response: string | null
  /** Store time at which the record is removed. */
  readonly expiresAt: number
}

/**
 * Changes of documents, vectors, files and namespaces. Each accepted document or vector ends in exactly one of
 * `searchable`, `failed`, `superseded`.
 */
export type EventType =
  | `${'document' | 'vector'}.${'accepted' | 'searchable' | 'failed' | 'superseded' | 'deleted'}`
  | `file.${'accepted' | 'progress' | 'searchable' | 'failed' | 'deleted'}`
  | 'namespace.deleted'

/** Events of one type: one event for each of `ids`. */
export type EventGroup = {
  readonly type: EventType
  /** Ids of documents or vectors; the name of a file or a namespace. */
  readonly ids: readonly string[]
  /** Reason code of `failed`; `overwritten` or `deleted` for `superseded`. */
  readonly reason?: string
  /** Stage reported by `file.progress`. */
  readonly stage?: FileStage
  readonly progress?: FileProgress
  /** Number of notes, and their distinct codes; only set in `file.searchable` events of files with notes. */
  readonly notes?: { readonly count: number; readonly codes: readonly string[] }
}

/**
 * Events that one step of a job has recorded. `seq` is drawn from the account's counter before the record is inserted,
 * so a record with a lower number may appear later: readers stop before a missing number (`events.after`).
 */
export type EventRecord = {
  /** `<account id> <key>`, so that a repeated step records nothing twice. */
  readonly id: string
  readonly accountId: string
  readonly seq: number
  /** Null: the event belongs to no existing namespace. */
  readonly namespaceId: string | null
  /** Id of the upload or the deletion; null for a file's event. */
  readonly jobId: string | null
  /** Wall time, never before that of a record with a lower number. */
  readonly at: number
  /** Empty in a record whose content was removed, or that only fills a missing number. */
  readonly groups: readonly EventGroup[]
}

/** State of an account's event sequence. */
export type EventCounter = {
  readonly accountId: string
  /** Number drawn last. */
  readonly last: number
  /** Latest time of the records so far. */
  readonly at: number
  /** Number of the last record that has expired; 0: none has expired. */
  readonly expired: number
}

/** A periodic task of the cluster: one process at a time works on it, range by range. Times are store time. */
export type Task = {
  readonly name: string
  readonly lease: { readonly token: string; readonly until: number } | null
  /** Raised each time the lease is taken; taking it is conditional on this number. */
  readonly leaseSeq: number
  /** Position of the current pass, opaque here; null: no pass is running. */
  readonly cursor: string | null
  /** Store time at which the last pass ended; null: never. */
  readonly doneAt: number | null
}

/** How well a model reads each script, as the sentences of this version have measured. */
export type ModelProbe = {
  /** The model's identity (`identityOf`). */
  readonly id: string
  /** `probeVersion` at the time. */
  readonly version: number
  readonly reads: Readability
  /** Wall time. */
  readonly at: number
}

export type Usage = {
  readonly accountId: string
  /** `YYYY-MM`, UTC. */
  readonly period: string
  readonly requests: number
  readonly credits: number
}

/** Usage of one API key or namespace of an account on one day. */
export type DailyUsage = {
  readonly accountId: string
  /** `<kind>/<day>/<name>`, the rest of the record's key. */
  readonly entry: string
  readonly kind: 'key' | 'namespace'
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string
  /** Id of the key, or name of the namespace. */
  readonly name: string
  readonly requests: number
  readonly credits: number
}

/** Prefix of file version ids; upload ids never start with it. */
export const fileVersionPrefix = 'fver'

export const isFileVersion = (version: string): boolean => version.startsWith(`${fileVersionPrefix}_`)

/** Fields that decide whether a version of a file is dead. */
export type FileState = Pick<FileRecord, 'id' | 'name' | 'version' | 'state' | 'outcome' | 'live' | 'stale'>

/**
 * Whether a version of a file is dead. Dead is final: versions are never reused, and a published version that was
 * replaced is never published again.
 */
export const isDeadFileVersion = (file: FileState | undefined, version: string): boolean =>
  file === undefined || (file.live?.version !== version && (file.version !== version || file.outcome !== null))

/**
 * Whether a version of an item is dead: searches will never return it again, so its points may be removed. Dead is
 * final, because a version never returns, and a final status never becomes `processing` again under the same version.
 */
export const isDead = (item: ItemState | undefined, version: string): boolean =>
  item === undefined || (item.indexedVersion !== version && (item.version !== version || item.status !== 'processing'))

/** Result of searching a namespace by questions with known answers. Means are 0 to 1. */
export type Evaluation = {
  readonly namespaceId: string
  /** Ids sort by creation time, so the last one in order is the newest. */
  readonly id: string
  /** Wall time. */
  readonly at: number
  /** Hash of the questions: results of different questions are not compared. */
  readonly questionsHash: string
  readonly mode: SearchMode
  /** The namespace's model and number of items when the result was kept. */
  readonly model: EmbeddingModel
  readonly itemCount: number
  readonly questions: number
  readonly ndcg: number
  readonly recall: number
  /** Number of questions for which nothing right was found. */
  readonly withoutHit: number
  /** Comparison with an earlier evaluation, which may have been removed since; null: not compared. */
  readonly change: {
    readonly id: string
    readonly mode: SearchMode
    readonly model: EmbeddingModel
    /** `ndcg` minus that of the earlier evaluation. */
    readonly difference: number
    readonly p: number
  } | null
  /** Scores of each question and the worst questions, as JSON text, which lists do not read. */
  readonly detail: string
}
