/**
 * Judges how well texts answer a query by reading query and text together. Much more accurate than comparing vectors,
 * and much slower, so it gets only the best hits of a search.
 */
export interface Reranker {
  /** The model's name, for answers and logs. */
  readonly model: string
  /**
   * Returns the relevance of each text, from 0 to 1, in the order of the texts; scores on another scale are mapped to
   * this range in a way that keeps their order. At most 100 texts; a text longer than the model's window is judged by
   * its beginning. Throws the signal's reason when it is aborted. AppErrors: `unavailable` while the model is busy,
   * loading, slow or unreachable; `conflict`, with the remedy, when the configured model can't be used.
   */
  rerank(query: string, texts: readonly string[], options: { readonly signal: AbortSignal }): Promise<number[]>
  close(): Promise<void>
}
