import type { Job } from '../jobs/record.ts'
import type { EmbeddingSpace } from '../ports/vector-index.ts'

/** They differ between models. `second`: the count in one further space, by its key. */
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
  /** The latest body, returned by documents/get and paging. */
  readonly body: Body
  /** Upload that wrote `body`. Versions have no order. */
  readonly version: string
  readonly status: ItemStatus
  readonly reason: string | null
  /** Upload that inserted the item, whoever has overwritten it since; empty: not known. */
  readonly insertedBy: string
  /** What searches match and return. `body` is only set while it differs from the latest. */
  readonly indexed: (Passages & { readonly version: string; readonly body?: Body }) | null
  /** Formerly indexed; points must still be removed. */
  readonly stale: readonly string[]
  /** Wall time; overwriting an id keeps it. */
  readonly createdAt: number
  readonly updatedAt: number
}

/**
 * `removed`: marked by a deletion. No read returns the item; an upload of its id inserts it again. The record stays
 * until its upload and its deletion are counted, because their recovery needs it.
 */
export type StoredItem = Omit<Item, 'status'> & {
  readonly status: ItemStatus | 'removed'
  readonly removedBy?: string
}

export type ItemWithoutBody = Pick<Item, 'id' | 'version' | 'createdAt'>

/** Passages that should have points; null: none yet. */
export type IndexedItem = {
  readonly id: string
  readonly indexed: Pick<NonNullable<Item['indexed']>, 'version' | 'passages' | 'second'> | null
}

/** What a search returns: the indexed content, without the vector. */
export type SearchableItem = Pick<Item, 'namespaceId' | 'id'> & {
  readonly indexedVersion: string | null
  readonly body: Pick<Body, 'text' | 'metadata'>
}

/** Fields that decide whether points are dead. */
export type ItemState = Pick<Item, 'id' | 'version' | 'status' | 'reason' | 'stale'> & {
  readonly indexedVersion: string | null
}

export type Outcome = 'pending' | 'completed' | 'failed' | 'superseded' | 'deleted'

export type DocumentOutcome = { readonly id: string; readonly outcome: Outcome; readonly reason?: string }

/** Passages whose vectors were found in the namespace, or computed, by the job's last worker. */
export type PassageCounts = { readonly reused: number; readonly embedded: number }

type IndexingJob = Job & {
  /** Accepted ids, distinct. */
  readonly ids: readonly string[]
  /** Final once the job is. */
  readonly outcomes: readonly DocumentOutcome[]
  /** Change of the counts, decided when the record leaves `accepting`. Missing for chunks, counted at publication. */
  readonly changed?: number
  /** Milliseconds per stage. */
  readonly times: { readonly [stage: string]: number }
  /** Missing until a text job is final. */
  readonly passages?: PassageCounts
}

export type Upload = IndexingJob & {
  readonly kind: 'text' | 'vectors'
  /** Rejected by validation; kept for the status page. */
  readonly rejected: readonly { readonly id: string; readonly error: string; readonly message: string }[]
}

export type ChunkBatch = IndexingJob & {
  readonly kind: 'chunks'
  readonly file: { readonly id: string; readonly version: string }
}

/** One collection for both kinds, so that they take turns. */
export type IndexJob = Upload | ChunkBatch

export const asUpload = (job: IndexJob | undefined): Upload | undefined => (job?.kind === 'chunks' ? undefined : job)

/** An item as it was before its removal: the versions whose points must be removed. */
export type DeletedVersion = {
  readonly id: string
  readonly version: string
  readonly indexedVersion: string | null
  readonly stale: readonly string[]
}

/** A file as it was when it was deleted. `key` is that of its object. */
export type DeletedFile = {
  readonly id: string | null
  readonly name: string
  readonly key: string
  readonly versions: readonly string[]
}

export type Deletion = Job & {
  readonly target: 'items' | 'namespace' | 'file'
  /** Set if `target` is `file`. */
  readonly file: DeletedFile | null
  readonly namespaceName: string
  /** `itemCount` of a namespace when its deletion began. */
  readonly itemCount?: number
  /** Kept here, because the namespace's record is removed before the last re-check. */
  readonly space: EmbeddingSpace
  /** Spaces that may have points of the namespace; missing: none. */
  readonly otherSpaces?: readonly EmbeddingSpace[]
  readonly list: readonly DeletedVersion[]
  readonly itemsDone: boolean
  /** Change of the counts, decided with `itemsDone`. */
  readonly changed?: number
  /** Done since the namespace was removed. */
  readonly rechecks: number
  /** Removed records by store. */
  readonly removed: { readonly [store: string]: number }
}

/** Bytes charged for removing this number of items with their points. */
export const deletionBytesOf = (items: number): number => 100 * items

/**
 * No search will return it again, so its points may be removed. Dead is final: a version never returns, and a final
 * status never becomes `processing` under the same version.
 */
export const isDead = (item: ItemState | undefined, version: string): boolean =>
  item === undefined || (item.indexedVersion !== version && (item.version !== version || item.status !== 'processing'))
