import { areFromRight } from '@cairn/domain/text/direction'
import { median } from '@cairn/domain/text/median'
import { isValue } from '../tables/table.ts'
import { onOneLine, type Segment } from '../words/segments.ts'
import { rowsOf, textOf } from './lines.ts'

export type Item = {
  readonly x0: number
  readonly x1: number
  readonly y0: number
  readonly y1: number
  readonly segment?: Segment
}

export const itemOf = (segment: Segment): Item => ({
  x0: segment.x0,
  x1: segment.x1,
  y0: segment.y - segment.size * 0.8,
  y1: segment.y + segment.size * 0.2,
  segment,
})

const maxDepth = 12
const hasLetters = /\p{L}{2}/u
const minGutter = 4

const extent = (items: readonly Item[]) => ({
  x0: Math.min(...items.map(({ x0 }) => x0)),
  x1: Math.max(...items.map(({ x1 }) => x1)),
  y0: Math.min(...items.map(({ y0 }) => y0)),
  y1: Math.max(...items.map(({ y1 }) => y1)),
})

const indexesOf = (items: readonly Item[]): number[] =>
  items.flatMap(({ segment }) => segment?.words.map(({ index }) => index) ?? [])

const isWrittenBefore = (left: readonly Item[], right: readonly Item[]): boolean =>
  Math.max(...indexesOf(left)) < Math.min(...indexesOf(right))

/** A justified line may be several segments. */
const linesIn = (items: readonly Item[]) =>
  rowsOf(items.flatMap(({ segment }) => segment ?? [])).map((row) => ({
    width: Math.max(...row.map(({ x1 }) => x1)) - Math.min(...row.map(({ x0 }) => x0)),
    words: row.flatMap(({ words }) => words).filter(({ text }) => hasLetters.test(text)).length,
  }))

const wordsPerLine = (items: readonly Item[]): number => median(linesIn(items).map(({ words }) => words))

const sign = /^(?:[$€£¥₹]|[)%]+)$/

/** Share of items that are values of a table, which belong to labels beside them. */
const valueShare = (items: readonly Item[]): number =>
  items.filter(({ segment }) => segment && (isValue(textOf(segment)) || sign.test(textOf(segment)))).length /
  items.length

/** Sides of the emptiest gap; undefined if items cross it. */
const halves = (items: readonly Item[]): readonly [Item[], Item[]] | undefined => {
  const [x] = gutters(items)
  if (x === undefined || items.some((item) => item.x0 < x && item.x1 > x)) return undefined
  return [items.filter(({ x1 }) => x1 <= x), items.filter(({ x0 }) => x0 >= x)]
}

/** Whether the items are lines that fill their column, or several such columns. */
const isProse = (items: readonly Item[]): boolean => {
  const lines = linesIn(items)
  const { x0, x1 } = extent(items)
  if (lines.length < 3 || valueShare(items) > 0.3) return false
  if (median(lines.map(({ width }) => width / (x1 - x0))) > 0.6 && median(lines.map(({ words }) => words)) >= 3)
    return true
  return halves(items)?.every(isProse) ?? false
}

/** Share of the smaller side's items on one line, or exactly one baseline, with an item of the other side. */
const sharedLines = (left: readonly Item[], right: readonly Item[], isExact = false): number => {
  const [few, many] = left.length < right.length ? [left, right] : [right, left]
  const shared = few.filter(({ segment }) =>
    many.some((other) => {
      if (!segment || !other.segment) return false
      return isExact ? Math.abs(segment.y - other.segment.y) < segment.size * 0.1 : onOneLine(segment, other.segment)
    }),
  )
  return shared.length / Math.max(1, few.length)
}

const areColumns = (left: readonly Item[], right: readonly Item[]): boolean => {
  if (left.length < 2 || right.length < 2) return false
  const [a, b] = [extent(left), extent(right)]
  const together = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0)
  if (together < Math.min(a.y1 - a.y0, b.y1 - b.y0) * 0.5) return false
  if (isProse(left) && isProse(right)) return true
  if (isWrittenBefore(left, right) && wordsPerLine(left) >= 3 && wordsPerLine(right) >= 3) return true
  if (valueShare(right) > 0.7) return false
  // Prose and other text beside it share a baseline only by chance.
  if ((isProse(left) || isProse(right)) && sharedLines(left, right, true) < 0.4) return true
  return sharedLines(left, right) < 0.4 && left.length > 2 && right.length > 2
}

type Band = { readonly crossing: readonly Item[] } | { readonly left: readonly Item[]; readonly right: readonly Item[] }

/** Bands that are not columns are read line by line. */
const joinedBands = (bands: readonly Band[]): Band[] => {
  const joined: Band[] = []
  for (const band of bands) {
    const last = joined.at(-1)
    if (last && 'crossing' in last && 'crossing' in band)
      joined[joined.length - 1] = { crossing: [...last.crossing, ...band.crossing] }
    else joined.push(band)
  }
  return joined
}

/** Bands from top to bottom: columns, and items that cross the gutter. */
const bandsAt = (items: readonly Item[], x: number): Band[] => {
  const bands: Band[] = []
  let sides: Item[] = []
  let crossing: Item[] = []
  const finishSides = () => {
    const left = sides.filter((item) => (item.x0 + item.x1) / 2 < x)
    const right = sides.filter((item) => (item.x0 + item.x1) / 2 >= x)
    if (areColumns(left, right)) bands.push({ left, right })
    else if (sides.length > 0) bands.push({ crossing: sides })
    sides = []
  }
  const finishCrossing = () => {
    if (crossing.length > 0) bands.push({ crossing })
    crossing = []
  }
  for (const item of items.toSorted((a, b) => a.y0 - b.y0 || a.x0 - b.x0)) {
    if (item.x0 < x - 1 && item.x1 > x + 1) {
      finishSides()
      crossing.push(item)
    } else {
      finishCrossing()
      sides.push(item)
    }
  }
  finishSides()
  finishCrossing()
  return joinedBands(bands)
}

/** Centers of gaps that few items cross, emptiest first. */
const gutters = (items: readonly Item[]): number[] => {
  const { x0, x1 } = extent(items)
  const left = Math.floor(x0)
  const counts = new Float64Array(Math.max(1, Math.ceil(x1) - left + 1))
  for (const item of items)
    for (let x = Math.ceil(item.x0 - left); x < Math.floor(item.x1 - left); x += 1) counts[x]! += 1
  const max = Math.max(...counts)
  const found: { x: number; count: number }[] = []
  let from: number | undefined
  const limit = max * 0.4
  for (let x = 0; x < counts.length; x += 1) {
    if ((counts[x] as number) <= limit) from ??= x
    if (from !== undefined && ((counts[x] as number) > limit || x === counts.length - 1)) {
      if (x - from >= minGutter && from > 0 && x < counts.length - 1) {
        const inside = counts.slice(from, x)
        const min = Math.min(...inside)
        const emptiest = inside.indexOf(min)
        let width = 0
        while (emptiest + width < inside.length && inside[emptiest + width] === min) width += 1
        found.push({ x: left + from + emptiest + width / 2, count: min })
      }
      from = undefined
    }
  }
  return found.sort((a, b) => a.count - b.count).map(({ x }) => x)
}

const inDirection = (left: readonly Item[], right: readonly Item[]): (readonly Item[])[] =>
  areFromRight([...left, ...right].flatMap(({ segment }) => (segment ? [textOf(segment)] : [])))
    ? [right, left]
    : [left, right]

/** Returns groups. Columns are read one after the other; items across columns separate bands of them. */
export const readingOrder = (items: readonly Item[], depth = 0): Item[][] => {
  if (items.length < 2) return items.length === 0 ? [] : [[...items]]
  if (depth < maxDepth)
    for (const x of gutters(items)) {
      const bands = bandsAt(items, x)
      if (!bands.some((band) => 'left' in band)) continue
      return bands.flatMap((band) =>
        'left' in band
          ? inDirection(band.left, band.right).flatMap((side) => readingOrder(side, depth + 1))
          : readingOrder(band.crossing, depth + 1),
      )
    }
  return [items.toSorted((a, b) => a.y0 - b.y0 || a.x0 - b.x0)]
}
