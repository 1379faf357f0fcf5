import { encodePlaces } from '@cairn/domain/text/places'
import { describe, expect, it } from 'vitest'
import { placesOf } from './hit-places.ts'

const text = 'The first line\nThe second line'
const box = { x0: 0, x1: 0xffff, y0: 0, y1: 0x1000 }
const lines = encodePlaces([
  { start: 0, end: 14, ...box },
  { start: 15, end: 30, ...box, y0: 0x8000, y1: 0x9000 },
])
const hit = (name: string, metadata: Record<string, unknown>, places?: string) => ({
  text,
  metadata,
  file: { id: 'file', name, places },
})
const second = { start: 15, end: 30 }

describe('the places of a range', () => {
  it('are the page and a box for each line, in parts of the page', () => {
    const boxes = [{ left: 0, top: 0.50001, width: 1, height: 0.0625 }]
    expect(placesOf(hit('a.pdf', { page: '3', heading: 'A > B' }, lines), second)).toEqual([
      { file: 'a.pdf', page: 3, boxes, heading: 'A > B' },
    ])
    expect(placesOf(hit('a.png', { page: '1' }, lines), undefined)[0]?.boxes).toHaveLength(2)
  })

  it('have no boxes for a chunk that was read before places were stored', () => {
    expect(placesOf(hit('a.pdf', { page: '3' }), second)).toEqual([{ file: 'a.pdf', page: 3 }])
  })

  it('are rows and columns in a sheet, those of the chunk if the range has no cell', () => {
    const cells = encodePlaces([
      { start: 4, end: 14, x0: 1, x1: 1, y0: 0, y1: 0 },
      { start: 15, end: 20, x0: 0, x1: 0, y0: 2, y1: 2 },
      { start: 21, end: 30, x0: 2, x1: 2, y0: 2, y1: 2 },
    ])
    const sheet = hit('a.xlsx', { sheet: 'Prices', row_from: 5, row_to: 7 }, cells)
    expect(placesOf(sheet, second)).toEqual([
      { file: 'a.xlsx', sheet: 'Prices', rows: { from: 7, to: 7 }, columns: { from: 1, to: 3 } },
    ])
    expect(placesOf(sheet, { start: 0, end: 3 })).toEqual([
      { file: 'a.xlsx', sheet: 'Prices', rows: { from: 5, to: 7 } },
    ])
  })

  it('are a slide, a pointer, a part or an offset by the type of the file', () => {
    expect(placesOf(hit('a.pptx', { page: '2' }), second)).toEqual([{ file: 'a.pptx', slide: 2 }])
    expect(placesOf(hit('a.json', { path: '/a/0' }), second)).toEqual([{ file: 'a.json', pointer: '/a/0' }])
    expect(placesOf(hit('a.epub', { path: 'ch1.xhtml' }), second)).toEqual([{ file: 'a.epub', part: 'ch1.xhtml' }])
    expect(placesOf(hit('a.txt', { offset_from: 100, offset_to: 130 }), second)).toEqual([
      { file: 'a.txt', offset: { from: 115, to: 130 } },
    ])
    expect(placesOf(hit('a.md', { offset_from: 100, offset_to: 190 }), second)).toEqual([
      { file: 'a.md', offset: { from: 100, to: 190 } },
    ])
  })

  it('are none for a document, and only the file for a summary', () => {
    expect(placesOf({ text, metadata: { page: '3' }, file: undefined }, second)).toEqual([])
    expect(placesOf(hit('a.pdf', { page: '1-9', is_summary: true }), second)).toEqual([{ file: 'a.pdf' }])
  })
})
