import type { Embedder, EmbeddingModel } from '@cairn/domain/ports/embedder'

/** Returns the reason why a job waits for a model, as text for users. */
export const waitingFor = (embedder: Embedder | undefined, embedding: EmbeddingModel | null): string => {
  if (!embedder && embedding?.provider === 'local' && embedding.weights === undefined)
    return `the file of the model ${embedding.model} that version 0.1 used is not here: set CAIRN_FORMER_MODEL_DIR, or re-embed the namespace`
  if (!embedder) return `the model ${embedding?.model ?? ''} is not configured here`
  const status = embedder.status()
  return status.state === 'ready' ? 'the model has just become ready' : `the model is ${status.state}: ${status.detail}`
}
