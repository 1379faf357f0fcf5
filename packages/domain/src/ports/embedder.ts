import type { Readability } from '@cairn/contracts/text/scripts'

/**
 * Identity of an embedding model. A namespace keeps this identity, so that the model that filled it always serves it.
 */
export type EmbeddingModel = {
  readonly provider: 'local' | 'openai' | 'lexical'
  readonly model: string
  readonly dimension: number
  /** Identifies weights, pooling and prefixes of a local model (`weightsId`). Missing for other providers. */
  readonly weights?: string
}

/** Returns the identity as one text: vectors of two models may be compared only if their identities are equal. */
export const identityOf = ({ provider, model, dimension, weights = '' }: EmbeddingModel): string =>
  JSON.stringify([provider, model, dimension, weights])

/** Returns the name by which clients choose a model. */
export const modelName = ({ provider, model }: EmbeddingModel): string => (provider === 'lexical' ? provider : model)

export type EmbedderStatus =
  | { readonly state: 'ready' }
  /** `progress` is 0 to 1 if known. */
  | { readonly state: 'loading'; readonly detail: string; readonly progress?: number }
  | { readonly state: 'failed'; readonly detail: string }

/**
 * Turns texts into vectors of unit length. While `loading`, `embed` and `tokens` reject with AppError `unavailable`
 * (retry later); once `failed`, with an AppError whose message names the remedy: `conflict`, or `unavailable` if a
 * server caused the failure. `embed` keeps the order of its input, cuts nothing (callers cut to `maxTokens`; longer
 * text is truncated) and never returns a vector of another dimension, a non-finite or an all-zero one: such a result is
 * an AppError `internal`. A text that can't be embedded is an AppError `invalid`.
 */
export interface Embedder {
  readonly model: EmbeddingModel
  /** Maximum tokens of a text, special tokens excluded. */
  readonly maxTokens: number
  /**
   * Minimum cosine at which a text is likely to be about a query; set if it was measured (docs/evaluation.md), since it
   * differs between models.
   */
  readonly relevantFrom?: number
  /**
   * How well the model reads each script; unset if it was not measured. Cosines of texts that it doesn't read are
   * meaningless.
   */
  readonly reads?: Readability
  /** Whether the first use will load the model into memory. Default: no. */
  isIdle?(): boolean
  /** Number of concurrent texts that keeps every worker busy. */
  readonly concurrency: number
  status(): EmbedderStatus
  /**
   * Resolves to the state. Sends a request to a server that has not responded recently, so that an outage of an unused
   * server is detected.
   */
  check(): Promise<EmbedderStatus>
  /** Resolves when the state is no longer `loading`. */
  settled(): Promise<void>
  /** Returns for each text the start offsets of its tokens, in UTF-16 units, ascending. */
  tokens(texts: readonly string[]): Promise<Uint32Array[]>
  embed(
    texts: readonly string[],
    options: { readonly kind: 'document' | 'query'; readonly signal?: AbortSignal },
  ): Promise<Float32Array[]>
  close(): Promise<void>
}

/** The embedders of one process. */
export interface Embedders {
  /** Returns the embedder for new namespaces. */
  current(): Embedder
  /**
   * Returns the embedder for namespaces with this model; undefined when the model is not configured in this process.
   */
  of(model: EmbeddingModel): Embedder | undefined
  /** Returns the embedder that a new namespace may choose by this name, which is one of `names`. */
  named(name: string): Embedder | undefined
  names(): readonly string[]
  close(): Promise<void>
}
