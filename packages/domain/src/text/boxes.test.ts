import { describe, expect, it } from 'vitest'
import { boxesWithin } from './boxes.ts'
import type { PlacedStretch } from './places.ts'

const line = (start: number, end: number, y0: number, [x0, x1] = [1_000, 9_000]): PlacedStretch => ({
  start,
  end,
  x0: x0 as number,
  x1: x1 as number,
  y0,
  y1: y0 + 500,
})
const inside = (text: string, places: readonly PlacedStretch[], part: string) => {
  const start = text.indexOf(part)
  return boxesWithin(text, places, { start, end: start + part.length })
}

describe('boxes of a part of a text', () => {
  const text = 'mmmm iiii mmmm iiii\nsecond line of text'
  const places = [line(0, 19, 0), line(20, 39, 1_000)]

  it('are those of its lines', () => {
    expect(inside(text, places, text)).toEqual([
      { x0: 1_000, x1: 9_000, y0: 0, y1: 500 },
      { x0: 1_000, x1: 9_000, y0: 1_000, y1: 1_500 },
    ])
    expect(inside(text, places, 'second line of text')).toHaveLength(1)
  })

  it('end at its first and last character, by the widths of characters', () => {
    const [first] = inside(text, places, 'mmmm')
    // Four of eight wide characters, with a quarter of the narrow ones.
    expect(first).toMatchObject({ x0: 1_000, y0: 0 })
    expect(first?.x1).toBeGreaterThan(3_500)
    expect(first?.x1).toBeLessThan(4_700)
    const [last] = boxesWithin(text, places, { start: 15, end: 19 })
    expect(last?.x1).toBe(9_000)
    expect(last?.x0).toBeGreaterThan(7_500)
  })

  it('begin at the right where the script does', () => {
    const hebrew = 'שלום עולם'
    const [first] = boxesWithin(hebrew, [line(0, 9, 0)], { start: 0, end: 4 })
    expect(first?.x1).toBe(9_000)
    expect(first?.x0).toBeGreaterThan(4_500)
  })

  it('begin at the left in a line that only quotes a word from right to left', () => {
    const quoting = 'The word שלום means peace.'
    const [first] = boxesWithin(quoting, [line(0, quoting.length, 0)], { start: 0, end: 8 })
    expect(first?.x0).toBe(1_000)
    expect(first?.x1).toBeLessThan(5_000)
  })

  it('of a line that runs down the page are not cut', () => {
    const place = { start: 0, end: 9, x0: 10, x1: 20, y0: 0, y1: 900 }
    expect(boxesWithin('down page', [place], { start: 0, end: 4 })).toEqual([{ x0: 10, x1: 20, y0: 0, y1: 900 }])
  })

  it('join the words of a line, but not the cells of a row', () => {
    const words = [line(0, 3, 0, [0, 900]), line(4, 7, 20, [1_100, 2_000]), line(8, 11, 0, [4_000, 5_000])]
    expect(boxesWithin('one two far', words, { start: 0, end: 11 })).toEqual([
      { x0: 0, x1: 2_000, y0: 0, y1: 520 },
      { x0: 4_000, x1: 5_000, y0: 0, y1: 500 },
    ])
  })

  it('are none outside of all lines', () => {
    expect(boxesWithin(text, places, { start: 19, end: 20 })).toEqual([])
    expect(boxesWithin(text, [{ ...line(0, 0, 0), end: 0 }], { start: 0, end: 5 })).toEqual([])
  })
})
