import type { Job } from '../jobs/record.ts'
import type { EmbeddingSpace } from '../ports/vector-index.ts'

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
  /** Id of the upload that inserted the item, even if other uploads have overwritten it since; empty: not known. */
  readonly insertedBy: string
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
   * Change of the counts by an upload, decided when the record leaves `accepting`. Missing before that
   * and for chunks, which are counted when their file is published.
   */
  readonly changed?: number
  /** Milliseconds spent per stage. */
  readonly times: { readonly [stage: string]: number }
  /** Missing until a text job is final. */
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
  /** `itemCount` of the namespace when its deletion began. Missing for other targets. */
  readonly itemCount?: number
  /** Space of the points, kept here because the namespace's record is removed before the last re-check. */
  readonly space: EmbeddingSpace
  /** Further spaces that may have points of the namespace; missing: none. */
  readonly otherSpaces?: readonly EmbeddingSpace[]
  readonly list: readonly DeletedVersion[]
  readonly itemsDone: boolean
  /** Change of the counts by the deletion, decided with `itemsDone`. Missing before that. */
  readonly changed?: number
  /** Number of re-checks done after the removal of a namespace. */
  readonly rechecks: number
  /** Numbers of removed records, by store. */
  readonly removed: { readonly [store: string]: number }
}

/** Returns the bytes charged for the removal of this number of items with their points. */
export const deletionBytesOf = (items: number): number => 100 * items

/**
 * Whether a version of an item is dead: searches will never return it again, so its points may be removed. Dead is
 * final, because a version never returns, and a final status never becomes `processing` again under the same version.
 */
export const isDead = (item: ItemState | undefined, version: string): boolean =>
  item === undefined || (item.indexedVersion !== version && (item.version !== version || item.status !== 'processing'))
