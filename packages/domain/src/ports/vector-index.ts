import type { Field, FieldFilter } from '@cairn/contracts/documents/metadata-filter'

/**
 * A set of points that can be compared with one another: the points of one embedding model, or raw vectors of one
 * dimension. `key` is stable and safe in a file or collection name: `local-all-minilm-l6-v2-384`, `vector-384`.
 */
export type EmbeddingSpace = { readonly key: string; readonly dimension: number }

/**
 * Address of a point. `version` is the id of the upload that wrote the point, or the version of a file; `passage`
 * counts from 0. An engine derives its point id from these four fields.
 */
export type PointAddress = {
  readonly namespaceId: string
  readonly itemId: string
  readonly version: string
  readonly passage: number
}

/**
 * The normalized words of a passage and of its context, each a 32-bit number (ascending, distinct). `counts`: how often
 * the passage has each, 0 to 127, plus 128 if the context has it.
 */
export type Lexemes = { readonly ids: Uint32Array; readonly counts: Uint8Array }

/** Bit of `Lexemes.counts` for a word of the context. */
export const inContext = 128
/** Largest number of occurrences in `Lexemes.counts`. */
export const maxOccurrences = 127

export type Point = PointAddress & {
  /** Compared by cosine, so its norm does not matter; must not be all-zero. */
  readonly vector: Float32Array
  /** Normalized `key:value` metadata terms, case-folded by the caller and compared exactly. */
  readonly terms: readonly string[]
  /** The passage's distinct words, case-folded by the caller. */
  readonly words: readonly string[]
  /** Lexemes of the passage; without them, `searchWords` never finds the point by its words. */
  readonly lexemes?: Lexemes
  /** The fields of the item's metadata, distinct. */
  readonly fields?: readonly Field[]
}

/** Filter of points: a point must have every term and every word, compared as exact strings, and fields that pass. */
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
  /** Versions of items whose points are ignored. */
  readonly except?: readonly ItemVersion[]
  /** Maximum number of hits, 1 to 4,096. */
  readonly limit: number
}

/** `score` is the cosine, -1 to 1. */
export type VectorHit = PointAddress & { readonly score: number }

/** Query by words, and also by a vector if one is set. */
export type WordQuery = Omit<VectorQuery, 'vector'> & {
  readonly vector?: Float32Array
  /** Distinct lexemes of the query, as in `Lexemes.ids`. */
  readonly lexemes: Uint32Array
}

/**
 * `cosine` is absent if the query has no vector; `bm25` is 0 for a point without any of the query's words. `matched`, 0
 * to 1, is the share of the query's words that the point has, weighted by their importance in the namespace.
 */
export type WordHit = PointAddress & { readonly cosine?: number; readonly bm25: number; readonly matched: number }

/** Number of points of namespaces, and of those that have each lexeme, in the order of the lexemes. */
export type Frequencies = { readonly points: number; readonly of: readonly number[] }

export type PointListing = {
  readonly namespaceIds: readonly string[]
  readonly filter?: PointFilter
  /** Exclusive start; points are ordered by namespace id, item id, version (each by UTF-8 bytes) and passage. */
  readonly after?: PointAddress
  readonly limit: number
}

/** Caller of a read of the index. */
export type Requester = {
  /** Id of the account; accounts take turns reading. */
  readonly owner: string
  /** Aborts the read, which then soon rejects with the signal's reason. */
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
  /** Stores points and replaces those with the same address. */
  upsert(space: EmbeddingSpace, points: readonly Point[]): Promise<void>
  /**
   * Returns the best points, best first; equal scores by namespace id, item id, version, passage. Without a requester,
   * the caller is a service, not an account. AppError `tooBroad` for a filter whose conditions match too many points
   * together.
   */
  search(space: EmbeddingSpace, query: VectorQuery, requester?: Requester): Promise<VectorHit[]>
  /**
   * Returns, in any order, the best `limit` points by BM25 (with at least one of the words) and, if the query has a
   * vector, the best `limit` by cosine. Each point has both scores. BM25 uses the statistics of the point's namespace:
   * the number of points, their average length, and the number of points with each word. Statistics may be up to 30
   * seconds old, and the average may be that of a sample. `bm25.ts` defines the score.
   */
  searchWords(space: EmbeddingSpace, query: WordQuery, requester?: Requester): Promise<WordHit[]>
  /** Returns how frequent lexemes are in namespaces. The numbers may be as old as the statistics of `searchWords`. */
  frequencies(
    space: EmbeddingSpace,
    query: Pick<WordQuery, 'namespaceIds' | 'lexemes'>,
    requester?: Requester,
  ): Promise<Frequencies>
  list(space: EmbeddingSpace, listing: PointListing, requester?: Requester): Promise<PointAddress[]>
  /** Returns the addresses that have no point, in the order of `addresses`; reads neither vectors nor payloads. */
  missing(space: EmbeddingSpace, addresses: readonly PointAddress[]): Promise<PointAddress[]>
  /**
   * Returns for each term the vector, of unit length, of any point of the namespace that has the term; undefined if
   * no point has it.
   */
  vectorsOf(space: EmbeddingSpace, namespaceId: string, terms: readonly string[]): Promise<(Float32Array | undefined)[]>
  /**
   * Removes the points of item versions, each from passage `fromPassage` (default 0) on. Returns the number of points
   * removed.
   */
  removeVersions(
    space: EmbeddingSpace,
    targets: readonly (ItemVersion & { readonly fromPassage?: number })[],
  ): Promise<number>
  /** Removes at most `limit` points of a namespace. Returns the number removed, 0 when the namespace is empty. */
  removeNamespace(space: EmbeddingSpace, namespaceId: string, limit: number): Promise<number>
  count(space: EmbeddingSpace, namespaceId: string): Promise<number>
  close(): Promise<void>
}
