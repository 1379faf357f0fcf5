/** As an edge store accepts it. */
export type EdgeItem = { readonly id: string; readonly text: string; readonly vector: Float32Array }

/** Fixed by the first upload; null before. */
export type EdgeShape = {
  readonly mode: 'text' | 'vector' | null
  readonly model: string | null
  readonly dimension: number | null
  readonly items: number
  readonly maxItems: number
}

/** Every method is idempotent: an existing id is replaced, and a missing one is no error. */
export interface EdgeStore {
  /** URL. */
  readonly name: string
  shape(): Promise<EdgeShape>
  /** Returns chunks by document, without texts that have no readable block. */
  chunks(): Promise<ReadonlyMap<string, ReadonlySet<number>>>
  /** Stores all items or none. */
  upload(model: string, items: readonly EdgeItem[]): Promise<void>
  remove(ids: readonly string[]): Promise<void>
  /** The next upload fixes the shape again. */
  clear(): Promise<void>
}

/** The part of the services' embedders needed here. Throws `invalid` for a text that can't be embedded. */
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

export type Source = {
  /** An edge store is filled from only one source. */
  readonly name: string
  /** Yields every item once, in pages. */
  versions(): AsyncIterable<readonly DocumentVersion[]>
  /** Takes at most 100 ids; omits missing ones. */
  get(ids: readonly string[]): Promise<readonly SourceDocument[]>
}

/** `version` null: the upload has begun, and up to `chunks` chunks may be stored. */
export type PulledDocument = { readonly version: string | null; readonly chunks: number }

export type PullState = {
  readonly source: string
  readonly model: string
  readonly documents: ReadonlyMap<string, PulledDocument>
}

/** Between runs. */
export interface PullMemory {
  read(): PullState | undefined
  write(state: PullState): void
}
