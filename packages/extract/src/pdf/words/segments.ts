import type { Frame } from '../characters/page.ts'
import { type Word, wordsOf } from './words.ts'

/** Words on one baseline, from left to right, in points of their frame. */
export type Segment = {
  readonly words: readonly Word[]
  readonly x0: number
  readonly x1: number
  readonly y: number
  /** The largest font's. */
  readonly size: number
}

/** Font sizes. A wider gap may separate columns or cells. */
const segmentGap = 1

export const segmentOf = (words: readonly Word[]): Segment => {
  const ordered = words.toSorted((a, b) => a.x0 - b.x0)
  const largest = ordered.reduce((max, word) => (word.style.size > max.style.size ? word : max))
  return {
    words: ordered,
    x0: (ordered[0] as Word).x0,
    x1: Math.max(...ordered.map(({ x1 }) => x1)),
    y: largest.y,
    size: largest.style.size,
  }
}

/** Superscripts and subscripts are on the line of their base text. */
export const onOneLine = (a: Pick<Segment, 'y' | 'size'>, b: Pick<Segment, 'y' | 'size'>): boolean =>
  Math.abs(a.y - b.y) < Math.max(a.size, b.size) * (a.size === b.size ? 0.3 : 0.5)

const gapBetween = (a: Segment, b: Segment): number => Math.max(a.x0, b.x0) - Math.min(a.x1, b.x1)

/** They may not be consecutive in the file, such as single characters in any order. */
const joinNeighbors = (segments: readonly Segment[]): Segment[] => {
  const joined: Segment[] = []
  for (const segment of segments.toSorted((a, b) => a.y - b.y || a.x0 - b.x0)) {
    let own = segment
    for (let index = joined.length - 1; index >= 0; index -= 1) {
      const other = joined[index] as Segment
      if (segment.y - other.y > segment.size * 2) break
      if (!onOneLine(other, own) || gapBetween(other, own) > Math.min(other.size, own.size) * 0.35) continue
      own = segmentOf([...other.words, ...own.words])
      joined.splice(index, 1)
    }
    joined.push(own)
  }
  return joined
}

/** Takes words in file order; returns segments from top to bottom. */
export const segmentsOf = (words: readonly Word[]): Segment[] => {
  const groups: Word[][] = []
  for (const word of words) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    const size = word.style.size
    const gap = last ? Math.max(last.x0, word.x0) - Math.min(last.x1, word.x1) : 0
    const goesOn =
      last &&
      onOneLine({ y: last.y, size: last.style.size }, { y: word.y, size }) &&
      gap < Math.max(last.style.size, size) * segmentGap
    if (group && goesOn) group.push(word)
    else groups.push([word])
  }
  return joinNeighbors(groups.map(segmentOf))
}

/** Leader dots between a label and a value. */
export const isLeader = ({ text }: Word): boolean => /^[.…]{5,}$/.test(text)

/** Font sizes: blanks of justified text are narrower. `numberGap` applies between numbers. */
const cellGap = 1
const numberGap = 0.42
const number = /^(?:[-–—+(]?[\d.,]+[%)]*|\[\d{1,2}\])$/

/** Splits at cell gaps and leader dots, from left to right. */
export const piecesOf = (segments: readonly Segment[]): Segment[] => {
  const pieces: Segment[] = []
  let isLed = false
  for (const word of segments.flatMap(({ words }) => words).sort((a, b) => a.x0 - b.x0)) {
    if (isLeader(word)) {
      isLed = true
      continue
    }
    const last = isLed ? undefined : pieces.at(-1)
    isLed = false
    const areNumbers = number.test(word.text) && number.test(last?.words.at(-1)?.text ?? '')
    if (last && word.x0 - last.x1 < Math.max(last.size, word.style.size) * (areNumbers ? numberGap : cellGap))
      pieces[pieces.length - 1] = segmentOf([...last.words, word])
    else pieces.push(segmentOf([word]))
  }
  return pieces
}

const known = new WeakMap<Frame, readonly Segment[]>()

/** Cached, because the detection of running lines and the layout both need them. */
export const segmentsIn = (frame: Frame): readonly Segment[] => {
  const segments = known.get(frame) ?? segmentsOf(wordsOf(frame))
  known.set(frame, segments)
  return segments
}
