import type { Field, FieldFilter } from '@cairn/contracts/documents/metadata-filter'

/**
 * Points comparable with one another: of one model, or raw vectors of one dimension. `key` is stable and safe as a file
 * or collection name: `local-all-minilm-l6-v2-384`, `vector-384`.
 */
export type EmbeddingSpace = { readonly key: string; readonly dimension: number }

export type ItemVersion = { readonly namespaceId: string; readonly itemId: string; readonly version: string }

/** Its points from passage `fromPassage` (default 0) on. */
export type VersionRemoval = ItemVersion & { readonly fromPassage?: number }

/** `version`: the upload that wrote it, or a file's version; `passage` from 0. All four make the point id. */
export type PointAddress = ItemVersion & { readonly passage: number }

/**
 * Normalized words of a passage and its context as 32-bit numbers, ascending, distinct. `counts`: occurrences in the
 * passage, 0 to `maxOccurrences`, plus `inContext` if the context has the word.
 */
export type Lexemes = { readonly ids: Uint32Array; readonly counts: Uint8Array }

export const inContext = 128
export const maxOccurrences = 127

/** Callers fold the case of terms and words, which are compared exactly. Words and fields are distinct. */
export type Point = PointAddress & {
  /** Compared by cosine: its norm does not matter, but must not be 0. */
  readonly vector: Float32Array
  /** Normalized `key:value` of metadata. */
  readonly terms: readonly string[]
  readonly words: readonly string[]
  /** Without them, `searchWords` never finds the point by its words. */
  readonly lexemes?: Lexemes
  /** Fields of the item's metadata. */
  readonly fields?: readonly Field[]
}

/** A point must have every term and word, and fields that pass. */
export type PointFilter = Pick<Point, 'terms' | 'words'> & { readonly fields?: FieldFilter }

/** Points of `except` are ignored; `limit`: 1 to 4,096. */
export type VectorQuery = {
  readonly namespaceIds: readonly string[]
  readonly vector: Float32Array
  readonly filter?: PointFilter
  readonly except?: readonly ItemVersion[]
  readonly limit: number
}

/** `score` is the cosine, -1 to 1. */
export type VectorHit = PointAddress & { readonly score: number }

/** Searches by words (distinct, as `Lexemes.ids`), and also by a vector if one is set. */
export type WordQuery = Omit<VectorQuery, 'vector'> & { readonly lexemes: Uint32Array; readonly vector?: Float32Array }

/**
 * `cosine`: absent without a vector; `bm25`: 0 without any of the words; `matched`: share of the words, 0 to 1,
 * weighted by their importance in the namespace.
 */
export type WordHit = PointAddress & { readonly cosine?: number; readonly bm25: number; readonly matched: number }

export type FrequencyQuery = Pick<WordQuery, 'namespaceIds' | 'lexemes'>

/** Number of points, and of those with each lexeme, in their order. */
export type Frequencies = { readonly points: number; readonly of: readonly number[] }

/** `after` is exclusive; order: namespace id, item id, version (each by UTF-8 bytes), passage. */
export type PointListing = Omit<VectorQuery, 'vector' | 'except'> & { readonly after?: PointAddress }

/** Accounts (`owner`) take turns; an aborted read soon rejects with the signal's reason. */
export type Requester = { readonly owner: string; readonly signal: AbortSignal }

/**
 * Writes are durable and visible when they resolve. Filters and exceptions apply before the limit. A read without a
 * requester is a service's, not an account's.
 *
 * AppError `invalid` for a wrong dimension, a non-finite or all-zero vector, an id with U+0000 or a lone surrogate, or
 * a limit out of range; nothing of such a write is stored. Missing points are no error. Engine failures are AppError
 * `unavailable`.
 */
export interface VectorIndex {
  /** Engine name in traces (`db.system.name`). */
  readonly system: string
  /** Creates the space; repeatable. Other methods treat an unknown space as empty, and `upsert` creates it. */
  ensure(space: EmbeddingSpace): Promise<void>
  /** Replaces points of the same address. */
  upsert(space: EmbeddingSpace, points: readonly Point[]): Promise<void>
  /** Returns the best first; equal scores by address. AppError `tooBroad`: the filter's conditions match too many. */
  search(space: EmbeddingSpace, query: VectorQuery, requester?: Requester): Promise<VectorHit[]>
  /**
   * Returns, in any order, the best `limit` by BM25 (with at least one of the words; `bm25.ts`) and, with a vector, the
   * best `limit` by cosine; each with both scores. BM25 uses statistics of the point's namespace, which may be 30
   * seconds old, and whose average length may be a sample's.
   */
  searchWords(space: EmbeddingSpace, query: WordQuery, requester?: Requester): Promise<WordHit[]>
  /** Returns numbers as old as the statistics of `searchWords`. */
  frequencies(space: EmbeddingSpace, query: FrequencyQuery, requester?: Requester): Promise<Frequencies>
  list(space: EmbeddingSpace, listing: PointListing, requester?: Requester): Promise<PointAddress[]>
  /** Addresses without a point, in order; reads neither vectors nor payloads. */
  missing(space: EmbeddingSpace, addresses: readonly PointAddress[]): Promise<PointAddress[]>
  /** Returns for each term the vector, of unit length, of any point with it; undefined: no point. */
  vectorsOf(space: EmbeddingSpace, namespaceId: string, terms: readonly string[]): Promise<(Float32Array | undefined)[]>
  /** Returns the number of points removed. */
  removeVersions(space: EmbeddingSpace, removals: readonly VersionRemoval[]): Promise<number>
  /** Returns the number removed, at most `limit`; 0 when the namespace is empty. */
  removeNamespace(space: EmbeddingSpace, namespaceId: string, limit: number): Promise<number>
  count(space: EmbeddingSpace, namespaceId: string): Promise<number>
  close(): Promise<void>
}
