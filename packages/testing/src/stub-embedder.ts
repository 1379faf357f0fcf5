import { AppError } from '@cairn/contracts/errors'
import type { Embedder, EmbedderStatus, EmbeddingModel } from '@cairn/domain/ports/embedder'

export type StubEmbedderOptions = {
  /** Default: the model of the metadata contract's text namespaces. */
  readonly model?: EmbeddingModel
  /** Maximum words of a passage. Default: 16, so that a few sentences are several passages. */
  readonly maxTokens?: number
  readonly status?: () => EmbedderStatus
  /** See `Embedder`. */
  readonly reads?: Embedder['reads']
  /** Runs before each call of `embed` returns. If it throws, the call rejects with that error. */
  readonly onEmbed?: (texts: readonly string[], signal: AbortSignal | undefined) => Promise<void> | void
}

const hash = (word: string): number => {
  let value = 2_166_136_261
  for (let index = 0; index < word.length; index += 1) value = Math.imul(value ^ word.charCodeAt(index), 16_777_619)
  return value >>> 0
}

/**
 * Returns a vector of unit length that counts each word in a component chosen by the word's hash. For a text without
 * words, only the first component is not 0.
 */
const vectorOf = (text: string, dimension: number): Float32Array => {
  const vector = new Float32Array(dimension)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const place = hash(word) % dimension
    vector[place] = (vector[place] ?? 0) + 1
  }
  if (vector.every((value) => value === 0)) vector[0] = 1
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

/**
 * Creates a tiny deterministic embedder that can be slow, unavailable or failing, because real embedders are external
 * systems. `embedded` lists every text requested while the status is not `loading`, in order, whether or not it was
 * answered.
 */
export const stubEmbedder = (options: StubEmbedderOptions = {}): Embedder & { readonly embedded: string[] } => {
  const { model = { provider: 'lexical', model: 'words', dimension: 256 }, maxTokens = 16, onEmbed } = options
  const { status = () => ({ state: 'ready' }) } = options
  const embedded: string[] = []
  return {
    embedded,
    model,
    maxTokens,
    ...(options.reads && { reads: options.reads }),
    concurrency: 1,
    status,
    check: async () => status(),
    settled: async () => {},
    tokens: async (texts) =>
      texts.map((text) => Uint32Array.from([...text.matchAll(/\S+/g)].map(({ index }) => index))),
    embed: async (texts, { signal }) => {
      if (status().state === 'loading') throw new AppError('unavailable', 'the model is loading')
      embedded.push(...texts)
      await onEmbed?.(texts, signal)
      return texts.map((text) => vectorOf(text, model.dimension))
    },
    close: async () => {},
  }
}
