import type { Embedder, EmbeddingModel } from '@cairn/domain/ports/embedder'

/**
 * Creates an embedder that opens on first use, because a second model takes as much memory as the first. Reading its
 * status also opens it, because work waits until the status is `ready`.
 */
export const lazyEmbedder = (
  model: EmbeddingModel,
  { maxTokens, relevantFrom, reads }: Pick<Embedder, 'maxTokens' | 'relevantFrom' | 'reads'>,
  open: () => Embedder,
): Embedder => {
  let opened: Embedder | undefined
  const use = (): Embedder => {
    opened ??= open()
    return opened
  }
  return {
    model,
    maxTokens,
    ...(relevantFrom === undefined ? {} : { relevantFrom }),
    ...(reads && { reads }),
    concurrency: 4,
    isIdle: () => opened === undefined,
    status: () => use().status(),
    check: () => use().check(),
    settled: () => use().settled(),
    tokens: (texts) => use().tokens(texts),
    embed: (texts, options) => use().embed(texts, options),
    close: async () => {
      await opened?.close()
    },
  }
}
