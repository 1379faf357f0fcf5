import { inReadingOrder } from '../characters/right-to-left.ts'
import { onOneLine, type Segment, segmentOf } from '../words/segments.ts'

const cjk = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]/

/** Segments of one column on one baseline, from left to right. */
export type Line = Segment & { readonly text: string }

export const lineOf = (segments: readonly Segment[]): Line => {
  const whole = segmentOf(segments.flatMap(({ words }) => words))
  return { ...whole, text: textOf(whole) }
}

export const textOf = ({ words }: Segment): string =>
  inReadingOrder(words)
    .map(({ text }) => text)
    .join(' ')

/** True for the first line of a small header beside a larger label. */
const isAbove = (above: Segment, { x0, x1, y, size }: Segment): boolean =>
  y - above.y > size * 0.3 && Math.min(above.x1, x1) - Math.max(above.x0, x0) > size

export const rowsOf = (segments: readonly Segment[]): Segment[][] => {
  const rows: Segment[][] = []
  for (const segment of segments.toSorted((a, b) => a.y - b.y || a.x0 - b.x0)) {
    const row = rows.at(-1)
    // Adjacent columns may differ slightly in height, so the largest font of the row counts.
    const main = row?.reduce((max, one) => (one.size > max.size ? one : max))
    if (row && main && onOneLine(main, segment) && !row.some((one) => isAbove(one, segment))) row.push(segment)
    else rows.push([segment])
  }
  return rows.map((row) => row.sort((a, b) => a.x0 - b.x0))
}

export const linesOf = (segments: readonly Segment[]): Line[] => rowsOf(segments).map(lineOf)

export const joinedTexts = (above: string, below: string, blank = ' '): string => {
  if (above.endsWith('\u00ad')) return above.slice(0, -1) + below
  // In `light- and heavy-duty`, both hyphens are part of their words.
  if (/\p{L}- \p{L}+ \p{L}+-$/u.test(above)) return above + below
  // Words that always have a hyphen lose it too, but hyphenated words are far more frequent.
  if (/\p{L}[-‐]$/u.test(above) && /^\p{Ll}/u.test(below)) return above.slice(0, -1) + below
  return blank === ' ' && cjk.test(above.slice(-1)) && cjk.test(below.charAt(0)) ? above + below : above + blank + below
}

export const joinLines = (lines: readonly Line[], blank = ' '): string =>
  lines.reduce((text, line) => (text === '' ? line.text : joinedTexts(text, line.text, blank)), '')
