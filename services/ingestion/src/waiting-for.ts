import type { Embedder } from '@cairn/ports/embedder/port'

/** Returns why a job waits for a model, for people. */
export const waitingFor = (embedder: Embedder | undefined, model: string | undefined): string => {
  if (!embedder) return `the model ${model ?? ''} is not configured here`
  const status = embedder.status()
  return status.state === 'ready' ? 'the model has just become ready' : `the model is ${status.state}: ${status.detail}`
}
