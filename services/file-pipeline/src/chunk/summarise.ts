import { slices } from '@cairn/contracts/flow/slices'
import {
  candidatesOf,
  clip,
  hasText,
  isSentence,
  maxSentenceLength,
  pickSentences,
} from '@cairn/contracts/text/sentences'
import type { Embedder } from '@cairn/domain/ports/embedder'

export type SummarySource = { readonly text: string; readonly heading: string }

/**
 * Summarizes at most 100 chunks, given in reading order, in 1 to 1,000 code points and in the chunks' languages. The
 * same chunks yield the same text if the implementation can guarantee it. A rejected call may be retried.
 */
export type Summariser = (chunks: readonly SummarySource[]) => Promise<string>

/** Code points. */
const maxCharacters = 1_000
/** Comparing more sentences costs more than it improves the result. */
const maxCandidates = 240
/** Sentences per call of the embedder. */
const batchSize = 64
const nearness = 0.6
/** Chunks, evenly spaced, that determine the center. More hardly move it, and embedding them is most of the work. */
const maxCentral = 32

const centreOf = (vectors: readonly Float32Array[]): Float32Array => {
  const sum = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors)
    for (let index = 0; index < sum.length; index += 1) sum[index] = (sum[index] as number) + (vector[index] as number)
  const length = Math.hypot(...sum)
  return length === 0 ? sum : sum.map((value) => value / length)
}

const evenly = <T>(all: readonly T[], max: number): readonly T[] =>
  all.length <= max ? all : Array.from({ length: max }, (_, index) => all[Math.floor((index * all.length) / max)] as T)

/**
 * Selects sentences near the center of the chunks and unlike each other, in reading order; text without sentences
 * (tables, lists) is summarized by its lines. A cheap embedder suffices; a model would have to process the whole file
 * again.
 */
export const extractiveSummariser = (embedder: Pick<Embedder, 'embed'>, maxSentences = 5): Summariser => {
  const embedAll = async (texts: readonly string[]): Promise<Float32Array[]> => {
    const vectors: Float32Array[] = []
    for (const some of slices(texts, batchSize)) vectors.push(...(await embedder.embed(some, { kind: 'document' })))
    return vectors
  }
  return async (chunks) => {
    const telling = chunks.filter(({ text }) => hasText(text))
    const texts = telling.map(({ text }) => text)
    const [first] = texts
    if (first === undefined) return clip(chunks.map(({ text }) => text.trim()).join(' '), maxCharacters)
    const sentences = await candidatesOf(texts, maxCandidates, isSentence)
    const titles = new Set(telling.flatMap(({ heading }) => heading.split(' > ')))
    const isLine = (text: string) => hasText(text) && text.length <= maxSentenceLength && !titles.has(text)
    const candidates = sentences.length > 0 ? sentences : await candidatesOf(texts, maxCandidates, isLine)
    const [candidate] = candidates
    if (!candidate) return clip(first.replace(/\s+/gu, ' ').trim(), maxCharacters)
    const towards = centreOf(await embedAll(evenly(texts, maxCentral)))
    const vectors = await embedAll(candidates.map(({ text }) => text))
    const picked = pickSentences({
      candidates,
      vectors,
      towards,
      sentences: maxSentences,
      characters: maxCharacters,
      nearness,
    })
    return picked.length === 0 ? clip(candidate.text, maxCharacters) : picked.map(({ text }) => text).join(' ')
  }
}
