import { createHash } from 'node:crypto'
import { type Embedder, type EmbeddingModel, identityOf } from '@cairn/domain/ports/embedder'

/** In addition to the vector: the key and the overhead of the map. */
const bytesPerEntry = 200

const keyOf = (model: EmbeddingModel, text: string): string =>
  createHash('sha256')
    .update(JSON.stringify([identityOf(model), text]))
    .digest('base64')

/** Some thousand vectors. */
const defaultMaxBytes = 32 * 1024 * 1024

/** Caches vectors until they are written, by model and text. Above `maxBytes` the oldest are computed again. */
export const keptVectors = (maxBytes = defaultMaxBytes) => {
  const kept = new Map<string, Float32Array>()
  let bytes = 0
  const drop = (key: string): void => {
    const vector = kept.get(key)
    if (!vector) return
    kept.delete(key)
    bytes -= vector.byteLength + bytesPerEntry
  }
  return {
    get: (model: EmbeddingModel, text: string): Float32Array | undefined => kept.get(keyOf(model, text)),
    put: (model: EmbeddingModel, text: string, vector: Float32Array): void => {
      const key = keyOf(model, text)
      drop(key)
      kept.set(key, vector)
      bytes += vector.byteLength + bytesPerEntry
      for (const oldest of kept.keys()) {
        if (bytes <= maxBytes) break
        drop(oldest)
      }
    },
    forget: (model: EmbeddingModel, texts: readonly string[]): void => {
      for (const text of texts) drop(keyOf(model, text))
    },
    bytes: (): number => bytes,
  }
}

export type KeptVectors = ReturnType<typeof keptVectors>

/** Requires that the vectors were written. */
export const dropVectors = (
  kept: KeptVectors,
  { model }: Pick<Embedder, 'model'>,
  entries: readonly { readonly passages: readonly { readonly text: string }[] }[],
): void =>
  kept.forget(
    model,
    entries.flatMap(({ passages }) => passages.map(({ text }) => text)),
  )
