import { type PageBox, type PlacedStretch, pageEdge } from '@cairn/domain/text/places'
import { inReadingOrder } from './characters/right-to-left.ts'
import { fromFrame } from './document/coordinates.ts'
import { joinedTexts, type Line } from './lines/lines.ts'
import type { Turn } from './ocr/gray-png.ts'
import { type Cell, escaped } from './tables/table.ts'
import type { Word } from './words/words.ts'

export type PageSize = { readonly width: number; readonly height: number }

/** Multiples of the font size. */
const ascent = 0.85
const descent = 0.25
/** A blank is about 0.25 wide; wider gaps are between columns. */
const wideGap = 1.5

/** Returns 0 for a page without size. */
const toEdge = (share: number): number => Math.min(pageEdge, Math.max(0, Math.round(share * pageEdge) || 0))

/** Corners are shares of the page size. */
const around = ([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number]): PageBox => ({
  x0: toEdge(Math.min(ax, bx)),
  y0: toEdge(Math.min(ay, by)),
  x1: toEdge(Math.max(ax, bx)),
  y1: toEdge(Math.max(ay, by)),
})

/** Converts from pixels of the leveled and rotated picture. */
export const boxOfSeen = (
  { x0, x1, y, size }: { readonly x0: number; readonly x1: number; readonly y: number; readonly size: number },
  { width, height }: PageSize,
  { degrees, turn }: { readonly degrees: number; readonly turn: Turn },
): PageBox => {
  const [wide, high] = turn % 2 === 0 ? [width, height] : [height, width]
  const unturned = (x: number, y: number): readonly [number, number] => {
    const [u, v] = [x / wide, y / high]
    return turn === 0 ? [u, v] : turn === 1 ? [v, 1 - u] : turn === 2 ? [1 - u, 1 - v] : [1 - v, u]
  }
  const unleveled = fromFrame((degrees * Math.PI) / 180)
  const back = (x: number, y: number): readonly [number, number] => {
    const [u, v] = unturned(x, y)
    const [dx, dy] = unleveled((u - 0.5) * width, (v - 0.5) * height)
    return [0.5 + dx / width, 0.5 + dy / height]
  }
  return around(back(x0, y - size * ascent), back(x1, y + size * descent))
}

const boxOfWords = (words: readonly Word[], angle: number, { width, height }: PageSize): PageBox => {
  const most = Number.POSITIVE_INFINITY
  let [left, right, top, bottom] = [most, -most, most, -most]
  for (const { x0, x1, y, style } of words) {
    left = Math.min(left, x0)
    right = Math.max(right, x1)
    top = Math.min(top, y - style.size * ascent)
    bottom = Math.max(bottom, y + style.size * descent)
  }
  const toPage = fromFrame(angle)
  const corners = [top, bottom].flatMap((y) => [left, right].map((x) => toPage(x, y)))
  const [xs, ys] = [corners.map(([x]) => x / width), corners.map(([, y]) => y / height)]
  return around([Math.min(...xs), Math.min(...ys)], [Math.max(...xs), Math.max(...ys)])
}

/** Words of a line without wide gaps between them. */
const partsOf = (words: readonly Word[]): Word[][] => {
  const parts: Word[][] = []
  for (const word of words) {
    const last = parts.at(-1)
    const before = last?.at(-1)
    const isNear = before && Math.max(word.x0 - before.x1, before.x0 - word.x1) < wideGap * Math.max(word.style.size, 1)
    if (isNear) last?.push(word)
    else parts.push([word])
  }
  return parts
}

/** Returns one place for each part of the line, or one for each word of a scan. */
const placesOfLine = ({ words, text }: Line, start: number, angle: number, size: PageSize): PlacedStretch[] => {
  const inOrder = inReadingOrder(words)
  const isScan = words.some(({ box }) => box)
  const parts = isScan ? inOrder.map((word) => [word]) : partsOf(inOrder)
  const textOfWords = (some: readonly Word[]) => some.map((word) => word.text).join(' ')
  if (!isScan && textOfWords(inOrder) !== text)
    return [{ start, end: start + text.length, ...boxOfWords(words, angle, size) }]
  let index = start
  return parts.flatMap((part): PlacedStretch[] => {
    const from = index
    const { length } = textOfWords(part)
    index += length + 1
    const box = isScan ? part[0]?.box : boxOfWords(part, angle, size)
    return box ? [{ start: from, end: from + length, ...box }] : []
  })
}

/** Units at the end of a text that determine how the next line is joined. */
const tailLength = 60
/** A cell that spans many grid cells repeats its text. */
const maxPlacesOfTable = 50_000

/** Places in the text that `joinLines` creates. */
export const placesOfLines = (lines: readonly Line[], angle: number, size: PageSize): PlacedStretch[] => {
  const places: PlacedStretch[] = []
  let [tail, end] = ['', 0]
  for (const [index, line] of lines.entries()) {
    const joined = index === 0 ? line.text : joinedTexts(tail, line.text)
    const start = end - tail.length + joined.length - line.text.length
    tail = joined.slice(-tailLength)
    // The hyphen at the end of the line above may have been removed.
    const last = places.at(-1)
    if (last && last.end > start) places[places.length - 1] = { ...last, end: start }
    places.push(...placesOfLine(line, start, angle, size))
    end = start + line.text.length
  }
  return places
}

export const placesOfCells = (
  cells: readonly { readonly cell: Cell; readonly at: number }[],
  angle: number,
  size: PageSize,
): PlacedStretch[] => {
  const places: PlacedStretch[] = []
  for (const { cell, at } of cells) {
    if (places.length > maxPlacesOfTable) break
    let done = 0
    let written = at
    const upTo = (end: number) => {
      written += escaped(cell.text.slice(done, end)).length
      done = end
      return written
    }
    for (const place of placesOfLines(cell.lines, angle, size))
      places.push({ ...place, start: upTo(place.start), end: upTo(place.end) })
  }
  return places
}
