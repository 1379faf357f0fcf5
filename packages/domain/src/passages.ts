import { limits } from '@cairn/contracts/limits'
import { dot } from '@cairn/contracts/sentences'
import type { Embedder } from '@cairn/ports/embedder/port'
import { cutPassages } from './cut-passages.ts'

/** UTF-16 units. A text up to this length is returned whole; of a longer one, the parts closest to the question. */
const wholeLength = 2_000
const stretchLength = 1_500
const stretchesEach = 2

/** Splits into whole sentences, as many as fit. A sentence too long by itself is split. */
const stretchesOf = (text: string): string[] => {
  // One token per UTF-16 unit: here texts are split by length.
  const units = Uint32Array.from({ length: text.length }, (_, at) => at)
  return cutPassages(text, units, { maxTokens: stretchLength, overlapTokens: 0 })
    .map(({ start, end }) => text.slice(start, end).trim().toWellFormed())
    .filter((stretch) => /[\p{L}\p{N}]/u.test(stretch))
}

const excerpt = async (text: string, query: string, lexicalEmbedder: Pick<Embedder, 'embed'>): Promise<string> => {
  if (text.length <= wholeLength) return text
  const stretches = stretchesOf(text)
  const [towards, ...vectors] = await lexicalEmbedder.embed([query, ...stretches], { kind: 'document' })
  const nearness = vectors.map((vector) => (towards ? dot(vector, towards) : 0))
  const best = [...stretches.keys()]
    .sort((a, b) => (nearness[b] ?? 0) - (nearness[a] ?? 0) || a - b)
    .slice(0, stretchesEach)
  return best
    .sort((a, b) => a - b)
    .map((at) => stretches[at])
    .join('\n…\n')
}

/** Returns the hits from which an answer is drawn: the best ones, up to what a model can read, each with its text. */
export const passagesOf = async <Hit extends { readonly text: string }>(
  hits: readonly Hit[],
  query: string,
  lexicalEmbedder: Pick<Embedder, 'embed'>,
): Promise<Hit[]> => {
  const chosen: Hit[] = []
  let remaining: number = limits.contextLength
  for (const hit of hits) {
    // A hit of a vector namespace, or a text without letters and digits.
    if (!/[\p{L}\p{N}]/u.test(hit.text)) continue
    const text = await excerpt(hit.text, query, lexicalEmbedder)
    if (text.length > remaining) break
    remaining -= text.length
    chosen.push({ ...hit, text })
  }
  return chosen
}
