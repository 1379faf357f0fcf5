import type { Row } from './aligned-rows.ts'
import { rowsOfCharts } from './charts.ts'
import { rowsOf, textOf } from './lines.ts'
import { isLeader, piecesOf, type Segment, segmentOf } from './segments.ts'
import { isValue } from './table.ts'

const currency = /^(?:[$€£¥₹]|[A-Z]{2,3}\$?|R\$)$/
const closing = /^(?:[)%]+|\)%|pts?|x)$/
export const marker = /^(?:[•‣◦▪●○■□–—·*-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]|§?\d+(?:\.\d+)+\.?)$/i
const isDash = /^[–—-]$/
const pageNumber = /^(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]-?\d{1,3})$/i

/** Joins a sign that forms a piece on its own, such as `$`, with the number next to it. */
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

/** Returns the page number of an entry of a table of contents; undefined for other lines. */
const pageOf = (segments: readonly Segment[]): string | undefined => {
  const words = segments.flatMap((segment) => segment.words).toSorted((a, b) => a.x0 - b.x0)
  const leader = words.findLastIndex(isLeader)
  const [page, ...more] = words.slice(leader + 1)
  return leader > 0 && page && more.length === 0 && pageNumber.test(page.text) ? page.text : undefined
}

/** Whether page numbers increase, as in a table of contents; values of a table do not. */
const areInOrder = (pages: readonly string[]): boolean => {
  const numbers = pages.map(Number).filter((page) => !Number.isNaN(page))
  const ups = numbers.slice(1).filter((page, index) => page >= (numbers[index] as number)).length
  return ups >= (numbers.length - 1) * 0.8
}

/** Returns the lines of a region as rows, split into pieces. */
export const toRows = (segments: readonly Segment[]): Row[] => {
  const lines = rowsOf(segments)
  const pages = lines.map(pageOf)
  const areContents = areInOrder(pages.flatMap((page) => page ?? []))
  const rows = lines.map((line, index): Row => {
    const whole = segmentOf(line.flatMap(({ words }) => words))
    const pieces = withSigns(piecesOf(line))
    const [first, second] = pieces
    const isItem =
      pieces.length === 2 &&
      marker.test(textOf(first as Segment)) &&
      !(isDash.test(textOf(first as Segment)) && isValue(textOf(second as Segment)))
    const isEntry = areContents && pages[index] !== undefined
    const isTabular = pieces.length > 1 && !isEntry && !isItem
    return { pieces, y: whole.y, size: whole.size, isTabular }
  })
  const charts = rowsOfCharts(rows)
  return rows.map((row, index) => (charts.has(index) ? { ...row, isTabular: false } : row))
}
