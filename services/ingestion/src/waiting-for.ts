import type { Embedder, EmbeddingModel } from '@cairn/domain/ports/embedder'

/** Returns a text for users. */
export const waitingFor = (embedder: Embedder | undefined, embedding: EmbeddingModel | null): string => {
  if (!embedder) return `the model ${embedding?.model ?? ''} is not configured here`
  const status = embedder.status()
  return status.state === 'ready' ? 'the model has just become ready' : `the model is ${status.state}: ${status.detail}`
}
