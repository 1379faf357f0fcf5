import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodePlaces, encodePlaces, type PlacedStretch, pageEdge, placesWithin } from './places.ts'

const coordinate = fc.integer({ min: 0, max: pageEdge })
const placesOf = (gap: number, length: number) =>
  fc
    .array(
      fc.record({
        gap: fc.integer({ min: 0, max: gap }),
        length: fc.integer({ min: 1, max: length }),
        xs: fc.tuple(coordinate, coordinate),
        ys: fc.tuple(coordinate, coordinate),
      }),
      { maxLength: 40 },
    )
    .map((drafts) => {
      let index = 0
      return drafts.map(({ gap, length, xs, ys }): PlacedStretch => {
        const start = index + gap
        index = start + length
        return { start, end: index, x0: Math.min(...xs), y0: Math.min(...ys), x1: Math.max(...xs), y1: Math.max(...ys) }
      })
    })
const sizeOf = (places: readonly PlacedStretch[]) => Buffer.from(encodePlaces(places), 'base64').length - 1

describe('places', () => {
  it('are the same after encoding and decoding', () => {
    fc.assert(
      fc.property(placesOf(50_000, 50_000), (places) => {
        expect(decodePlaces(encodePlaces(places))).toEqual(places)
      }),
    )
  })

  it('take at most 11 bytes a line and 10 a word, wherever they are', () => {
    fc.assert(
      fc.property(placesOf(2, 4_095), placesOf(2, 31), (lines, words) => {
        expect(sizeOf(lines)).toBeLessThanOrEqual(11 * lines.length)
        expect(encodePlaces(lines).length).toBeLessThanOrEqual(16 * lines.length + 4)
        expect(sizeOf(words)).toBeLessThanOrEqual(10 * words.length)
      }),
    )
  })

  it('are read from any bytes, within bounds', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const places = decodePlaces(Buffer.from([1, ...bytes]).toString('base64'))
        expect(places.length).toBeLessThanOrEqual(bytes.length)
        let index = 0
        for (const { start, end, ...box } of places) {
          expect(start).toBeGreaterThanOrEqual(index)
          expect(end).toBeGreaterThanOrEqual(start)
          for (const value of Object.values(box)) expect(value >= 0 && value <= pageEdge).toBe(true)
          index = end
        }
      }),
    )
  })

  it('are none in another format', () => {
    expect(decodePlaces('')).toEqual([])
    expect(decodePlaces(Buffer.from([2, 0, 4]).toString('base64'))).toEqual([])
  })

  it('move with the part of the text that they are in', () => {
    const box = { x0: 1, y0: 2, x1: 3, y1: 4 }
    const places = [
      { start: 0, end: 5, ...box },
      { start: 6, end: 10, ...box },
      { start: 11, end: 15, ...box },
    ]
    expect(placesWithin('abcde fghi jklm', places, { start: 6, end: 11 }, 20)).toEqual([{ start: 20, end: 24, ...box }])
  })
})
