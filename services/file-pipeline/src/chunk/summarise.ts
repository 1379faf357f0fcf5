import type { Summariser, SummarySource } from './summariser.ts'

export type ExtractiveOptions = {
  /** Vectors of unit length, in the order of the texts, all from one model. */
  readonly embed: (texts: readonly string[]) => Promise<readonly Float32Array[]>
  /** Default 5. */
  readonly maxSentences?: number
  /** Code points. Default 1,000. */
  readonly maxCharacters?: number
}

/** Sentences that are compared: more would cost more than they tell. */
const maxCandidates = 240
/** Sentences handed over at once. */
const batchSize = 64
/** Chunks, evenly from all, whose centre stands for that of all of them: it hardly moves with more, and reading them is most of the work. */
const maxCentral = 32
const longest = 400
/** How much nearness to the centre counts against likeness to what is already said. */
const nearness = 0.6

type Candidate = { readonly text: string; readonly order: number }

const sayable = /[\p{L}\p{N}]/u
const ended = /[.!?…。！？؟۔।][\p{Pe}\p{Pf}"'”’»]*$/u
/** What Markdown puts before an item or a quote. */
const mark = /^(?:(?:[-*+>]|\d{1,3}[.)])\s+)+/
const lengthOf = (text: string): number => Array.from(text).length

const clip = (text: string, max: number): string => {
  const points = Array.from(text)
  return points.length <= max
    ? text
    : `${points
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
}

/** What reads as a sentence by itself: not a heading, not a line of a table. Scripts without blanks say more in fewer characters. */
const isSentence = (text: string): boolean => {
  const length = lengthOf(text)
  const dense = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u.test(text)
  return ended.test(text) && !text.startsWith('|') && length >= (dense ? 8 : 25) && length <= longest
}

/** Evenly from all chunks, so that a long one does not crowd out the others; what is said twice counts once. */
const candidatesOf = (chunks: readonly SummarySource[], accept: (text: string) => boolean): Candidate[] => {
  const segmenter = new Intl.Segmenter('und', { granularity: 'sentence' })
  const each = Math.max(1, Math.floor(maxCandidates / chunks.length))
  const seen = new Set<string>()
  return chunks.flatMap(({ text }, chunk) => {
    const found: Candidate[] = []
    for (const { segment, index } of segmenter.segment(text)) {
      if (found.length === each) break
      const sentence = segment.replace(/\s+/gu, ' ').trim().replace(mark, '')
      if (seen.has(sentence) || !accept(sentence)) continue
      seen.add(sentence)
      found.push({ text: sentence, order: chunk * 1_000_000 + index })
    }
    return found
  })
}

/** A plain loop: some hundred thousand of them for each file of a few megabytes. */
const dot = (left: Float32Array, right: Float32Array): number => {
  let sum = 0
  for (let at = 0; at < left.length; at += 1) sum += (left[at] as number) * (right[at] as number)
  return sum
}

const centreOf = (vectors: readonly Float32Array[]): Float32Array => {
  const sum = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] as number) + (vector[at] as number)
  const length = Math.hypot(...sum)
  return length === 0 ? sum : sum.map((value) => value / length)
}

const evenly = <T>(all: readonly T[], most: number): readonly T[] =>
  all.length <= most ? all : Array.from({ length: most }, (_, index) => all[Math.floor((index * all.length) / most)] as T)

/** Each time the one that is near the centre and unlike the ones before (maximal marginal relevance); the earlier of equals. */
const pickDiverse = (
  candidates: readonly Candidate[],
  vectors: readonly Float32Array[],
  centre: Float32Array,
  limits: { readonly sentences: number; readonly characters: number },
): Candidate[] => {
  const near = vectors.map((vector) => dot(vector, centre))
  const likeness = near.map(() => 0)
  const open = new Set(candidates.keys())
  const picked: Candidate[] = []
  let room = limits.characters
  while (picked.length < limits.sentences) {
    let best = -1
    let bestScore = Number.NEGATIVE_INFINITY
    for (const at of open) {
      const cost = lengthOf((candidates[at] as Candidate).text) + (picked.length > 0 ? 1 : 0)
      if (cost > room) continue
      const score = nearness * (near[at] as number) - (1 - nearness) * (likeness[at] as number)
      // A difference of rounding must not decide: vectors may come from machines that add up in another order.
      if (score > bestScore + 1e-9) [best, bestScore] = [at, score]
    }
    if (best === -1) break
    const chosen = candidates[best] as Candidate
    open.delete(best)
    room -= lengthOf(chosen.text) + (picked.length > 0 ? 1 : 0)
    picked.push(chosen)
    for (const at of open) {
      likeness[at] = Math.max(likeness[at] as number, dot(vectors[at] as Float32Array, vectors[best] as Float32Array))
    }
  }
  return picked
}

/**
 * Says what chunks are about in their own sentences: those nearest the centre of the chunks, unlike each other, in reading order.
 * Text without sentences (tables, lists) is summed up by its lines. Makes nothing up and needs no language model.
 */
export const extractiveSummariser = ({ embed, maxSentences = 5, maxCharacters = 1_000 }: ExtractiveOptions): Summariser => {
  const embedAll = async (texts: readonly string[]): Promise<Float32Array[]> => {
    const vectors: Float32Array[] = []
    for (let from = 0; from < texts.length; from += batchSize) vectors.push(...(await embed(texts.slice(from, from + batchSize))))
    return vectors
  }
  return async (chunks) => {
    const telling = chunks.filter(({ text }) => sayable.test(text))
    const [first] = telling
    if (!first) return clip(chunks.map(({ text }) => text.trim()).join(' '), maxCharacters)
    const sentences = candidatesOf(telling, isSentence)
    const titles = new Set(telling.flatMap(({ heading }) => heading.split(' > ')))
    const lines = () => candidatesOf(telling, (text) => sayable.test(text) && text.length <= longest && !titles.has(text))
    const candidates = sentences.length > 0 ? sentences : lines()
    if (candidates.length === 0) return clip(first.text.replace(/\s+/gu, ' ').trim(), maxCharacters)
    const centre = centreOf(await embedAll(evenly(telling, maxCentral).map(({ text }) => text)))
    const vectors = await embedAll(candidates.map(({ text }) => text))
    const picked = pickDiverse(candidates, vectors, centre, { sentences: maxSentences, characters: maxCharacters })
    if (picked.length === 0) return clip((candidates[0] as Candidate).text, maxCharacters)
    return picked
      .toSorted((left, right) => left.order - right.order)
      .map(({ text }) => text)
      .join(' ')
  }
}
