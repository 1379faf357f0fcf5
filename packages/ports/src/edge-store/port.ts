/** Items with texts, embedded by a model of the client's, or bare vectors, which may have a text as well. */
export type StoreMode = 'text' | 'vector'

/** What the first upload fixed. `embeddingModel` is null in a vector store. */
export type StoreShape = { readonly mode: StoreMode; readonly dimension: number; readonly embeddingModel: string | null }

export type EdgeState = {
  /** Undefined while the store has had no upload. */
  readonly shape: StoreShape | undefined
  readonly items: number
  readonly maxItems: number
}

export type EdgeItem = {
  readonly id: string
  /** Kept as it is; empty where there is none. */
  readonly text: string
  /** Compared by cosine. */
  readonly vector: Float32Array
}

/** `score` is the cosine, -1 to 1. */
export type EdgeHit = { readonly id: string; readonly text: string; readonly score: number }

/**
 * One flat store of at most `maxItems` items. Writes are durable and visible when they resolve, each of them whole or not at all.
 * AppErrors: `invalid` for a vector of another dimension than the store's, or one without a direction; `conflict` for another mode or
 * model than the store's, and for more new items than there is room for, with `items`, `max_items` and `requested_new`; `unavailable`
 * for trouble of the file.
 */
export interface EdgeStore {
  state(): Promise<EdgeState>
  /** An id that is there is replaced, and so is the earlier of two of one upload. Resolves to the state after it. */
  upload(shape: StoreShape, items: readonly EdgeItem[]): Promise<EdgeState>
  /** Best first; equal scores by the ids' UTF-8 bytes. None from a store without a shape. `limit` is 1 to 4,096. */
  search(query: { readonly vector: Float32Array; readonly limit: number }): Promise<EdgeHit[]>
  /** Every text, in the order in which their ids first came. */
  texts(): Promise<string[]>
  /** Those that were there; the others are no error. The shape stays, also when nothing is left. */
  remove(ids: readonly string[]): Promise<{ readonly removed: readonly string[]; readonly absent: readonly string[] }>
  /** Nothing is left, not even the shape. */
  clear(): Promise<void>
  close(): Promise<void>
}
