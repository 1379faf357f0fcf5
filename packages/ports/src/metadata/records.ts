import type { EmbeddingModel } from '../embedder/port.ts'
import type { Space } from '../vector-index/port.ts'

/** What an account may hold and do. Times are store time in milliseconds unless a name says otherwise. */
export type Counts = { readonly documents: number; readonly vectors: number; readonly namespaces: number }

export type Account = {
  readonly id: string
  readonly name: string
  readonly tier: string
  /** Wall time, milliseconds since the epoch; null: never ends. */
  readonly subscriptionEndsAt: number | null
  /** What is there, as counted by finished operations. */
  readonly counts: Counts
  /** `counts` plus every reservation: the figure limits are checked against, so that one plain condition guards them. */
  readonly held: Counts
  readonly reservations: { readonly [token: string]: Counts & { readonly overdueAt: number; readonly namespaceId?: string | null } }
  readonly reservationCount: number
  /** Raised by every update of counts or reservations, so that a recount notices. */
  readonly seq: number
  /** Always 0, and read by processes of 0.1 alone, which enter no account without it. */
  readonly entryClosedUntil: number
  /** Namespace deletions whose content was given back already, each until its last re-check. */
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
  /** Hex HMAC of the secret; the secret itself is shown once and kept nowhere. */
  readonly hmac: string
  readonly scopes: readonly Scope[]
  readonly state: KeyState
  /** Wall time; null: never. */
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  readonly createdAt: number
}

export type NamespaceType = 'text' | 'vector'

/** An operation under way in a namespace. `by` says which record decides what it changes; entries of 0.1 have none. */
export type OpenEntry = {
  readonly overdueAt: number
  readonly by?: 'upload' | 'deletion' | 'file'
  /** Of `file`. */
  readonly fileId?: string
}

/** A full count of a namespace that is under way: items by id, then files by name. */
export type CountPass = {
  readonly phase: 'items' | 'files'
  /** The last key counted. */
  readonly after: string
  /** What was counted up to there, and what has changed up to there since. */
  readonly sum: number
  /** Equals `countSeq` as long as every operation that left has added its change to the pass. */
  readonly seq: number
}

export type Namespace = {
  /** Minted, never reused: a re-created name is another namespace. */
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly type: NamespaceType
  /** Of a vector namespace; null for text. */
  readonly dimension: number | null
  /** Of a text namespace; null for vector. */
  readonly embedding: EmbeddingModel | null
  readonly state: 'active' | 'deleting'
  readonly deletionId: string | null
  /** Wall time. */
  readonly deletionStartedAt: number | null
  readonly itemCount: number
  readonly countSeq: number
  /** Operations under way that will change `itemCount`. */
  readonly open: { readonly [token: string]: OpenEntry }
  readonly openCount: number
  readonly entryClosedUntil: number
  /** Missing in records of 0.1. */
  readonly countPass?: CountPass | null
  /** Whether all its files are under keys with its id; missing in records of 0.1, whose keys have only its name. */
  readonly keysById?: true
  /** Wall time at which points of it were found missing from the index; absent or null: none are known to be. */
  readonly lostPointsAt?: number | null
  /** Wall time. */
  readonly createdAt: number
}

/** What a caller sent and gets back. `metadata` is JSON text: a caller's keys never become field names. */
export type Body = { readonly text: string; readonly metadata: string; readonly vector?: Float32Array }

export type ItemStatus = 'processing' | 'completed' | 'failed'

export type Item = {
  readonly namespaceId: string
  readonly id: string
  readonly kind: 'document' | 'vector'
  /** The latest body: what documents/get and paging show. */
  readonly body: Body
  /** The upload that wrote `body`. Versions have no order. */
  readonly version: string
  readonly status: ItemStatus
  readonly reason: string | null
  /** The upload that inserted the item, whoever has overwritten it since. Missing in records of 0.1. */
  readonly insertedBy?: string
  /** What search matches and returns. `body` is kept here only while it differs from the latest. */
  readonly indexed: { readonly version: string; readonly passages: number; readonly body?: Body } | null
  /** Versions that were indexed before and whose points are still to be removed. */
  readonly stale: readonly string[]
  /** Wall time; kept when an id is overwritten. */
  readonly createdAt: number
  readonly updatedAt: number
}

/**
 * An item as it is kept. `removed`: a deletion has marked it, and it is absent for everybody: no read finds it, and an upload inserts it
 * anew. The record stays until what inserted it and what removed it have been counted, because it is what their recovery counts.
 */
export type StoredItem = Omit<Item, 'status'> & {
  readonly status: ItemStatus | 'removed' /** The deletion. */
  readonly removedBy?: string
}

/** What a page says of an item without its bodies. */
export type ItemWithoutBody = Pick<Item, 'id' | 'version' | 'createdAt'>

/** Which points an item, or a chunk, should have; null: none yet. */
export type IndexedItem = { readonly id: string; readonly indexed: Pick<NonNullable<Item['indexed']>, 'version' | 'passages'> | null }
export type IndexedChunk = Pick<Chunk, 'itemId' | 'fileId' | 'version' | 'passages'>

/** What decides whether points of an item are dead. */
export type ItemState = Pick<Item, 'id' | 'version' | 'status' | 'reason' | 'stale'> & { readonly indexedVersion: string | null }

export type Outcome = 'pending' | 'completed' | 'failed' | 'superseded' | 'deleted'
export type DocumentOutcome = { readonly id: string; readonly outcome: Outcome; readonly reason?: string }
export type JobState = 'accepting' | 'queued' | 'running' | 'completed' | 'failed'

/** The part every kind of job has. The record is the job's truth and its outbox entry; a message only hints at it. */
export type Job = {
  readonly id: string
  readonly accountId: string
  readonly namespaceId: string
  readonly state: JobState | 'rechecking'
  /** A merely queued job may be started by its message at once; one that failed before waits for `nextAttemptAt`. */
  readonly waiting: 'fresh' | 'retry'
  /**
   * What the job is charged with in the order of accounts: bytes of the texts, or of the file. Of a file also what counts toward the
   * account's storage. Missing in records of 0.1.
   */
  readonly bytes?: number
  /** Missing or null: long. */
  readonly lane?: 'short' | null
  readonly nextAttemptAt: number
  /** When an `accepting` record may be taken over. */
  readonly overdueAt: number
  readonly lease: { readonly token: string; readonly until: number } | null
  /** Raised each time a lease is taken: the condition of taking one. */
  readonly leaseSeq: number
  /** Releases in which the job only waited for work of others; missing where there were none. */
  readonly waits?: number
  /** Leases taken since the last progress. */
  readonly starts: number
  /** Attempts that ended in an internal error. */
  readonly attempts: number
  /** Times it was put back since the last progress: what the next delay grows with. */
  readonly retries: number
  readonly lastError: string | null
  readonly correlationId: string
  readonly traceparent: string | null
  /** Wall time. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly finishedAt: number | null
}

export type Upload = Job & {
  /** `chunks`: of one version of a file, handed over by the file pipeline. */
  readonly kind: 'text' | 'vectors' | 'chunks'
  /** Of `chunks`; null otherwise. */
  readonly file: { readonly id: string; readonly version: string } | null
  /** Accepted ids, each once. */
  readonly ids: readonly string[]
  /** Refused by validation: part of the answer, kept for the status page. */
  readonly rejected: readonly { readonly id: string; readonly error: string; readonly message: string }[]
  /** Final once the job is. */
  readonly outcomes: readonly DocumentOutcome[]
  /** By how many the upload raises the counts; decided when the record leaves `accepting`. Missing before, and in records of 0.1. */
  readonly changed?: number
  /** Milliseconds spent per stage. */
  readonly times: { readonly [stage: string]: number }
}

/** An object of the file store as it was seen. */
export type RegisteredObject = {
  readonly etag: string
  readonly sizeBytes: number
  /** Wall time of the store's clock, milliseconds. */
  readonly modifiedAt: number
}

export type FileStage = 'waiting' | 'fetching' | 'reading' | 'indexing' | 'summarising' | 'publishing' | 'cleaning' | 'done'

export type FileOptions = { readonly ocr?: boolean; readonly languages?: readonly string[]; readonly encoding?: string }

export type FileProgress = {
  readonly page?: number
  readonly pages?: number
  readonly rows?: number
  readonly bytes?: number
  readonly chunks?: number
  readonly summaries?: number
}

/** What a version of a file came to. */
export type FileOutcome = { readonly state: 'completed' } | { readonly state: 'failed'; readonly reason: string; readonly message: string }

/**
 * A stored file and the job that reads it. `version` is what is being read, or was read last: minted whenever other bytes arrive or the
 * file is to be read again, never reused. What search, paging and look-ups show is `live`, which moves to a version as a whole.
 */
export type FileRecord = Job & {
  readonly name: string
  /** What the ids of its chunks begin with. */
  readonly idBase: string
  /** In the file store. */
  readonly key: string
  readonly object: RegisteredObject
  readonly version: string
  readonly options: FileOptions
  readonly stage: FileStage
  readonly progress: FileProgress
  /** Where a worker that takes over goes on; opaque here. */
  readonly checkpoint: { readonly [field: string]: unknown } | null
  /** Decided, while what it leaves over is cleaned up. */
  readonly outcome: FileOutcome | null
  /** Operations on its namespace that have to end before it may be seen: they may know nothing of it. Null: not looked for yet. */
  readonly waitsFor: readonly string[] | null
  readonly notes: readonly { readonly code: string; readonly message: string }[]
  readonly live: { readonly version: string; readonly chunks: number; readonly summaries: number; readonly etag: string } | null
  /** The last operation that moved `live`, and by how many it raises the counts. Missing in records of 0.1. */
  readonly settling?: { readonly token: string; readonly changed: number }
  /** The deletion that removes this record: from then on nobody else changes it. */
  readonly claimedBy?: string
  /** Versions that are not to be seen any more and whose chunks and points are still to be removed. */
  readonly stale: readonly string[]
  /** Wall time of the last arrival of bytes that were there already; null: none. */
  readonly unchangedAt: number | null
  /** Wall time at which the object of a failed version was removed; absent or null: it was not. */
  readonly bytesRemovedAt?: number | null
  readonly times: { readonly [stage: string]: number }
}

/** How many chunks and summaries of a file are seen. */
export const publishedCount = (file: Pick<FileRecord, 'live'> | undefined): number =>
  file?.live ? file.live.chunks + file.live.summaries : 0

/** A chunk or summary of one version of a file. Seen only while that version is the file's `live` one. */
export type Chunk = {
  /** `<version> <itemId>`. */
  readonly id: string
  readonly namespaceId: string
  readonly fileId: string
  readonly version: string
  /** What users know it by; of several versions the same. */
  readonly itemId: string
  readonly kind: 'chunk' | 'summary'
  readonly body: Body
  /** Points it has; null until they are written. */
  readonly passages: number | null
  /** Wall time. */
  readonly createdAt: number
}

/** The same of a chunk. */
export type ChunkWithoutBody = Pick<Chunk, 'id' | 'fileId' | 'version' | 'itemId' | 'kind' | 'createdAt'>

/**
 * The permission to bring a file: an object is taken in only under a grant of the living namespace. Kept for a day after it has
 * expired, since a long upload may end late.
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
  /** Store time of the next look for its object. */
  readonly nextLookAt: number
  /** Raised by each look and each renewal, so that whoever read it before notices. */
  readonly looks: number
  /** The object that was taken in last. */
  readonly seen: RegisteredObject | null
  /** Of an upload in parts; null: a single PUT. */
  readonly uploadId: string | null
  /** Announced for a single PUT: counts toward the account's storage until `reservedUntil`. null: the size was not announced. */
  readonly reservedBytes?: number | null
  /** Wall time. Absent or null: nothing is reserved. */
  readonly reservedUntil?: number | null
  /** The same of a multipart upload: bytes of its parts that are stored, as counted last. null: none yet. */
  readonly partsBytes?: number | null
  readonly partsUntil?: number | null
  readonly correlationId: string
  readonly traceparent: string | null
  /** Wall time of the last opening. */
  readonly createdAt: number
}

/** As read before removal: which versions' points have to go. */
export type DeletedVersion = {
  readonly id: string
  readonly version: string
  readonly indexedVersion: string | null
  readonly stale: readonly string[]
}

/** A file that is deleted: its record as it was when that went, and where its object is. */
export type DeletedFile = { readonly id: string | null; readonly name: string; readonly key: string; readonly versions: readonly string[] }

export type Deletion = Job & {
  readonly target: 'items' | 'namespace' | 'file'
  /** Of `file`; null otherwise. */
  readonly file: DeletedFile | null
  readonly namespaceName: string
  /** Where the points are: the namespace's record is gone before its last re-check. */
  readonly space: Space
  readonly list: readonly DeletedVersion[]
  readonly itemsDone: boolean
  /** By how many the deletion changes the counts; decided with `itemsDone`. Missing before, and in records of 0.1. */
  readonly changed?: number
  /** How many re-checks of a removed namespace are done. */
  readonly rechecks: number
  /** What was removed per store. */
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

/** What this database is to the object store: another one's objects are not touched. */
export type Installation = {
  readonly id: 'installation'
  /** Minted once. */
  readonly installationId: string
  /** Whether data of 0.1 was there, whose objects lie under keys without a prefix. */
  readonly hasLegacyKeys: boolean
}

/** The id of a namespace that was deleted, kept for ever: an object that arrives for it may be removed at once. */
export type RetiredNamespace = { readonly id: string; readonly accountId: string /** Wall time. */; readonly at: number }

/** An object that this database knows nothing of. Times are wall times. */
export type Orphan = {
  readonly key: string
  readonly sizeBytes: number
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  /** Whether an operator has agreed to its removal. */
  readonly approved: boolean
}

/** A periodic task of the cluster: one process at a time works on it, range by range. Times are store time. */
export type Task = {
  readonly name: string
  readonly lease: { readonly token: string; readonly until: number } | null
  /** Raised each time the lease is taken: the condition of taking it. */
  readonly leaseSeq: number
  /** Where the pass under way goes on, opaque here; null: none is under way. */
  readonly cursor: string | null
  /** When the last pass ended; null: none has. */
  readonly doneAt: number | null
}

export type Usage = {
  readonly accountId: string /** `YYYY-MM`, UTC. */
  readonly period: string
  readonly requests: number
  readonly credits: number
}

/** What the versions of files begin with, and no upload's id does. */
export const fileVersionPrefix = 'fver'

export const isFileVersion = (version: string): boolean => version.startsWith(`${fileVersionPrefix}_`)

/** What decides whether a version of a file is dead. */
export type FileState = Pick<FileRecord, 'id' | 'name' | 'version' | 'state' | 'outcome' | 'live' | 'stale'>

/** The same for a version of a file. Dead is for ever: versions are never reused, and what is live never becomes unseen and live again. */
export const isDeadFileVersion = (file: FileState | undefined, version: string): boolean =>
  file === undefined || (file.live?.version !== version && (file.version !== version || file.outcome !== null))

/**
 * Whether a version of an item is dead: it will never again be found, so its points may go. Dead is for ever, because a
 * version never returns and a final status never becomes `processing` again under the same version.
 */
export const isDead = (item: ItemState | undefined, version: string): boolean =>
  item === undefined || (item.indexedVersion !== version && (item.version !== version || item.status !== 'processing'))
