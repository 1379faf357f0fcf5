import { describe, expect, it } from 'vitest'
import { itemOf, readingOrder } from '../lines/order.ts'
import { inReadingDirection, type Table } from '../tables/table.ts'
import { segmentOf } from '../words/segments.ts'
import type { Word } from '../words/words.ts'
import { inReadingOrder } from './right-to-left.ts'

const style = { font: 'F', size: 10, isBold: false, isItalic: false, color: 0, mode: 0 }
/** Returns words from left to right, each 20 points wide; a word that begins with `+` touches the one before it. */
const placed = (texts: readonly string[], { x = 0, y = 0 } = {}): Word[] => {
  let at = x - 25
  return texts.map((text, index) => {
    at += text.startsWith('+') ? 20 : 25
    return { text: text.replace(/^\+/, ''), x0: at, x1: at + 20, y, style, index }
  })
}
const read = (...texts: string[]) =>
  inReadingOrder(placed(texts))
    .map(({ text }) => text)
    .join(' ')

describe('lines of right-to-left text', () => {
  it('are read from the right, words of other scripts in their own order', () => {
    expect(read('شكرا', 'Cairn', 'search', 'مرحبا')).toBe('مرحبا Cairn search شكرا')
    expect(read('one', '-', 'two', 'מילה', 'עוד', 'ועוד')).toBe('ועוד עוד מילה one - two')
  })

  it('have numbers with signs between them from the right', () => {
    expect(read('سنة', '2026', '-', '2024', 'من')).toBe('من 2024 - 2026 سنة')
  })

  it('have brackets that open before their words and close behind them', () => {
    expect(read('كبير', ')أحمد(', 'المدير')).toBe('المدير (أحمد) كبير')
    expect(read('كبير', '(أحمد)', 'المدير')).toBe('المدير (أحمد) كبير')
    for (const [left, right] of ['[]', ']['])
      expect(read('كبير', left as string, '+12', `+${right}`, 'العدد')).toBe('العدد [12] كبير')
    expect(read('see', '(note)', 'מילה')).toBe('see (note) מילה')
  })
})

describe('columns of right-to-left text', () => {
  it('begin at the right', () => {
    const column = (x: number, text: string) =>
      Array.from({ length: 6 }, (_, line) =>
        itemOf(segmentOf(placed([`${text}${line}`, text, text, text], { x, y: 100 + line * 12 }))),
      )
    const texts = (left: string, right: string) =>
      readingOrder([...column(0, left), ...column(200, right)]).map((group) => group[0]?.segment?.words[0]?.text)
    expect(texts('שמאל', 'ימין')).toEqual(['ימין0', 'שמאל0'])
    expect(texts('left', 'right')).toEqual(['left0', 'right0'])
  })

  it('of a table begin at the right, too', () => {
    const cell = (text: string, row: number, column: number, columns = 1) => ({
      text,
      lines: [],
      row,
      column,
      rows: 1,
      columns,
    })
    const table: Table = {
      columns: 3,
      rows: 2,
      headers: 1,
      cells: [cell('السعر', 0, 0, 2), cell('الاسم', 0, 2), cell('2025', 1, 0), cell('2024', 1, 1), cell('خبز', 1, 2)],
      spans: [10, 50, 90].map((from) => ({ from, to: from + 30 })),
      segments: [],
      x0: 10,
      x1: 120,
      y0: 0,
      y1: 40,
    }
    const { cells, spans } = inReadingDirection(table)
    expect(cells.map(({ text, column, columns }) => [text, column, columns])).toEqual([
      ['الاسم', 0, 1],
      ['السعر', 1, 2],
      ['خبز', 0, 1],
      ['2024', 1, 1],
      ['2025', 2, 1],
    ])
    expect(spans[0]).toEqual({ from: 90, to: 120 })
    expect(inReadingDirection({ ...table, cells: [cell('Name', 0, 0)] }).cells[0]?.column).toBe(0)
  })
})
