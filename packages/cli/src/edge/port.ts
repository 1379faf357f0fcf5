/** One chunk as an edge store takes it. */
export type EdgeItem = { readonly id: string; readonly text: string; readonly vector: Float32Array }

/** What the store's first upload fixed (null before), and how much it takes. */
export type EdgeShape = {
  readonly mode: 'text' | 'vector' | null
  readonly model: string | null
  readonly dimension: number | null
  readonly maxItems: number
}

/** What filling an edge store needs of it. Every method may be repeated: an id that is there is replaced, one that is not there is no error. */
export interface EdgeStore {
  shape(): Promise<EdgeShape>
  /** The chunks it has, by document: those of texts without a readable block are nobody's. */
  chunks(): Promise<ReadonlyMap<string, ReadonlySet<number>>>
  /** All of them or none. */
  upload(model: string, items: readonly EdgeItem[]): Promise<void>
  remove(ids: readonly string[]): Promise<void>
}

/** What embeds the texts: the part of the services' embedders that is needed here. `invalid` is a text that can't be embedded. */
export type EdgeEmbedder = {
  readonly model: { readonly model: string; readonly dimension: number }
  readonly maxTokens: number
  tokens(texts: readonly string[]): Promise<Uint32Array[]>
  embed(texts: readonly string[], options: { readonly kind: 'document'; readonly signal?: AbortSignal }): Promise<Float32Array[]>
  close(): Promise<void>
}

export type Head = { readonly id: string; readonly version: string }
export type SourceDocument = { readonly id: string; readonly text: string; readonly metadata: Readonly<Record<string, unknown>> }

/** A text namespace as it is read. */
export type Source = {
  /** Names it: an edge store is filled from one. */
  readonly name: string
  /** Every item, each once. */
  heads(): AsyncIterable<readonly Head[]>
  /** At most 100 ids; absent ones are left out. */
  get(ids: readonly string[]): Promise<readonly SourceDocument[]>
}

/** How far a document is. A version of null: it was begun, and up to so many chunks of it may be there. */
export type PulledDocument = { readonly version: string | null; readonly chunks: number }

export type PullState = { readonly source: string; readonly model: string; readonly documents: ReadonlyMap<string, PulledDocument> }

/** What a pull remembers from one time to the next. */
export interface PullMemory {
  read(): PullState | undefined
  /** Whole or not at all. */
  write(state: PullState): void
}
