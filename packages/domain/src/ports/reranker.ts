/** Reads query and text together: more accurate than comparing vectors, but so slow that it gets only the best hits. */
export interface Reranker {
  /** Model name for answers and logs. */
  readonly model: string
  /**
   * Returns the relevance of each text, in their order; other scales are mapped to 0 to 1, keeping the order. At most
   * 100 texts, judged by what fits the model's window. Throws the signal's reason when aborted. AppErrors:
   * `unavailable` while the model is busy, loading, slow or unreachable; `conflict`, with the remedy, when it can't be
   * used.
   */
  rerank(query: string, texts: readonly string[], options: { readonly signal: AbortSignal }): Promise<number[]>
  close(): Promise<void>
}
