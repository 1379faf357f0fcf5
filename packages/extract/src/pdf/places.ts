import { type PageBox, type PlacedStretch, pageEdge } from '@cairn/domain/text/places'
import { inReadingOrder } from './characters/right-to-left.ts'
import { fromFrame } from './document/coordinates.ts'
import { joinedTexts, type Line } from './lines/lines.ts'
import type { Turn } from './ocr/gray-png.ts'
import { type Cell, escaped } from './tables/table.ts'

export type PageSize = { readonly width: number; readonly height: number }

/** Multiples of the font size. */
const ascent = 0.85
const descent = 0.25

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

const boxOfLine = ({ words, x0, x1 }: Line, angle: number, { width, height }: PageSize): PageBox => {
  let [top, bottom] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { y, style } of words) {
    top = Math.min(top, y - style.size * ascent)
    bottom = Math.max(bottom, y + style.size * descent)
  }
  const toPage = fromFrame(angle)
  const corners = [top, bottom].flatMap((y) => [x0, x1].map((x) => toPage(x, y)))
  const [xs, ys] = [corners.map(([x]) => x / width), corners.map(([, y]) => y / height)]
  return around([Math.min(...xs), Math.min(...ys)], [Math.max(...xs), Math.max(...ys)])
}

/** Returns one place, or one per word for a line of a scan. */
const placesOfLine = (line: Line, start: number, angle: number, size: PageSize): PlacedStretch[] => {
  const { words, text } = line
  if (!words.some(({ box }) => box)) return [{ start, end: start + text.length, ...boxOfLine(line, angle, size) }]
  let index = start
  return inReadingOrder(words).flatMap(({ text, box }) => {
    const from = index
    index += text.length + 1
    return box ? [{ start: from, end: from + text.length, ...box }] : []
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
