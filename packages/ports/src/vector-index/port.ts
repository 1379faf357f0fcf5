/**
 * Points that may be compared with one another: one embedding model (or the raw vectors of one dimension).
 * `key` is stable and safe in a file or collection name: `local-all-minilm-l6-v2-384`, `vector-384`.
 */
export type Space = { readonly key: string; readonly dimension: number }

/** Where a point belongs. Version is the upload that wrote it; passage counts from 0. The id in an engine is derived from these four. */
export type PointAddress = {
  readonly namespaceId: string
  readonly itemId: string
  readonly version: string
  readonly passage: number
}

export type Point = PointAddress & {
  /** Any length but zero; compared by cosine. */
  readonly vector: Float32Array
  /** Normalised `key:value` metadata terms, exact and case-folded by the caller. */
  readonly terms: readonly string[]
  /** The passage's distinct words, case-folded by the caller. */
  readonly words: readonly string[]
}

/** Every term and every word must be there. Compared as exact strings. */
export type PointFilter = { readonly terms: readonly string[]; readonly words: readonly string[] }

export type VectorQuery = {
  readonly namespaceIds: readonly string[]
  readonly vector: Float32Array
  readonly filter?: PointFilter
  /** 1 to 4,096. */
  readonly limit: number
}

/** `score` is the cosine, -1 to 1. */
export type VectorHit = PointAddress & { readonly score: number }

export type PointListing = {
  readonly namespaceIds: readonly string[]
  readonly filter?: PointFilter
  /** Exclusive; the order is namespace id, item id, version (each by UTF-8 bytes), passage. */
  readonly after?: PointAddress
  readonly limit: number
}

/**
 * Nearest neighbours among points that belong to namespaces. Writes are durable and visible when they resolve.
 * Filters are exact: `search` gives the best `limit` of the points that pass, never the passing ones of the best.
 * A write or a query of a wrong dimension, or of a non-finite or all-zero vector, an id with U+0000 or a lone surrogate, or a limit
 * out of range is an AppError `invalid`; nothing of such a write is written.
 * Removing or searching what is not there is no error. Engine trouble is an AppError `unavailable`.
 */
export interface VectorIndex {
  /** Makes the space; may be repeated. Every other method of an unknown space behaves as on an empty one, `upsert` makes it. */
  ensure(space: Space): Promise<void>
  /** A point of the same address is replaced. */
  upsert(space: Space, points: readonly Point[]): Promise<void>
  /** Best first; equal scores by namespace id, item id, version, passage. */
  search(space: Space, query: VectorQuery): Promise<VectorHit[]>
  list(space: Space, listing: PointListing): Promise<PointAddress[]>
  /** Those of the addresses that have no point, in the order given; neither vectors nor payloads are read. */
  missing(space: Space, addresses: readonly PointAddress[]): Promise<PointAddress[]>
  /** Removes one version of one item, from passage `fromPassage` (default 0) on. Resolves to the number removed. */
  removeVersion(
    space: Space,
    target: { readonly namespaceId: string; readonly itemId: string; readonly version: string; readonly fromPassage?: number },
  ): Promise<number>
  /** Removes at most `limit` points of a namespace; resolves to the number removed, 0 when none is left. */
  removeNamespace(space: Space, namespaceId: string, limit: number): Promise<number>
  count(space: Space, namespaceId: string): Promise<number>
  close(): Promise<void>
}
