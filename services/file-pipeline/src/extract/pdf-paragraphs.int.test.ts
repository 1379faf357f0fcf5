import { describe, expect, it } from 'vitest'
import { isUsable, paragraphsOf, type TextRun } from './pdf-paragraphs.ts'

const run = (
  str: string,
  x: number,
  y: number,
  more: { size?: number; width?: number; hasEOL?: boolean; angle?: number } = {},
): TextRun => {
  const { size = 10, width = str.length * size * 0.5, hasEOL = false, angle = 0 } = more
  const [cos, sin] = [Math.cos(angle) * size, Math.sin(angle) * size]
  return { str, transform: [cos, sin, -sin, cos, x, y], width, height: size, dir: 'ltr', hasEOL }
}

/** Full lines, 12 points apart. */
const column = (x: number, top: number, lines: readonly string[]): TextRun[] =>
  lines.map((line, index) => run(line, x, top - index * 12, { hasEOL: true, width: 200 }))

describe('paragraphs of a page', () => {
  it('joins the lines of a paragraph and parts paragraphs at a wider gap', () => {
    const runs = [
      ...column(72, 700, ['The first line goes', 'on to a second.']),
      ...column(72, 660, ['Another paragraph', 'of two lines.']),
    ]
    expect(paragraphsOf(runs)).toEqual(['The first line goes on to a second.', 'Another paragraph of two lines.'])
  })

  it('joins the columns of vertical writing, from right to left', () => {
    const vertical = (str: string, x: number): TextRun => ({
      ...run(str, x, 700, { width: 10, hasEOL: true }),
      height: str.length * 10,
      dir: 'ttb',
    })
    const first = [vertical('港には船がたくさん', 300), vertical('あります。', 285)]
    const next = [vertical('次の段落はここから', 240), vertical('始まります。', 225)]
    expect(paragraphsOf([...first, ...next])).toEqual([
      '港には船がたくさんあります。',
      '次の段落はここから始まります。',
    ])
  })

  it('parts paragraphs at an indent, and after a short line that ends a sentence', () => {
    const lines = column(72, 700, ['A long line of this paragraph', 'and its end.'])
    const indented = [
      ...lines,
      run('Indented it begins here', 90, 676, { width: 182, hasEOL: true }),
      ...column(72, 664, ['and goes on.']),
    ]
    expect(paragraphsOf(indented)).toEqual([
      'A long line of this paragraph and its end.',
      'Indented it begins here and goes on.',
    ])
    const short = [
      lines[0] as TextRun,
      run('and its end.', 72, 688, { width: 60, hasEOL: true }),
      ...column(72, 676, ['Flush it begins.']),
    ]
    expect(paragraphsOf(short)).toEqual(['A long line of this paragraph and its end.', 'Flush it begins.'])
  })

  it('parts a larger line, which is a title, from the text below it', () => {
    const runs = [run('A Title', 72, 714, { size: 16, hasEOL: true }), ...column(72, 700, ['Text below the', 'title.'])]
    expect(paragraphsOf(runs)).toEqual(['A Title', 'Text below the title.'])
  })

  it('keeps the order of columns and lets a sentence go on in the next one', () => {
    const left = column(72, 700, ['The left column says', 'that a sentence may'])
    const right = column(320, 700, ['go on to the right.', 'There it ends.'])
    expect(paragraphsOf([...left, ...right])).toEqual([
      'The left column says that a sentence may go on to the right. There it ends.',
    ])
    const ended = column(72, 700, ['The left column ends', 'with a sentence.'])
    expect(paragraphsOf([...ended, ...column(320, 700, ['The right one', 'begins anew.'])])).toEqual([
      'The left column ends with a sentence.',
      'The right one begins anew.',
    ])
  })

  it('puts a blank where runs of a line stand apart and none where they touch', () => {
    const runs = [
      run('Hel', 72, 700, { width: 15 }),
      run('lo', 87, 700, { width: 10 }),
      run('world', 101, 700, { width: 25, hasEOL: true }),
    ]
    expect(paragraphsOf(runs)).toEqual(['Hello world'])
  })

  it('keeps raised runs in their line', () => {
    const runs = [
      run('See note', 72, 700, { width: 40 }),
      run('3', 112, 704, { size: 6, width: 3 }),
      run(' below.', 115, 700, { width: 30 }),
    ]
    expect(paragraphsOf(runs)).toEqual(['See note3 below.'])
  })

  it('puts parted words together', () => {
    expect(
      paragraphsOf(column(72, 700, ['This is remark-', 'able and con\u00ad', 'tinues with New York-', 'London.'])),
    ).toEqual(['This is remarkable and continues with New York- London.'])
  })

  it('joins lines of Chinese without a blank', () => {
    expect(paragraphsOf(column(72, 700, ['今天天气很', '好。']))).toEqual(['今天天气很好。'])
  })

  it('makes each item of a list a paragraph', () => {
    const runs = column(72, 700, ['Things to bring:', '• bread', '• water and', 'salt', '2. a map'])
    expect(paragraphsOf(runs)).toEqual(['Things to bring:', '• bread', '• water and salt', '2. a map'])
  })

  it('reads turned text along its own lines', () => {
    const up = Math.PI / 2
    const runs = [
      run('Turned text reads', 100, 100, { angle: up, width: 200, hasEOL: true }),
      run('as any other.', 112, 100, { angle: up, width: 60, hasEOL: true }),
    ]
    expect(paragraphsOf(runs)).toEqual(['Turned text reads as any other.'])
  })

  it('leaves out lines of blanks and controls', () => {
    expect(
      paragraphsOf([run('  ', 72, 700, { hasEOL: true }), run('\u0000\u0007', 72, 688, { hasEOL: true })]),
    ).toEqual([])
    expect(paragraphsOf([])).toEqual([])
  })
})

describe('usable text', () => {
  const usable = (...texts: string[]) => {
    const runs = texts.map((text, index) => run(text, 72, 700 - index * 12, { hasEOL: true }))
    return isUsable(paragraphsOf(runs), runs)
  }

  it('is text of which most glyphs stand for characters', () => {
    expect(usable('A page number 7')).toBe(true)
    expect(usable('读书', 'עברית')).toBe(true)
    expect(usable('Text with one \ufffd glyph')).toBe(true)
  })

  it('is not text of glyphs that stand for nothing', () => {
    expect(usable('\ufffd\ufffd\ufffd a')).toBe(false)
    expect(usable('\ue001\ue002 \uf8ff')).toBe(false)
    expect(usable('\u0001\u0002\u0003')).toBe(false)
    expect(usable('   ')).toBe(false)
    expect(usable()).toBe(false)
  })
})
