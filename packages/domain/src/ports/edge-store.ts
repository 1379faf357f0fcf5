/** `text`: embedded by the client's model. `vector`: plain vectors with an optional text. */
export type StoreMode = 'text' | 'vector'

/** Fixed by the first upload. `embeddingModel` is null in a vector store. */
export type StoreShape = {
  readonly mode: StoreMode
  readonly dimension: number
  readonly embeddingModel: string | null
}

export type EdgeState = {
  /** Undefined before the first upload. */
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
 * A flat store of at most `maxItems` items. Writes are atomic, and durable and visible when they resolve. AppErrors:
 * `invalid` for another dimension than the store's, or an all-zero vector; `conflict` for another mode or model, and
 * for more new items than fit (`items`, `max_items`, `requested_new`); `unavailable` for a file error.
 */
export interface EdgeStore {
  state(): Promise<EdgeState>
  /** Replaces items with the same ids; of one id twice in an upload, the later wins. Resolves to the new state. */
  upload(shape: StoreShape, items: readonly EdgeItem[]): Promise<EdgeState>
  /** Returns the best first, equal scores by the ids' UTF-8 bytes; none without a shape. `limit`: 1 to 4,096. */
  search(query: { readonly vector: Float32Array; readonly limit: number }): Promise<EdgeHit[]>
  /** Returns texts in the order of the ids' first upload. */
  texts(): Promise<string[]>
  /** Removes items; unknown ids are no error. The shape stays, even if the store is then empty. */
  remove(ids: readonly string[]): Promise<{ readonly removed: readonly string[]; readonly absent: readonly string[] }>
  /** Removes the shape, too. */
  clear(): Promise<void>
  close(): Promise<void>
}
