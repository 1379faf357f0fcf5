import type { Page } from '../characters/page.ts'
import { type Segment, segmentsIn } from '../words/segments.ts'
import { type Line, linesOf } from './lines.ts'

/** Text and position, apart from numbers. */
export type RunningLines = ReadonlySet<string>

/** Share of the page height at the top and at the bottom. */
const edge = 0.1
/** Headers of left and right pages differ, so a line may be on only half of the pages. */
const minShare = 0.4
const tolerance = 3

const atEdge = ({ height }: Page, line: Segment): boolean => line.y < height * edge || line.y > height * (1 - edge)

/** Keys for the line's position and the two adjacent ones. */
const keysOf = ({ height }: Page, line: Line): readonly string[] => {
  const text = line.text.replaceAll(/\p{N}+|\b[ivxlc]+\b/gu, '#').replaceAll(/\s+/g, ' ')
  const side = line.y < height / 2 ? line.y : height - line.y
  const step = Math.round(side / tolerance)
  return [step - 1, step, step + 1].map((one) => `${line.y < height / 2 ? 'head' : 'foot'} ${one} ${text}`)
}

/** Lines on at least two pages and on `minShare` of them. */
export const linesAtEdges = (pages: readonly Page[], known: RunningLines = new Set()): RunningLines => {
  const counts = new Map<string, number>()
  for (const page of pages) {
    const frame = page.frames[0]
    if (!frame || Math.abs(frame.angle) > 0.02) continue
    const keys = linesOf(segmentsIn(frame).filter((segment) => atEdge(page, segment))).flatMap((line) =>
      keysOf(page, line),
    )
    for (const key of new Set(keys)) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const minCount = Math.max(2, pages.length * minShare)
  return new Set([...known, ...[...counts].flatMap(([key, count]) => (count >= minCount ? [key] : []))])
}

export const isRunning = (running: RunningLines, page: Page, line: Line): boolean =>
  atEdge(page, line) && running.has(keysOf(page, line)[1] as string)
