import type { Body, PassageCounts, Passages } from '../items/record.ts'
import type { Job } from '../jobs/record.ts'
import type { StoredFile } from '../ports/file-store.ts'

export type IndexedChunk = Pick<Chunk, 'itemId' | 'fileId' | 'version' | 'passages' | 'second'>

/** The object as it was when it was registered. */
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
  readonly indexed?: number
}

export type FileOutcome =
  | { readonly state: 'completed' }
  | { readonly state: 'failed'; readonly reason: string; readonly message: string }

/** A part of a file that was not read, or read with changes. */
export type FileNote = {
  readonly code: string
  readonly message: string
  /** Missing if the note is not about one place. */
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
 * A stored file and the job that processes it. `version` is being processed, or was last: it changes whenever different
 * bytes arrive or the file is processed again, and is never reused. `live` is the published version, which search,
 * paging and look-ups return; it is replaced as a whole.
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
  /** JSON sent with the file, in the metadata of each chunk of `version`. Absent: none. */
  readonly metadata?: string
  /** Published version whose chunks `version` copies, with another `metadata`. Absent or null: none is copied. */
  readonly copiedFrom?: string | null
  readonly stage: FileStage
  readonly progress: FileProgress
  /** Where a worker that takes over continues; opaque here. */
  readonly checkpoint: { readonly [field: string]: unknown } | null
  /** Null: not decided yet. Once decided, chunks and points of stale versions are removed. */
  readonly outcome: FileOutcome | null
  /** Operations (tokens) that must end before the publication, as they may not know of the file. Null: not read yet. */
  readonly waitsFor: readonly string[] | null
  readonly notes: readonly FileNote[]
  readonly live: {
    readonly version: string
    readonly chunks: number
    readonly summaries: number
    readonly etag: string
    /** Extraction version that began to read the file; 0: version 0.1. */
    readonly extraction: number
  } | null
  /** The last operation that changed `live`, and its change of the counts. */
  readonly settling?: { readonly token: string; readonly changed: number }
  /** Deletion that removes this record: nothing else changes it any more. */
  readonly claimedBy?: string
  /** No longer published; chunks and points must still be removed. */
  readonly stale: readonly string[]
  /** Wall time of the last upload of the same bytes. */
  readonly unchangedAt: number | null
  /** Wall time; absent or null: the object of a failed version is not removed. */
  readonly bytesRemovedAt?: number | null
  /** Null until all chunks of the version are indexed. */
  readonly passages: PassageCounts | null
  readonly times: { readonly [stage: string]: number }
}

export const publishedCount = (file: Pick<FileRecord, 'live'> | undefined): number =>
  file?.live ? file.live.chunks + file.live.summaries : 0

export const extractionOf = ({ live }: Pick<FileRecord, 'live'>): number | null => live?.extraction ?? null

/** Returned only while its version is published. */
export type Chunk = {
  /** `<version> <itemId>`. */
  readonly id: string
  readonly namespaceId: string
  readonly fileId: string
  readonly version: string
  /** Users know this one; several versions of a file may share it. */
  readonly itemId: string
  readonly kind: 'chunk' | 'summary'
  readonly body: Body
  /** JSON of the metadata without that of the file. Absent: the body's is the same. */
  readonly extracted?: string
  /** Places of the text on the page of a PDF (`@cairn/domain/places`); outside the body, which endpoints return. */
  readonly places?: string
  /** Number of points; null until they are written. */
  readonly passages: number | null
  readonly second?: Passages['second'] | null
  /** Wall time. */
  readonly createdAt: number
}

export type ChunkWithoutBody = Pick<Chunk, 'id' | 'fileId' | 'version' | 'itemId' | 'kind' | 'createdAt'>

/** An object is registered only under a grant; kept for a day after it expired, as a long upload may end late. */
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
  /** Raised by each check and renewal, so that a process with an older copy detects the change. */
  readonly looks: number
  /** Registered last. */
  readonly seen: RegisteredObject | null
  /** Multipart upload; null: a single PUT. */
  readonly uploadId: string | null
  /** Announced for a single PUT, counted until `reservedUntil`. null: size not announced. */
  readonly reservedBytes?: number | null
  /** Wall time. Absent or null: nothing reserved. */
  readonly reservedUntil?: number | null
  /** Stored parts as last counted, reserved until `partsUntil`. null: not counted yet. */
  readonly partsBytes?: number | null
  readonly partsUntil?: number | null
  /** JSON to register with the file. Absent or null: the file keeps its own. */
  readonly metadata?: string | null
  readonly correlationId: string
  readonly traceparent: string | null
  /** Wall time of the last opening. */
  readonly createdAt: number
}

/** Identifies this database to the object store: objects of other databases are not touched. */
export type Installation = {
  readonly id: 'installation'
  readonly installationId: string
}

/** Times are wall times. */
export type Orphan = {
  readonly key: string
  readonly sizeBytes: number
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  /** An operator has approved the removal. */
  readonly approved: boolean
}

/** Prefix of file version ids; upload ids never start with it. */
export const fileVersionPrefix = 'fver'

export const isFileVersion = (version: string): boolean => version.startsWith(`${fileVersionPrefix}_`)

export type FileState = Pick<FileRecord, 'id' | 'name' | 'version' | 'state' | 'outcome' | 'live' | 'stale'>

/** Dead is final: versions are never reused, and a replaced one is never published again. */
export const isDeadFileVersion = (file: FileState | undefined, version: string): boolean =>
  file === undefined || (file.live?.version !== version && (file.version !== version || file.outcome !== null))
