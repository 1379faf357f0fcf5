import { rowsOf } from './lines.ts'
import { isLeader, type Segment, segmentOf } from './segments.ts'

/**
 * Maximum gap between leader dots and the text beside them, in multiples of the font size. A value stands at the right
 * of its column, so the dots may end before it.
 */
const widestGap = 10

/** Joins a label, its leader dots and the value, so that they are not separated into columns. */
export const joinedByLeaders = (segments: readonly Segment[]): readonly Segment[] => {
  if (!segments.some(({ words }) => words.some(isLeader))) return segments
  return rowsOf(segments).flatMap((row) => {
    const joined: Segment[] = []
    for (const segment of row) {
      const last = joined.at(-1)
      const [before, after] = [last?.words.at(-1), segment.words[0]]
      const isLed = (before && isLeader(before)) || (after && isLeader(after))
      if (last && isLed && segment.x0 - last.x1 < segment.size * widestGap)
        joined[joined.length - 1] = segmentOf([...last.words, ...segment.words])
      else joined.push(segment)
    }
    return joined
  })
}
