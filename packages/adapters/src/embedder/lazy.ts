import type { Embedder, EmbeddingModel } from '@cairn/domain/ports/embedder'

/** Opens on first use, because models take memory. Reading the status is a use: work waits until it is `ready`. */
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
