import { AppError } from '@cairn/contracts/errors'
import type { Embedder } from '@cairn/domain/ports/embedder'

export const dimension = 8
/** Small, so that a text of a few words has several passages. */
const maxTokens = 6

/** A text with this word can't be embedded. */
export const refusedWord = 'unspeakable'
/** A text with this word can be embedded by some processes only. */
export const debatableWord = 'debatable'
/** A text with this word makes the model fail now and then. */
export const breakingWord = 'explosive'

/** Returns a vector that is determined by the text and differs between texts. */
export const vectorOf = (text: string): Float32Array => {
  const values = new Float32Array(dimension)
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  let length = 0
  for (let index = 0; index < dimension; index += 1) {
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) + 0x9e3779b9
    hash ^= hash >>> 13
    values[index] = (hash >>> 0) / 0x8000_0000 - 1
    length += (values[index] as number) ** 2
  }
  return values.map((value) => value / Math.sqrt(length))
}

/**
 * Creates a quick, deterministic embedder without a real model, which fails for certain words. `step` is awaited before
 * each call.
 */
export const simulatedEmbedder = (
  step: (label: string) => Promise<void>,
  mood: { readonly strict: boolean; fails(): boolean },
): Embedder => ({
  model: { provider: 'lexical', model: 'simulated', dimension },
  maxTokens,
  concurrency: 1,
  status: () => ({ state: 'ready' }),
  check: async () => ({ state: 'ready' }),
  settled: async () => undefined,
  tokens: async (texts) => texts.map((text) => Uint32Array.from(text.matchAll(/\S+/g), ({ index }) => index)),
  embed: async (texts) => {
    await step('embed')
    const has = (word: string) => texts.some((text) => text.includes(word))
    if (has(refusedWord) || (has(debatableWord) && mood.strict))
      throw new AppError('invalid', 'this text is not embedded')
    if (has(breakingWord) && mood.fails()) throw new Error('the model broke down')
    return texts.map(vectorOf)
  },
  close: async () => undefined,
})
