import type { Script } from '@cairn/contracts/scripts'

/** The identity of an embedding. A namespace keeps it, so that the model that filled it always serves it. */
export type EmbeddingModel = {
  readonly provider: 'local' | 'openai' | 'lexical'
  readonly model: string
  readonly dimension: number
  /** Identifies weights, pooling and prefixes of a local model (`weightsId`). Missing in namespaces of 0.1. */
  readonly weights?: string
}

/** Returns the identity as one text: vectors of two models may be compared only if it is the same. */
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
 * server is the reason. `embed` keeps the order of its input, cuts nothing (callers cut to `maxTokens`; longer text is
 * truncated) and never returns a vector of another dimension, a non-finite or an all-zero one: such a result is an
 * AppError `internal`. A text that can't be embedded is an AppError `invalid`.
 */
export interface Embedder {
  readonly model: EmbeddingModel
  /** Window of the model, special tokens excluded. */
  readonly maxTokens: number
  /**
   * Cosine from which a text is likely to be about a query, where it was measured (docs/evaluation.md): it differs from
   * model to model.
   */
  readonly relevantFrom?: number
  /** Scripts whose texts the model can read; unset: all. Its cosines of other texts say nothing. */
  readonly scripts?: readonly Script[]
  /** Number of texts that keeps every worker busy. */
  readonly concurrency: number
  status(): EmbedderStatus
  /**
   * Resolves to the state. A server without a recent answer gets a request first, so that an unused one is known to be
   * away.
   */
  check(): Promise<EmbedderStatus>
  /** Resolves when the state is no longer `loading`. */
  settled(): Promise<void>
  /** Returns for each text the start of each of its tokens: UTF-16 offsets, rising. */
  tokens(texts: readonly string[]): Promise<Uint32Array[]>
  embed(
    texts: readonly string[],
    options: { readonly kind: 'document' | 'query'; readonly signal?: AbortSignal },
  ): Promise<Float32Array[]>
  close(): Promise<void>
}

/** The embedders of one process. */
export interface Embedders {
  /** Serves new namespaces. */
  current(): Embedder
  /**
   * Returns the embedder that fills and searches namespaces of this model; undefined when it is not configured here.
   */
  of(model: EmbeddingModel): Embedder | undefined
  /** Returns the embedder that a new namespace may choose by this name, one of `names`. */
  named(name: string): Embedder | undefined
  names(): readonly string[]
  close(): Promise<void>
}
