import { rowsOf } from './lines.ts'
import { isLeader, type Segment, segmentOf } from './segments.ts'

/** In multiples of the size. A value stands at the right of its column, so the dots may end before it. */
const widestGap = 10

/** Joins labels with the dots that lead to a value, and these with the value, so that no gutter is between them. */
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
