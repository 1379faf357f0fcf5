import { rowsOf, textOf } from '../lines/lines.ts'
import { isLeader, piecesOf, type Segment, segmentOf } from '../words/segments.ts'
import type { Word } from '../words/words.ts'
import type { Row } from './aligned-rows.ts'
import { rowsOfCharts } from './charts.ts'
import { isValue } from './table.ts'

const currency = /^(?:[$€£¥₹]|[A-Z]{2,3}\$?|R\$)$/
const closing = /^(?:[)%]+|\)%|pts?|x)$/
export const marker = /^(?:[•‣◦▪●○■□–—·*-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]|§?\d+(?:\.\d+)+\.?)$/i
const isDash = /^[–—-]$/
const pageNumber = /^(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]-?\d{1,3})$/i

/** Joins a sign that is a piece on its own, such as `$`, with the number next to it. */
const withSigns = (pieces: readonly Segment[]): Segment[] => {
  const joined: Segment[] = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    const gap = last ? piece.x0 - last.x1 : 0
    const isPair =
      last &&
      ((currency.test(textOf(last)) && /^[\d(–—-]/.test(textOf(piece)) && gap < piece.size * 12) ||
        (closing.test(textOf(piece)) && /\d\)?$/.test(textOf(last)) && gap < piece.size * 2))
    if (isPair) joined[joined.length - 1] = segmentOf([...last.words, ...piece.words])
    else joined.push(piece)
  }
  return joined
}

/** Page number of an entry of a table of contents. */
const pageOf = (segments: readonly Segment[]): string | undefined => {
  const words = segments.flatMap((segment) => segment.words).toSorted((a, b) => a.x0 - b.x0)
  const leader = words.findLastIndex(isLeader)
  const [page, ...more] = words.slice(leader + 1)
  return leader > 0 && page && more.length === 0 && pageNumber.test(page.text) ? page.text : undefined
}

/** In a table of contents, page numbers increase; values of a table do not. */
const areInOrder = (pages: readonly string[]): boolean => {
  const numbers = pages.map(Number).filter((page) => !Number.isNaN(page))
  const ups = numbers.slice(1).filter((page, index) => page >= (numbers[index] as number)).length
  return ups >= (numbers.length - 1) * 0.8
}

/** Blanks of a justified line are about equally wide. */
const hasEvenBlanks = ({ words }: Segment): boolean => {
  const gaps = words.slice(1).map(({ x0 }, index) => x0 - (words[index] as Word).x1)
  return Math.max(...gaps) <= Math.min(...gaps) * 2
}

const areClose = (above: Segment, below: Segment): boolean =>
  below.y - above.y < below.size * 1.6 && Math.abs(above.size - below.size) < 0.5

/** Lines with wide blanks for each other justified line; narrow columns have many. */
const maxWide = 3

/** Finds justified lines with wide blanks: lines of prose around them end at the same place. */
const justifiedIn = (rows: readonly (readonly Segment[])[], lines: readonly Segment[]): ReadonlySet<number> => {
  const found: number[] = []
  for (let from = 0, to = 1; from < lines.length; from = to, to += 1) {
    while (to < lines.length && areClose(lines[to - 1] as Segment, lines[to] as Segment)) to += 1
    const block = lines.slice(from, to)
    const right = Math.max(...block.map(({ x1 }) => x1))
    const full = block.flatMap(({ x1, size }, index) => (right - x1 < size * 0.3 ? [from + index] : []))
    const wide = full.filter((index) => (rows[index]?.length ?? 0) > 1)
    const prose = full.filter((index) => rows[index]?.length === 1 && (lines[index]?.words.length ?? 0) > 2)
    if (prose.length >= Math.max(2, wide.length / maxWide))
      found.push(...wide.filter((index) => hasEvenBlanks(lines[index] as Segment)))
  }
  return new Set(found)
}

export const toRows = (segments: readonly Segment[]): Row[] => {
  const lines = rowsOf(segments)
  const pages = lines.map(pageOf)
  const areContents = areInOrder(pages.flatMap((page) => page ?? []))
  const wholeLines = lines.map((line) => segmentOf(line.flatMap(({ words }) => words)))
  const split = lines.map((line) => withSigns(piecesOf(line)))
  const justified = justifiedIn(split, wholeLines)
  const rows = split.map((pieces, index): Row => {
    const whole = wholeLines[index] as Segment
    const [first, second] = pieces
    const isItem =
      pieces.length === 2 &&
      marker.test(textOf(first as Segment)) &&
      !(isDash.test(textOf(first as Segment)) && isValue(textOf(second as Segment)))
    const isEntry = areContents && pages[index] !== undefined
    const isTabular = pieces.length > 1 && !isEntry && !isItem && !justified.has(index)
    return { pieces, y: whole.y, size: whole.size, isTabular }
  })
  const charts = rowsOfCharts(rows)
  return rows.map((row, index) => (charts.has(index) ? { ...row, isTabular: false } : row))
}
