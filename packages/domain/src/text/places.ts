import { areFromRight } from './direction.ts'

/** Measured from the displayed page's upper left corner, in 65,535ths of its width and height. */
export type PageBox = { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number }

/** UTF-16 units, end exclusive. */
export type PlacedStretch = PageBox & { readonly start: number; readonly end: number }

/** Right and lower edge of a page. */
export const pageEdge = 0xffff

/** First byte of the encoding. */
const format = 1
const wholeGap = 3

/** Encodes a 16-bit difference as an unsigned number that is small for a small difference. */
const difference = (value: number, expected: number): number => {
  const signed = ((value - expected) << 16) >> 16
  return (signed << 1) ^ (signed >> 31)
}
const applied = (expected: number, change: number): number => (expected + ((change >>> 1) ^ -(change & 1))) & pageEdge

const bytesFor = (value: number): number => (value === 0 ? 0 : value < 256 ? 1 : 2)

const noPlace: PlacedStretch = { start: 0, end: 0, x0: 0, y0: 0, x1: 0, y1: 0 }

/** Expects the right edge of the previous place on the line, else its left edge. */
const leftOf = (y0: number, before: PlacedStretch): number => (y0 === before.y0 ? before.x1 : before.x0)

/**
 * Encodes places, in the order of the text and without overlaps, as base64 of: the format, 1; then for each place
 * - a byte of four times two bits, lowest first: the bytes (0 to 2) of each number of the box;
 * - a varint (7 bits a byte, lowest first; the 8th: more follow): four times its length, plus the units since the
 *   previous place, at most 3; if 3, another varint of the units beyond 3;
 * - y0, x0, width and height, each as the difference from the value expected after the previous place, lowest byte
 *   first; the sign is the lowest bit.
 * Before base64, a line of up to 4,095 units takes at most 11 bytes, a word of up to 31 units at most 10.
 */
export const encodePlaces = (places: readonly PlacedStretch[]): string => {
  const bytes = [format]
  const addVarint = (value: number) => {
    let rest = value
    for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128)
    bytes.push(rest)
  }
  let before = noPlace
  for (const place of places) {
    const { start, end, x0, y0, x1, y1 } = place
    const gap = start - before.end
    const numbers = [
      difference(y0, before.y0),
      difference(x0, leftOf(y0, before)),
      difference(x1 - x0, before.x1 - before.x0),
      difference(y1 - y0, before.y1 - before.y0),
    ]
    bytes.push(numbers.reduce((sizes, number, index) => sizes | (bytesFor(number) << (2 * index)), 0))
    addVarint((end - start) * 4 + Math.min(gap, wholeGap))
    if (gap >= wholeGap) addVarint(gap - wholeGap)
    for (const number of numbers)
      for (let index = 0; index < bytesFor(number); index += 1) bytes.push((number >> (8 * index)) & 255)
    before = place
  }
  return Buffer.from(bytes).toString('base64')
}

/** Never throws, because a text may be damaged; an unknown format has no places. */
export const decodePlaces = (encoded: string): PlacedStretch[] => {
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes[0] !== format) return []
  let position = 1
  const varint = () => {
    let value = 0
    for (let shift = 0; shift <= 21; shift += 7) {
      const byte = bytes[position++] ?? 0
      value |= (byte & 127) << shift
      if (byte < 128) break
    }
    return value
  }
  const number = (count: number) => {
    let value = 0
    for (let index = 0; index < count; index += 1) value |= (bytes[position++] ?? 0) << (8 * index)
    return value & pageEdge
  }
  const places: PlacedStretch[] = []
  let before = noPlace
  while (position < bytes.length) {
    const sizes = bytes[position++] as number
    const length = varint()
    const gap = (length & 3) === wholeGap ? wholeGap + varint() : length & 3
    const start = before.end + gap
    const y0 = applied(before.y0, number(sizes & 3))
    const x0 = applied(leftOf(y0, before), number((sizes >> 2) & 3))
    const width = applied(before.x1 - before.x0, number((sizes >> 4) & 3))
    const height = applied(before.y1 - before.y0, number(sizes >> 6))
    before = {
      start,
      end: start + (length >>> 2),
      x0,
      y0,
      x1: Math.min(pageEdge, x0 + width),
      y1: Math.min(pageEdge, y0 + height),
    }
    places.push(before)
  }
  return places
}

/** Widths of characters in thousandths of the font size, as in common proportional fonts; else 550. */
const advances: readonly (readonly [RegExp, number])[] = [
  [/[ijl.,:;'’|!]/, 240],
  [/[\sftrI()[\]"“”\-/\\]/, 295],
  [/[ckvsxyzJ]/, 490],
  [/w/, 720],
  [/[mMW@%—]/, 840],
  [/\p{M}|\p{Cf}/u, 0],
  [/\p{Lu}|[&#+<=>~]/u, 680],
  [/[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/u, 1_000],
]

const widthOf = (text: string): number => {
  let width = 0
  for (const character of text) width += advances.find(([some]) => some.test(character))?.[1] ?? 550
  return width
}

/**
 * Cuts a line's box to a part of its text by the usual widths of characters, as only the line's box is stored. The box
 * of a line that runs down or up the page is not cut: its direction is unknown.
 */
const cutBox = (
  text: string,
  { start, end, x0, x1, y0, y1 }: PlacedStretch,
  part: Pick<PlacedStretch, 'start' | 'end'>,
): PageBox => {
  const line = text.slice(start, end)
  const [cutBefore, cutAfter] = [text.slice(start, part.start).trim(), text.slice(part.end, end).trim()]
  if ((cutBefore === '' && cutAfter === '') || (y1 - y0 > x1 - x0 && line.length > 3)) return { x0, x1, y0, y1 }
  const all = widthOf(line) || 1
  const before = widthOf(text.slice(start, part.start)) / all
  const after = widthOf(text.slice(part.end, end)) / all
  const [left, right] = areFromRight(line.split(/\s+/)) ? [after, before] : [before, after]
  return { x0: Math.round(x0 + (x1 - x0) * left), x1: Math.round(x1 - (x1 - x0) * right), y0, y1 }
}

/** Places within a part of `text`, clipped and shifted to a text that has the part at `index`. */
export const placesWithin = (
  text: string,
  places: readonly PlacedStretch[],
  { start: from, end: to }: Pick<PlacedStretch, 'start' | 'end'>,
  index = 0,
): PlacedStretch[] => {
  let [first, last] = [0, places.length]
  while (first < last) {
    const middle = (first + last) >> 1
    if ((places[middle] as PlacedStretch).end <= from) first = middle + 1
    else last = middle
  }
  const found: PlacedStretch[] = []
  for (let place = places[first]; place && place.start < to; place = places[++first]) {
    const [start, end] = [Math.max(place.start, from), Math.min(place.end, to)]
    if (start < end)
      found.push({ ...cutBox(text, place, { start, end }), start: index + start - from, end: index + end - from })
  }
  return found
}
