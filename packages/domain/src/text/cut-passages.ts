import { sentencesOf } from '@cairn/contracts/text/sentence-ends'
import { codePointLength } from '@cairn/contracts/text/text'
import { lowerBound } from './lower-bound.ts'
import { isWithinWord, wordBorder } from './word-border.ts'

/** UTF-16 offsets into the document's text. */
export type Stretch = { readonly start: number; readonly end: number }

export type CutOptions = {
  readonly maxTokens: number
  /** Repeated from the end of the previous passage, in whole sentences. */
  readonly overlapTokens: number
}

/** Unicode's rules also end a sentence within an identifier such as `1.A`. */
function* wholeSentences(text: string): Generator<Stretch> {
  let start = 0
  for (const { index, segment } of sentencesOf(text)) {
    const end = index + segment.length
    if (isWithinWord(text, end)) continue
    yield { start, end }
    start = end
  }
}

type Piece = Stretch & { readonly size: number }

/**
 * Splits a sentence too long for a passage between words, and a too long word within: its part before a cut ends with a
 * piece that the next passage repeats.
 */
const pieces = (text: string, tokens: Uint32Array, { maxTokens, overlapTokens }: CutOptions): Piece[] => {
  const found: Piece[] = []
  for (const sentence of wholeSentences(text)) {
    const last = lowerBound(tokens, sentence.end)
    let { start } = sentence
    /** 1 if a cut left the end of a token at `start`. */
    let partial = 0
    let first = lowerBound(tokens, start)
    /** Tokens of the repeated piece. */
    let repeated = 0
    const add = (end: number) => {
      const next = lowerBound(tokens, end)
      const size = next - first + partial
      found.push({ start, end, size })
      partial = tokens[next] === end || /\s/.test(text.charAt(end - 1)) ? 0 : 1
      start = end
      first = next
      return size
    }
    while (last - first + partial > maxTokens - repeated) {
      const end = wordBorder(text, start, tokens[first + Math.max(1, maxTokens - repeated - partial)] as number)
      const tail = lowerBound(tokens, end) - overlapTokens + 1
      const canRepeat =
        isWithinWord(text, end) && overlapTokens > 1 && tail > first + 1 && overlapTokens < maxTokens / 2
      if (canRepeat) add(wordBorder(text, start, tokens[tail] as number))
      const size = add(end)
      repeated = canRepeat && size <= overlapTokens ? size : 0
    }
    add(sentence.end)
  }
  return found
}

/** Converts UTF-16 units to Unicode code points. */
export const inCodePoints = (text: string, { start, end }: Stretch): Stretch => {
  const before = codePointLength(text.slice(0, start))
  return { start: before, end: before + codePointLength(text.slice(start, end)) }
}

const overlapShare = 0.125

export const windowOf = ({ maxTokens }: { readonly maxTokens: number }): CutOptions => ({
  maxTokens,
  overlapTokens: Math.floor(maxTokens * overlapShare),
})

/**
 * Cuts a text at sentence boundaries, else between words, else within a word. Adjacent passages overlap by whole
 * sentences if short enough. `tokens`: offsets at which the embedder's tokens start. Every token is in at least one
 * passage.
 */
export const cutPassages = (text: string, tokens: Uint32Array, { maxTokens, overlapTokens }: CutOptions): Stretch[] => {
  if (tokens.length <= maxTokens) return [{ start: 0, end: text.length }]
  const parts = pieces(text, tokens, { maxTokens, overlapTokens })
  const sizes = parts.map(({ size }) => size)
  const passages: Stretch[] = []
  for (let first = 0; first < parts.length; ) {
    let next = first
    let filled = 0
    while (next < parts.length && filled + (sizes[next] as number) <= maxTokens) {
      filled += sizes[next] as number
      next += 1
    }
    passages.push({ start: (parts[first] as Stretch).start, end: (parts[next - 1] as Stretch).end })
    if (next === parts.length) break
    let back = next
    let overlap = 0
    while (back - 1 > first && overlap + (sizes[back - 1] as number) <= overlapTokens) {
      back -= 1
      overlap += sizes[back] as number
    }
    // Room must remain for new text, or the next passage would only repeat this one.
    first = overlap + (sizes[next] as number) <= maxTokens ? back : next
  }
  return passages.filter(({ start, end }) => text.slice(start, end).trim() !== '')
}
