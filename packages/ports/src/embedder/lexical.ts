import { setImmediate as turn } from 'node:timers/promises'
import { AppError } from '@cairn/contracts/errors'
import { hashedVector } from './lexical/features.ts'
import { countWords, tokenStarts, weightOf } from './lexical/words.ts'
import type { Embedder } from './port.ts'

/** Four words of a text, searched among 1,000 texts: mean reciprocal rank 0.72 with 384 dimensions, 0.81 with 768, 0.82 with 1,024. */
const dimension = 768
const maxTokens = 256
/** About 5 ms of work: then other things get their turn. */
const charactersPerTurn = 24 * 1024

/**
 * Search by words, made to look like search by meaning: it knows no meaning. A text becomes its words and their runs of 3 to 5
 * characters, each hashed to a place and a sign; texts are alike when they share words, parts of words or misspelt words, and a
 * question in other words finds nothing. Without the statistics of a collection it can't know which words are rare, so it trusts
 * long words more than short ones (in most languages the ones that say little are short) and repeats little.
 *
 * It needs no model, is always `ready`, and gives the same vector for the same text on every machine. `model` carries a number:
 * whoever changes how vectors are made raises it, since they can't be compared with the ones already stored.
 * A text of blanks and control characters only is `invalid`.
 */
export const lexicalEmbedder = (): Embedder => {
  let closed = false

  /** Goes through the texts, giving way to others in between. */
  const each = async <T>(
    texts: readonly string[],
    work: (text: string, index: number) => T,
    signal?: AbortSignal,
  ): Promise<T[]> => {
    const results: T[] = []
    let characters = 0
    for (const [index, text] of texts.entries()) {
      signal?.throwIfAborted()
      if (closed) throw new AppError('unavailable', 'The embedder is closed')
      results.push(work(text, index))
      characters += text.length
      if (characters < charactersPerTurn) continue
      characters = 0
      await turn()
    }
    return results
  }

  return {
    model: { provider: 'lexical', model: 'hashed-words-1', dimension },
    maxTokens,
    concurrency: 16,
    status: () => ({ state: 'ready' }),
    check: async () => ({ state: 'ready' }),
    settled: async () => {},
    tokens: (texts) => each(texts, tokenStarts),
    embed: (texts, { signal }) =>
      each(
        texts,
        (text, index) => {
          const vector = embedText(text)
          if (vector === undefined)
            throw new AppError('invalid', `Text ${index + 1} of ${texts.length} has no searchable tokens`)
          return vector
        },
        signal,
      ),
    close: async () => {
      closed = true
    },
  }
}

/** What is said often says little more. */
const weighted = (counts: ReadonlyMap<string, number>): Iterable<readonly [string, number]> =>
  counts.entries().map(([word, count]) => [word, weightOf(word) * (1 + 0.3 * Math.log(count))] as const)

const embedText = (text: string): Float32Array<ArrayBuffer> | undefined =>
  hashedVector(weighted(countWords(text, maxTokens)), dimension)
