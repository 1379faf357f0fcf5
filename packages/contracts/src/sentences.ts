import { codePointLength } from './text.ts'

/** A sentence, or a line, that may be said for the texts it was taken from. `order`: where it stands in them. */
export type Candidate = { readonly text: string; readonly order: number }

/** UTF-16 units of a sentence; longer ones say too many things at once. */
export const longestSentence = 400

const ended = /[.!?…。！？؟۔।][\p{Pe}\p{Pf}"'”’»]*$/u
/** What Markdown puts before an item or a quote. */
const mark = /^(?:(?:[-*+>]|\d{1,3}[.)])\s+)+/

export const isSayable = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** At most so many code points, the last of which then says that something is missing. */
export const clip = (text: string, max: number): string => {
  const points = Array.from(text)
  return points.length <= max
    ? text
    : `${points
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
}

/** What reads as a sentence by itself: not a heading, not a line of a table. Scripts without blanks say more in fewer characters. */
export const isSentence = (text: string): boolean => {
  const length = codePointLength(text)
  const dense = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u.test(text)
  return ended.test(text) && !text.startsWith('|') && length >= (dense ? 8 : 25) && length <= longestSentence
}

/** At most `most`, evenly from all texts, so that a long one does not crowd out the others; what is said twice counts once. */
export const candidatesOf = (
  texts: readonly string[],
  most: number,
  accept: (text: string) => boolean,
): Candidate[] => {
  const segmenter = new Intl.Segmenter('und', { granularity: 'sentence' })
  const each = Math.max(1, Math.floor(most / texts.length))
  const seen = new Set<string>()
  return texts.flatMap((text, number) => {
    const found: Candidate[] = []
    for (const { segment, index } of segmenter.segment(text)) {
      if (found.length === each) break
      const sentence = segment.replace(/\s+/gu, ' ').trim().replace(mark, '')
      if (seen.has(sentence) || !accept(sentence)) continue
      seen.add(sentence)
      found.push({ text: sentence, order: number * 1_000_000 + index })
    }
    return found
  })
}

/** Of vectors of unit length: their cosine. A plain loop: some hundred thousand of them for each file of a few megabytes. */
export const dot = (left: Float32Array, right: Float32Array): number => {
  let sum = 0
  for (let at = 0; at < left.length; at += 1) sum += (left[at] as number) * (right[at] as number)
  return sum
}

export type Pick = {
  readonly candidates: readonly Candidate[]
  /** Of unit length, one for each candidate. */
  readonly vectors: readonly Float32Array[]
  /** What they are to be near to. */
  readonly towards: Float32Array
  readonly sentences: number
  /** Code points of all that are picked, with a blank between them. */
  readonly characters: number
  /** 0 to 1: how much nearness counts against likeness to what is already said. */
  readonly nearness: number
}

/** Each time the one that is near and unlike the ones before (maximal marginal relevance); the earlier of equals. In reading order. */
export const pickSentences = ({ candidates, vectors, towards, sentences, characters, nearness }: Pick): Candidate[] => {
  const near = vectors.map((vector) => dot(vector, towards))
  const lengths = candidates.map(({ text }) => codePointLength(text))
  const likeness = near.map(() => 0)
  const open = new Set(candidates.keys())
  const picked: Candidate[] = []
  let room = characters
  while (picked.length < sentences) {
    let best = -1
    let bestScore = Number.NEGATIVE_INFINITY
    for (const at of open) {
      const cost = (lengths[at] as number) + (picked.length > 0 ? 1 : 0)
      if (cost > room) continue
      const score = nearness * (near[at] as number) - (1 - nearness) * (likeness[at] as number)
      // A difference of rounding must not decide: vectors may come from machines that add up in another order.
      if (score > bestScore + 1e-9) [best, bestScore] = [at, score]
    }
    if (best === -1) break
    const chosen = candidates[best] as Candidate
    open.delete(best)
    room -= (lengths[best] as number) + (picked.length > 0 ? 1 : 0)
    picked.push(chosen)
    for (const at of open) {
      likeness[at] = Math.max(likeness[at] as number, dot(vectors[at] as Float32Array, vectors[best] as Float32Array))
    }
  }
  return picked.toSorted((left, right) => left.order - right.order)
}
