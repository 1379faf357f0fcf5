import type { LanguageCoverage } from '@cairn/contracts/text/scripts'

/** Kept by a namespace, so that the model that filled it always serves it. */
export type EmbeddingModel = {
  readonly provider: 'local' | 'openai' | 'lexical'
  readonly model: string
  readonly dimension: number
  /** Weights, pooling and prefixes of a local model (`weightsId`). Missing for other providers. */
  readonly weights?: string
}

/** Vectors of two models may be compared only if these are equal. */
export const identityOf = ({ provider, model, dimension, weights = '' }: EmbeddingModel): string =>
  JSON.stringify([provider, model, dimension, weights])

/** Returns the name by which clients choose a model. */
export const modelName = ({ provider, model }: EmbeddingModel): string => (provider === 'lexical' ? provider : model)

export type EmbedderStatus =
  | { readonly state: 'ready' }
  /** 0 to 1, if known. */
  | { readonly state: 'loading'; readonly detail: string; readonly progress?: number }
  | { readonly state: 'failed'; readonly detail: string }

/**
 * Turns texts into vectors of unit length. While `loading`, `embed` and `tokens` reject with AppError `unavailable`;
 * once `failed`, with one whose message names the remedy: `conflict`, or `unavailable` if a server caused it. `embed`
 * keeps the order and cuts nothing: callers cut to `maxTokens`, longer text is truncated. A vector of another
 * dimension, non-finite or all-zero is AppError `internal`, a text that can't be embedded `invalid`.
 */
export interface Embedder {
  readonly model: EmbeddingModel
  /** Excludes special tokens. */
  readonly maxTokens: number
  /** Least cosine at which a text is likely about a query; set if measured (docs/evaluation.md) for this model. */
  readonly relevantFrom?: number
  /** Unset if not measured. Cosines of texts in a script that the model doesn't read are meaningless. */
  readonly reads?: LanguageCoverage
  /** The first use will load the model into memory. Default: no. */
  isIdle?(): boolean
  /** Concurrent texts that keep every worker busy. */
  readonly concurrency: number
  status(): EmbedderStatus
  /** Asks a server that has not responded recently, so that an outage of an unused one is detected. */
  check(): Promise<EmbedderStatus>
  /** Resolves when no longer `loading`. */
  settled(): Promise<void>
  /** Returns the start offsets of each text's tokens, in UTF-16 units, ascending. */
  tokens(texts: readonly string[]): Promise<Uint32Array[]>
  embed(
    texts: readonly string[],
    options: { readonly kind: 'document' | 'query'; readonly signal?: AbortSignal },
  ): Promise<Float32Array[]>
  close(): Promise<void>
}

export interface Embedders {
  /** Returns the embedder for new namespaces. */
  current(): Embedder
  /** Returns undefined when the model is not configured in this process. */
  of(model: EmbeddingModel): Embedder | undefined
  /** Returns the embedder that a new namespace or a reindex may choose by one of `names`. */
  named(name: string): Embedder | undefined
  names(): readonly string[]
  close(): Promise<void>
}
