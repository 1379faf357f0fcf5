import { createPauses } from '@cairn/contracts/flow/pauses'
import { limits } from '@cairn/contracts/limits'
import { dot, hasText } from '@cairn/contracts/text/sentences'
import type { Embedder } from '../ports/embedder.ts'
import type { TextTurn, TextWorker } from '../ports/text-worker.ts'
import { inCodePoints, type Stretch } from './cut-passages.ts'

/** UTF-16 units; a longer text is cut to the parts closest to the question. */
const wholeLength = 2_000
const stretchLength = 1_500
const stretchesEach = 2

type PassageDeps = {
  readonly lexicalEmbedder: Pick<Embedder, 'embed'>
  readonly textWorker: TextWorker
  readonly turn?: TextTurn
}

/** Fills each stretch with whole sentences; splits a longer one. */
const stretchesOf = async (text: string, { textWorker, turn }: PassageDeps): Promise<Stretch[]> => {
  // One token per UTF-16 unit: texts are split by length here.
  const units = Uint32Array.from({ length: text.length }, (_, index) => index)
  const cut = await textWorker.cut(text, units, { maxTokens: stretchLength, overlapTokens: 0 }, turn)
  return cut
    .map(({ start, end }) => {
      const blanks = text.slice(start, end).search(/\S|$/u)
      return { start: start + blanks, end: start + text.slice(start, end).trimEnd().length }
    })
    .filter(({ start, end }) => hasText(text.slice(start, end)))
}

/** Returns parts in text order; a short text is one part. */
const closestStretches = async (text: string, query: string, deps: PassageDeps): Promise<Stretch[]> => {
  if (text.length <= wholeLength) return [{ start: 0, end: text.length }]
  const stretches = await stretchesOf(text, deps)
  const texts = stretches.map(({ start, end }) => text.slice(start, end).toWellFormed())
  const [towards, ...vectors] = await deps.lexicalEmbedder.embed([query, ...texts], { kind: 'document' })
  const nearness = vectors.map((vector) => (towards ? dot(vector, towards) : 0))
  const best = [...stretches.keys()]
    .sort((a, b) => (nearness[b] ?? 0) - (nearness[a] ?? 0) || a - b)
    .slice(0, stretchesEach)
  return best.sort((a, b) => a - b).map((index) => stretches[index] as Stretch)
}

export type Source<Hit> = Hit & {
  /** Parts of the hit's text that make up `text`: Unicode code points, end exclusive. */
  readonly passages: readonly Stretch[]
}

/** Returns the best hits that a model can read; of a long one, `text` has the parts closest to the question. */
export const passagesOf = async <Hit extends { readonly text: string }>(
  hits: readonly Hit[],
  query: string,
  deps: PassageDeps,
): Promise<Source<Hit>[]> => {
  const pause = createPauses()
  const chosen: Source<Hit>[] = []
  let remaining: number = limits.contextLength
  for (const hit of hits) {
    await pause()
    // Skips, for instance, the empty texts of vectors.
    if (!hasText(hit.text)) continue
    const stretches = await closestStretches(hit.text, query, deps)
    const text = stretches.map(({ start, end }) => hit.text.slice(start, end).toWellFormed()).join('\n…\n')
    if (text.length > remaining) break
    remaining -= text.length
    chosen.push({ ...hit, text, passages: stretches.map((stretch) => inCodePoints(hit.text, stretch)) })
  }
  return chosen
}
