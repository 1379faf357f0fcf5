import type { Rule } from '../characters/drawings.ts'
import type { Frame, Page } from '../characters/page.ts'
import { intoFrame } from '../document/coordinates.ts'
import { alignedTables } from '../tables/aligned.ts'
import { ruledTables } from '../tables/grid.ts'
import { inReadingDirection, type Table } from '../tables/table.ts'
import { withAddresses } from '../words/addresses.ts'
import { isLeader, type Segment, segmentsIn, segmentsOf } from '../words/segments.ts'
import type { Word } from '../words/words.ts'
import { type Line, lineOf, linesOf, rowsOf } from './lines.ts'
import { type Item, itemOf, readingOrder } from './order.ts'
import { type Paragraph, paragraphsOf } from './paragraphs.ts'

export type Part = ({ readonly paragraph: Paragraph } | { readonly table: Table }) & { readonly angle?: number }

/** Returns none if the frame's text does not run along an axis of the page. */
const rulesIn = (rules: readonly Rule[], angle: number): Rule[] => {
  const quarters = Math.round(angle / (Math.PI / 2))
  if (Math.abs(angle - (quarters * Math.PI) / 2) > 0.02) return []
  const turn = intoFrame((quarters * Math.PI) / 2)
  return rules.map(({ isHorizontal, at, from, to }) => {
    const [ax, ay] = isHorizontal ? turn(from, at) : turn(at, from)
    const [bx, by] = isHorizontal ? turn(to, at) : turn(at, to)
    const isFlat = Math.abs(ay - by) < Math.abs(ax - bx)
    return isFlat
      ? { isHorizontal: true, at: ay, from: Math.min(ax, bx), to: Math.max(ax, bx) }
      : { isHorizontal: false, at: ax, from: Math.min(ay, by), to: Math.max(ay, by) }
  })
}

type Placed = Item & { readonly table?: Table }

const partsOf = (group: readonly Placed[]): Part[] => {
  const parts: Part[] = []
  let segments: Segment[] = []
  const finish = () => {
    let rest = segments
    for (const table of alignedTables(segments)) {
      const first = Math.min(...table.segments.map(({ y }) => y))
      const above = rest.filter((segment) => segment.y < first)
      const taken = new Set(table.segments.flatMap(({ words }) => words))
      rest = rest.filter(
        (segment) => !above.includes(segment) && !segment.words.every((word) => taken.has(word) || isLeader(word)),
      )
      parts.push(...paragraphsOf(linesOf(above)).map((paragraph) => ({ paragraph })), {
        table: inReadingDirection(table),
      })
    }
    parts.push(...paragraphsOf(linesOf(rest)).map((paragraph) => ({ paragraph })))
    segments = []
  }
  for (const item of group) {
    if (item.segment) segments.push(item.segment)
    else if (item.table) {
      finish()
      parts.push({ table: inReadingDirection(item.table) })
    }
  }
  finish()
  return parts
}

const layOutSegments = (segments: readonly Segment[], rules: readonly Rule[], angle: number): Part[] => {
  const tables = ruledTables(rulesIn(rules, angle), segments)
  const taken = new Set(tables.flatMap((table) => table.segments))
  const items: Placed[] = [
    ...segments.filter((segment) => !taken.has(segment)).map(itemOf),
    ...tables.map((table) => ({ x0: table.x0, x1: table.x1, y0: table.y0, y1: table.y1, table })),
  ]
  return readingOrder(items).flatMap(partsOf)
}

export const layOutWords = (words: readonly Word[]): Part[] => layOutSegments(segmentsOf(words), [], 0)

/** Returns running headers and footers separately. */
export const layOut = (
  page: Page,
  isRunning: (line: Line) => boolean = () => false,
): { readonly parts: readonly Part[]; readonly running: readonly string[] } => {
  const running: Line[] = []
  const frames = page.frames.map((frame: Frame) => {
    const { angle } = frame
    const segments = withAddresses(segmentsIn(frame), page.links, frame)
    if (Math.abs(angle) > 0.02) return { angle, segments, own: segments }
    const own = rowsOf(segments).flatMap((row) => {
      const line = lineOf(row)
      if (!isRunning(line)) return row
      running.push(line)
      return []
    })
    return { angle, segments, own }
  })
  // If every line looks like a running header or footer, the page is a form or a slide: keep the lines.
  const hasOwn = frames.some(({ own }) => own.length > 0)
  return {
    parts: frames.flatMap(({ angle, segments, own }) =>
      layOutSegments(hasOwn ? own : segments, page.rules, angle).map((part) => ({ ...part, angle })),
    ),
    running: hasOwn ? running.map(({ text }) => text) : [],
  }
}
