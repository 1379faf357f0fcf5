import { describe, expect, it } from 'vitest'
import type { Style } from '../characters/characters.ts'
import { segmentOf } from '../words/segments.ts'
import { type Line, lineOf } from './lines.ts'
import { paragraphsOf } from './paragraphs.ts'

const line = (text: string, x: number, y: number, more: { size?: number; width?: number } = {}): Line => {
  const { size = 10, width = text.length * 5 } = more
  const style: Style = { font: 'F', size, isBold: false, isItalic: false, color: 0, mode: 0 }
  return lineOf([segmentOf([{ text, x0: x, x1: x + width, y, style, index: 0 }])])
}
/** Returns full lines, 12 points apart. */
const column = (x: number, top: number, texts: readonly string[]): Line[] =>
  texts.map((text, index) => line(text, x, top + index * 12, { width: 200 }))
const textsOf = (lines: readonly Line[]): string[] => paragraphsOf(lines).map(({ text }) => text)

describe('paragraphs of a page', () => {
  it('join their lines and end at a wider gap', () => {
    const lines = [
      ...column(72, 100, ['The first line goes', 'on to a second.']),
      ...column(72, 140, ['Another paragraph', 'of two lines.']),
    ]
    expect(textsOf(lines)).toEqual(['The first line goes on to a second.', 'Another paragraph of two lines.'])
  })

  it('begin at an indent, and after a short line that ends a sentence', () => {
    const lines = column(72, 100, ['A long line of this paragraph', 'and its end.'])
    const indented = [
      ...lines,
      line('Indented it begins here', 90, 124, { width: 182 }),
      ...column(72, 136, ['and goes on.']),
    ]
    expect(textsOf(indented)).toEqual([
      'A long line of this paragraph and its end.',
      'Indented it begins here and goes on.',
    ])
    const short = [
      lines[0] as Line,
      line('and its end.', 72, 112, { width: 60 }),
      ...column(72, 124, ['Flush it begins.']),
    ]
    expect(textsOf(short)).toEqual(['A long line of this paragraph and its end.', 'Flush it begins.'])
  })

  it('begin below a larger line, which is a title', () => {
    const lines = [line('A Title', 72, 86, { size: 16 }), ...column(72, 100, ['Text below the', 'title.'])]
    expect(textsOf(lines)).toEqual(['A Title', 'Text below the title.'])
  })

  it('may continue in the next column', () => {
    const left = column(72, 100, ['The left column says', 'that a sentence may'])
    const right = column(320, 100, ['go on to the right.', 'There it ends.'])
    expect(textsOf([...left, ...right])).toEqual([
      'The left column says that a sentence may go on to the right. There it ends.',
    ])
    const ended = column(72, 100, ['The left column ends', 'with a sentence.'])
    expect(textsOf([...ended, ...column(320, 100, ['The right one', 'begins anew.'])])).toEqual([
      'The left column ends with a sentence.',
      'The right one begins anew.',
    ])
  })

  it('have hyphenated words joined', () => {
    expect(
      textsOf(column(72, 100, ['This is remark-', 'able and con\u00ad', 'tinues with New York-', 'London.'])),
    ).toEqual(['This is remarkable and continues with New York- London.'])
    expect(textsOf(column(72, 100, ['There are light- and heavy-', 'duty carts.']))).toEqual([
      'There are light- and heavy-duty carts.',
    ])
  })

  it('keep line breaks of the author', () => {
    const lines = (...texts: readonly string[]) =>
      texts.map((text, index) =>
        lineOf([
          segmentOf(
            text.split(' ').map((word, at) => {
              const x0 = 20 + text.split(' ').slice(0, at).join(' ').length * 5 + (at > 0 ? 5 : 0)
              const style = { font: 'F', size: 10, isBold: false, isItalic: false, color: 0, mode: 0 }
              return { text: word, x0, x1: x0 + word.length * 5, y: 100 + index * 12, style, index: at }
            }),
          ),
        ]),
      )
    const receipt = ['Rye loaf, baked today 2 x 3.50', '$7.00', 'Butter 250g $2.40', 'SUBTOTAL $9.40', 'VAT (7%) $0.61']
    const form = ['Order: 2024-117', 'Warehouse: at the eastern quay', 'Date: 2024-11-15', 'By: Ann']
    const poem = ['The boat comes in', 'the tide goes out', 'and on the wall the keeper waits']
    for (const kept of [receipt, form, poem]) expect(textsOf(lines(...kept))).toEqual([kept.join('\n')])
    const prose = ['The ferry goes at seven and at', 'nine, and on feast days also at', 'eleven if the tide is not low']
    expect(textsOf(lines(...prose))).toEqual([prose.join(' ')])
  })

  it('have no blank between lines of Chinese', () => {
    expect(textsOf(column(72, 100, ['今天天气很', '好。']))).toEqual(['今天天气很好。'])
  })

  it('are the items of a list', () => {
    const lines = column(72, 100, ['Things to bring:', '• bread', '• water and', 'salt', '2. a map'])
    expect(textsOf(lines)).toEqual(['Things to bring:', '• bread', '• water and salt', '2. a map'])
  })
})
