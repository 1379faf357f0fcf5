import type { Body, PassageCounts, Passages } from '../items/record.ts'
import type { Job } from '../jobs/record.ts'
import type { StoredFile } from '../ports/file-store.ts'

export type IndexedChunk = Pick<Chunk, 'itemId' | 'fileId' | 'version' | 'passages' | 'second'>

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
  /** Place in the file. Missing if the note is not about one place. */
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
  readonly bytes: number
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
    /** Version of the extraction that began to read the file; 0: it was read by version 0.1. */
    readonly extraction: number
  } | null
  /**
   * The last operation that changed `live`, and the change of the counts by this operation. Missing before the first
   * one.
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
  /** Passages of the version being processed, once all its chunks are indexed; null before that. */
  readonly passages: PassageCounts | null
  readonly times: { readonly [stage: string]: number }
}

/** Returns the number of published chunks and summaries of a file. */
export const publishedCount = (file: Pick<FileRecord, 'live'> | undefined): number =>
  file?.live ? file.live.chunks + file.live.summaries : 0

/** Returns the extraction version of the file's published version; null if no version is published. */
export const extractionOf = ({ live }: Pick<FileRecord, 'live'>): number | null => live?.extraction ?? null

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
   * Missing in chunks of other files and in summaries.
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

/** Identity of this database for the object store: objects of other databases are not touched. */
export type Installation = {
  readonly id: 'installation'
  /** Id of the installation, created once. */
  readonly installationId: string
}

/** An object that has no record in this database. Times are wall times. */
export type Orphan = {
  readonly key: string
  readonly sizeBytes: number
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  /** Whether an operator has approved the removal of the object. */
  readonly approved: boolean
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
