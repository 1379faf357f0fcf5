/** Mode of a store: items with texts, embedded by the client's model, or plain vectors with an optional text. */
export type StoreMode = 'text' | 'vector'

/** Shape of the store, fixed by the first upload. `embeddingModel` is null in a vector store. */
export type StoreShape = {
  readonly mode: StoreMode
  readonly dimension: number
  readonly embeddingModel: string | null
}

export type EdgeState = {
  /** Undefined while the store has had no upload. */
  readonly shape: StoreShape | undefined
  readonly items: number
  readonly maxItems: number
}

export type EdgeItem = {
  readonly id: string
  /** Stored unchanged; may be empty. */
  readonly text: string
  /** Compared by cosine. */
  readonly vector: Float32Array
}

/** `score` is the cosine, -1 to 1. */
export type EdgeHit = { readonly id: string; readonly text: string; readonly score: number }

/**
 * One flat store of at most `maxItems` items. Writes are atomic, and durable and visible when they resolve. AppErrors:
 * `invalid` for a vector of another dimension than the store's, or an all-zero vector; `conflict` for another mode or
 * model than the store's, and for more new items than fit, with `items`, `max_items` and `requested_new`; `unavailable`
 * for a file error.
 */
export interface EdgeStore {
  state(): Promise<EdgeState>
  /**
   * Stores items and replaces those with the same ids; if an id occurs twice in one upload, the later item wins.
   * Resolves to the state after the upload.
   */
  upload(shape: StoreShape, items: readonly EdgeItem[]): Promise<EdgeState>
  /**
   * Returns the best hits first; equal scores are ordered by the ids' UTF-8 bytes. Empty for a store without a shape.
   * `limit` is 1 to 4,096.
   */
  search(query: { readonly vector: Float32Array; readonly limit: number }): Promise<EdgeHit[]>
  /** Returns every text, in the order in which the ids were first uploaded. */
  texts(): Promise<string[]>
  /** Removes the existing ids; unknown ids are no error. The shape stays, even if the store is then empty. */
  remove(ids: readonly string[]): Promise<{ readonly removed: readonly string[]; readonly absent: readonly string[] }>
  /** Removes everything, including the shape. */
  clear(): Promise<void>
  close(): Promise<void>
}
