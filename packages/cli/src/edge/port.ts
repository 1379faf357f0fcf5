/** A chunk in the form that an edge store accepts. */
export type EdgeItem = { readonly id: string; readonly text: string; readonly vector: Float32Array }

/** Shape of a store, fixed by its first upload (null before), with the number of items and its limit. */
export type EdgeShape = {
  readonly mode: 'text' | 'vector' | null
  readonly model: string | null
  readonly dimension: number | null
  readonly items: number
  readonly maxItems: number
}

/**
 * Operations needed to fill an edge store. Every method is idempotent: uploading an existing id replaces the item, and
 * removing a missing id is not an error.
 */
export interface EdgeStore {
  /** URL of the store. */
  readonly name: string
  shape(): Promise<EdgeShape>
  /** Returns the stored chunks by document, without texts that have no readable block. */
  chunks(): Promise<ReadonlyMap<string, ReadonlySet<number>>>
  /** Stores all items or none. */
  upload(model: string, items: readonly EdgeItem[]): Promise<void>
  remove(ids: readonly string[]): Promise<void>
  /** Removes everything; the next upload fixes the shape again. */
  clear(): Promise<void>
}

/**
 * Embeds texts: the part of the services' embedders needed here. Throws `invalid` for a text that can't be embedded.
 */
export type EdgeEmbedder = {
  readonly model: { readonly model: string; readonly dimension: number }
  readonly maxTokens: number
  tokens(texts: readonly string[]): Promise<Uint32Array[]>
  embed(
    texts: readonly string[],
    options: { readonly kind: 'document'; readonly signal?: AbortSignal },
  ): Promise<Float32Array[]>
  close(): Promise<void>
}

export type DocumentVersion = { readonly id: string; readonly version: string }
export type SourceDocument = {
  readonly id: string
  readonly text: string
  readonly metadata: Readonly<Record<string, unknown>>
}

/** A text namespace as a data source. */
export type Source = {
  /** Name of the source; an edge store is filled from only one source. */
  readonly name: string
  /** Yields the id and version of every item once, in pages. */
  versions(): AsyncIterable<readonly DocumentVersion[]>
  /** Returns at most 100 documents by id; missing documents are omitted. */
  get(ids: readonly string[]): Promise<readonly SourceDocument[]>
}

/** State of a document. If `version` is null, the upload has begun, and up to `chunks` chunks may be stored. */
export type PulledDocument = { readonly version: string | null; readonly chunks: number }

export type PullState = {
  readonly source: string
  readonly model: string
  readonly documents: ReadonlyMap<string, PulledDocument>
}

/** Stores the state of a pull between runs. */
export interface PullMemory {
  read(): PullState | undefined
  /** Writes the state atomically. */
  write(state: PullState): void
}
