/**
 * Judges how well texts answer a query, by reading both together. Much more exact than comparing vectors, and much
 * slower, so it sees the best hits of a search only.
 */
export interface Reranker {
  /** The model's name, for answers and logs. */
  readonly model: string
  /**
   * Returns the relevance of each text, from 0 to 1, in the order of the texts; a model that returns other numbers is
   * mapped by a function that keeps their order. At most 100 texts; one beyond the model's window is judged by its
   * beginning. Ends with the signal, by its reason. AppErrors: `unavailable` while the model is busy, loading, slow or
   * unreachable; `conflict`, with the remedy, when it can't be used as it is configured.
   */
  rerank(query: string, texts: readonly string[], options: { readonly signal: AbortSignal }): Promise<number[]>
  close(): Promise<void>
}
