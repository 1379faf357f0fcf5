import { createPauses } from '../flow/pauses.ts'
import { sentencesOf } from './sentence-ends.ts'
import { codePointLength } from './text.ts'

/** `order`: position among all candidates of its texts. */
export type Candidate = { readonly text: string; readonly order: number }

/** UTF-16 units; a longer sentence has too many subjects. */
export const maxSentenceLength = 400

const ended = /[.!?…。！？؟۔।][\p{Pe}\p{Pf}"'”’»]*$/u
/** Marks before an item or a quote, and closing emphasis, which the segmenter leaves to the next sentence. */
const mark = /^(?:(?:\*{1,3}|_{1,3}|[-+>]|\d{1,3}[.)])\s+)+/

export const hasText = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** Truncates to `max` code points, the last one an ellipsis. */
export const clip = (text: string, max: number): string => {
  const points = Array.from(text)
  return points.length <= max
    ? text
    : `${points
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
}

/** Excludes headings and lines of tables. Scripts without spaces need fewer characters. */
export const isSentence = (text: string): boolean => {
  const length = codePointLength(text)
  const dense = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u.test(text)
  return ended.test(text) && !text.startsWith('|') && length >= (dense ? 8 : 25) && length <= maxSentenceLength
}

/** Begins with a key of structured data (`paths./admin/v1/keys.summary: …`) or of metadata (`title: …`). */
const keyed = /^(?:[\w$@/[\]{}-]*[./[\]{}_$@][\w$@/[\]{}.-]*|[a-z]\w*):\s/
const code =
  /^(?:```|~~~|[{}<>()[\];=|/\\$]|(?:import|export|const|let|var|function|class|def|return|if|for|while) .*[;{(]$)|[;{]$|=>|<\/\w+>/
const heading = /^(?:#{1,6}\s|=+$|-+$)/

/** Excludes headings, paths, code, and lines of metadata or structured data. */
export const isProse = (text: string): boolean => {
  if (heading.test(text) || keyed.test(text) || code.test(text)) return false
  const signs = text.replace(/[\p{L}\p{N}\p{M}\s]/gu, '').length
  const isPath = /^\S*[/\\]\S*$/.test(text)
  return !isPath && signs <= text.length / 4
}

/** Never joined with others: headings, table rows, fences, rules. */
const blockLine = /^\s*(?:[#|]|```|~~~|[-=_*]{3})/
/** Quotes and list items may continue in the next line. */
const itemStart = /^\s*(?:>|[-*+•]\s|\d{1,3}[.)]\s)/
/** UTF-16 units. Paragraphs of shorter lines are lists, longer lines are not wrapped by hand. */
const widths = { min: 40, max: 200 } as const

/** Whether a line continues in `next`. `width`: the paragraph's longest line. */
const isWrapped = (line: string, next: string, width: number): boolean => {
  const beginning = next.slice(0, widths.max).trimStart()
  if (line.length > widths.max || blockLine.test(line)) return false
  if (blockLine.test(beginning) || itemStart.test(beginning)) return false
  if (/^\p{Ll}/u.test(beginning)) return true
  const [word = ''] = /^\S+/.exec(beginning) ?? []
  const isFull = width >= widths.min && line.trimEnd().length + 1 + word.length > width
  // `Region: North` or a date are data, not prose.
  return isFull && /^\p{L}/u.test(word) && !/^[^.:]{1,40}:\s/.test(beginning)
}

/** Joins hand-wrapped lines: the segmenter ends a sentence at every line end. */
const joinWrapped = (text: string): string => {
  const lines = text.split('\n')
  let joined = ''
  for (let from = 0, to = 0; from < lines.length; from = to) {
    let width = 0
    for (to = from; to < lines.length && (to === from || lines[to]?.trim() !== ''); to += 1)
      width = Math.max(width, lines[to]?.trimEnd().length ?? 0)
    for (let index = from; index < to; index += 1) {
      const line = lines[index] as string
      const next = lines[index + 1]
      const end = next === undefined ? '' : index + 1 < to && isWrapped(line, next, width) ? ' ' : '\n'
      joined += line + end
    }
  }
  return joined
}

const textsApart = 1_000_000

/** Returns up to `max` distinct candidates, equally many of each text (at least one): long texts crowd out none. */
export const candidatesOf = async (
  texts: readonly string[],
  max: number,
  accept: (text: string) => boolean,
): Promise<Candidate[]> => {
  const pause = createPauses()
  const each = Math.max(1, Math.floor(max / texts.length))
  const seen = new Set<string>()
  const candidates: Candidate[] = []
  for (const [number, text] of texts.entries()) {
    await pause()
    const enough = candidates.length + each
    for (const { segment, index } of sentencesOf(joinWrapped(text))) {
      if (candidates.length === enough) break
      await pause()
      const sentence = segment.replace(/\s+/gu, ' ').trim().replace(mark, '')
      if (seen.has(sentence) || !accept(sentence)) continue
      seen.add(sentence)
      candidates.push({ text: sentence, order: number * textsApart + index })
    }
  }
  return candidates
}

/** Returns the cosine of unit vectors. A plain loop: a file of a few megabytes needs some hundred thousand calls. */
export const dot = (left: Float32Array, right: Float32Array): number => {
  let sum = 0
  for (let index = 0; index < left.length; index += 1) sum += (left[index] as number) * (right[index] as number)
  return sum
}

export type Pick = {
  readonly candidates: readonly Candidate[]
  /** Unit length, one per candidate. */
  readonly vectors: readonly Float32Array[]
  /** The picked sentences should be close to it. */
  readonly towards: Float32Array
  readonly sentences: number
  /** Code points of all picked sentences, with a blank between them. */
  readonly characters: number
  /** 0 to 1: similarity to `towards` against that to sentences already picked. */
  readonly nearness: number
}

/**
 * Picks by maximal marginal relevance: similar to `towards`, but not to sentences already picked; among equals, the
 * earlier one. Returns reading order.
 */
export const pickSentences = ({ candidates, vectors, towards, sentences, characters, nearness }: Pick): Candidate[] => {
  const near = vectors.map((vector) => dot(vector, towards))
  const lengths = candidates.map(({ text }) => codePointLength(text))
  const likeness = near.map(() => 0)
  const open = new Set(candidates.keys())
  const picked: Candidate[] = []
  let remaining = characters
  while (picked.length < sentences) {
    let best = -1
    let bestScore = Number.NEGATIVE_INFINITY
    for (const index of open) {
      const cost = (lengths[index] as number) + (picked.length > 0 ? 1 : 0)
      if (cost > remaining) continue
      const score = nearness * (near[index] as number) - (1 - nearness) * (likeness[index] as number)
      // A rounding difference must not decide: vectors may come from machines that sum in another order.
      if (score > bestScore + 1e-9) [best, bestScore] = [index, score]
    }
    if (best === -1) break
    const chosen = candidates[best] as Candidate
    open.delete(best)
    remaining -= (lengths[best] as number) + (picked.length > 0 ? 1 : 0)
    picked.push(chosen)
    for (const index of open) {
      likeness[index] = Math.max(
        likeness[index] as number,
        dot(vectors[index] as Float32Array, vectors[best] as Float32Array),
      )
    }
  }
  return picked.toSorted((left, right) => left.order - right.order)
}
