import type { Field, FieldFilter } from '@cairn/contracts/metadata-filter'

/**
 * A set of points that can be compared with one another: the points of one embedding model, or raw vectors of one
 * dimension. `key` is stable and safe in a file or collection name: `local-all-minilm-l6-v2-384`, `vector-384`.
 */
export type EmbeddingSpace = { readonly key: string; readonly dimension: number }

/**
 * Identifies a point. Version is the upload that wrote it; passage counts from 0. The id in an engine is derived from
 * these four.
 */
export type PointAddress = {
  readonly namespaceId: string
  readonly itemId: string
  readonly version: string
  readonly passage: number
}

/** The normalized words of a passage, each a 32-bit number (ascending, distinct), and how often each occurs, 1 to 255. */
export type Lexemes = { readonly ids: Uint32Array; readonly counts: Uint8Array }

export type Point = PointAddress & {
  /** Any length but zero; compared by cosine. */
  readonly vector: Float32Array
  /** Normalized `key:value` metadata terms, case-folded by the caller and compared exactly. */
  readonly terms: readonly string[]
  /** The passage's distinct words, case-folded by the caller. */
  readonly words: readonly string[]
  /** Without them, `searchWords` never finds the point by its words. */
  readonly lexemes?: Lexemes
  /** The fields of the item's metadata, distinct. */
  readonly fields?: readonly Field[]
}

/** Requires every term and every word, compared as exact strings, and fields that pass. */
export type PointFilter = {
  readonly terms: readonly string[]
  readonly words: readonly string[]
  readonly fields?: FieldFilter
}

export type ItemVersion = Pick<PointAddress, 'namespaceId' | 'itemId' | 'version'>

export type VectorQuery = {
  readonly namespaceIds: readonly string[]
  readonly vector: Float32Array
  readonly filter?: PointFilter
  /** Versions of items whose points do not count. */
  readonly except?: readonly ItemVersion[]
  /** 1 to 4,096. */
  readonly limit: number
}

/** `score` is the cosine, -1 to 1. */
export type VectorHit = PointAddress & { readonly score: number }

/** Searches by words, and by the vector too if there is one. */
export type WordQuery = Omit<VectorQuery, 'vector'> & {
  readonly vector?: Float32Array
  /** Distinct lexemes of the query, as in `Lexemes.ids`. */
  readonly lexemes: Uint32Array
}

/**
 * `cosine` is absent in a search by words alone; `bm25` is 0 for a point without any of the query's words. `matched`, 0
 * to 1, is the share of the query's words that the point has, each by its weight in the namespace.
 */
export type WordHit = PointAddress & { readonly cosine?: number; readonly bm25: number; readonly matched: number }

export type PointListing = {
  readonly namespaceIds: readonly string[]
  readonly filter?: PointFilter
  /** Exclusive; the order is namespace id, item id, version (each by UTF-8 bytes), passage. */
  readonly after?: PointAddress
  readonly limit: number
}

/** The caller for whom an index is read. */
export type Requester = {
  /** The account: the accounts that read take turns. */
  readonly owner: string
  /** The read ends with the reason of this signal soon after it is aborted. */
  readonly signal: AbortSignal
}

/**
 * Finds nearest neighbors among points that belong to namespaces. Writes are durable and visible when they resolve.
 * Filters and exceptions apply before the limit: `search` returns the best `limit` of the points that pass.
 *
 * AppError `invalid` for a wrong dimension, a non-finite or all-zero vector, an id with U+0000 or a lone surrogate, or
 * a limit out of range; nothing of such a write is stored. Removing or searching missing points is no error. Engine
 * failures are AppError `unavailable`.
 */
export interface VectorIndex {
  /** Name of the engine in traces (`db.system.name`). */
  readonly system: string
  /**
   * Creates the space; may run any number of times. All other methods treat an unknown space as empty, and `upsert`
   * creates it.
   */
  ensure(space: EmbeddingSpace): Promise<void>
  /** Stores points and replaces those of the same address. */
  upsert(space: EmbeddingSpace, points: readonly Point[]): Promise<void>
  /**
   * Returns the best points, best first; equal scores by namespace id, item id, version, passage. Without a requester, a
   * service reads. AppError `tooBroad` for a filter whose conditions match too many points together.
   */
  search(space: EmbeddingSpace, query: VectorQuery, requester?: Requester): Promise<VectorHit[]>
  /**
   * Returns the best `limit` points by BM25 (those with at least one of the words), joined with the best `limit` by
   * cosine if the query has a vector, in any order. Each has both scores. The statistics are those of the point's
   * namespace: its number of points, their average length, and in how many of them each word is. An engine may take
   * statistics that are up to 30 seconds old, and an average of a sample. `bm25.ts` defines the score.
   */
  searchWords(space: EmbeddingSpace, query: WordQuery, requester?: Requester): Promise<WordHit[]>
  list(space: EmbeddingSpace, listing: PointListing, requester?: Requester): Promise<PointAddress[]>
  /** Returns the addresses without a point, in the order of `addresses`; reads neither vectors nor payloads. */
  missing(space: EmbeddingSpace, addresses: readonly PointAddress[]): Promise<PointAddress[]>
  /**
   * Returns for each term the vector, of unit length, of some point of the namespace that has it; undefined when there
   * is none.
   */
  vectorsOf(space: EmbeddingSpace, namespaceId: string, terms: readonly string[]): Promise<(Float32Array | undefined)[]>
  /** Removes versions of items, each from its passage `fromPassage` (default 0) on. Returns the number of points removed. */
  removeVersions(
    space: EmbeddingSpace,
    targets: readonly (ItemVersion & { readonly fromPassage?: number })[],
  ): Promise<number>
  /** Removes at most `limit` points of a namespace. Returns the number removed, 0 when the namespace is empty. */
  removeNamespace(space: EmbeddingSpace, namespaceId: string, limit: number): Promise<number>
  count(space: EmbeddingSpace, namespaceId: string): Promise<number>
  close(): Promise<void>
}
