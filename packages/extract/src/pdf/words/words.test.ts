import { describe, expect, it } from 'vitest'
import type { Style } from '../characters/characters.ts'
import type { Glyph } from '../characters/page.ts'
import { wordsOf } from './words.ts'

const style: Style = { font: 'F', size: 10, isBold: false, isItalic: false, color: 0, mode: 0 }

/** Returns characters of 5 points each from `x` on; `step` is the distance between their starts. */
const line = (text: string, { x = 0, y = 0, step = 5, from = 0 } = {}): Glyph[] => {
  let afterBlank = false
  return [...text].flatMap((character, index) => {
    if (character === ' ') {
      afterBlank = true
      return []
    }
    const glyph = {
      text: character,
      x0: x + index * step,
      x1: x + index * step + 5,
      y,
      style,
      afterBlank,
      index: from + index,
    }
    afterBlank = false
    return [glyph]
  })
}
const textsOf = (glyphs: readonly Glyph[]) => wordsOf({ angle: 0, isVertical: false, glyphs }).map(({ text }) => text)
/** Returns right-to-left text as pdfium lists it: in reading order, from right to left. */
const rtl = (places: readonly string[]): Glyph[] =>
  places.flatMap((letters, place) =>
    [...letters].map((text, offset) => ({
      text,
      x0: 500 - place * 5,
      x1: 505 - place * 5,
      y: 0,
      style,
      afterBlank: false,
      index: place * 3 + offset,
    })),
  )

describe('words of a page', () => {
  it('end at blanks, at gaps and where a line ends', () => {
    expect(textsOf(line('two words'))).toEqual(['two', 'words'])
    expect(textsOf([...line('left'), ...line('right', { x: 23, from: 4 })])).toEqual(['left', 'right'])
    expect(textsOf([...line('one'), ...line('two', { y: 20, from: 3 })])).toEqual(['one', 'two'])
    expect(textsOf([...line('one'), ...line('line', { x: 15.5, from: 3 })])).toEqual(['oneline'])
  })

  it('end at the narrow gaps of a tightly set line', () => {
    const tight = (parts: readonly string[], gap: number) => {
      let x = 0
      return parts.flatMap((word, index) => {
        const glyphs = line(word, { x, from: index * 20 })
        x += word.length * 5 + gap
        return glyphs
      })
    }
    const words = ['large', 'models', 'are', 'becoming', 'a', 'building', 'block']
    expect(textsOf(tight(words, 1.7))).toEqual(words)
    expect(textsOf(tight(words, 0.6))).toEqual([words.join('')])
    // One narrow gap in a line of usual ones is between letters, such as those of a font with wide letters.
    const usual = [...tight(words, 2.8), ...line('ab', { x: 210, from: 200 }), ...line('c', { x: 221.8, from: 202 })]
    expect(textsOf(usual)).toEqual([...words, 'abc'])
  })

  it('have exponents with a sign, and marks of footnotes as words of their own', () => {
    const raised = (before: string, text: string, after = '') => {
      const small = { ...style, size: 6 }
      const x = before.length * 5
      return textsOf([
        ...line(before),
        ...line(text, { x, y: -4, from: before.length }).map((glyph) => ({ ...glyph, style: small })),
        ...line(after, { x: x + text.length * 5, from: before.length + text.length }),
      ])
    }
    expect(raised('10', '6')).toEqual(['10^6'])
    expect(raised('km', '2', ',')).toEqual(['km^2,'])
    expect(raised('mol', '-1')).toEqual(['mol^-1'])
    expect(raised('operations', '1', '.')).toEqual(['operations', '[1].'])
    expect(raised('Moor', '2,3', 'and')).toEqual(['Moor', '[2,3]', 'and'])
    expect(raised('1,234', '5')).toEqual(['1,234', '[5]'])
    expect(raised('', '7', 'Taken')).toEqual(['[7]', 'Taken'])
    expect(raised('4', 'th')).toEqual(['4th'])
    expect(raised('3', '1', '/2')).toEqual(['31/2'])
    expect(raised('(', '4', ')')).toEqual(['(4)'])
  })

  it('include letters that are drawn with gaps', () => {
    expect(textsOf(line('ANNUAL', { step: 8 }))).toEqual(['ANNUAL'])
    expect(textsOf([...line('ANNUAL', { step: 8 }), ...line('REPORT', { x: 56, step: 8, from: 6 })])).toEqual([
      'ANNUAL',
      'REPORT',
    ])
  })

  it('are read once if copies of them imitate a bold font', () => {
    const copies = line('Bold').flatMap((glyph, index) => [
      { ...glyph, index: index * 2 },
      { ...glyph, x0: glyph.x0 + 0.4, x1: glyph.x1 + 0.4, index: index * 2 + 20 },
    ])
    expect(textsOf(copies.toSorted((a, b) => a.index - b.index))).toEqual(['Bold'])
  })

  it('are separated from dot leaders', () => {
    expect(
      textsOf([...line('Cash'), ...line('......', { x: 20, from: 4 }), ...line('12', { x: 50, from: 10 })]),
    ).toEqual(['Cash', '......', '12'])
    expect(textsOf(line('Cash . . . . . . 12'))).toEqual(['Cash', '......', '12'])
    expect(textsOf(line('wait...'))).toEqual(['wait...'])
  })

  it('keep the letters of a ligature, in any script', () => {
    const ligature = [...'ffi'].map((text, index) => ({
      text,
      x0: 5,
      x1: 12,
      y: 0,
      style,
      afterBlank: false,
      index: 1 + index,
    }))
    const after = line('ce', { x: 12, from: 4 })
    expect(textsOf([...line('o'), ...ligature, ...after])).toEqual(['office'])
    // Each letter may have its own width instead of the width of the ligature.
    const own = [...'fi'].map((text, index) => ({ text, x0: 0, x1: 3, y: 0, style, afterBlank: false, index }))
    expect(textsOf([...own, ...line('nd', { x: 6, from: 2 })])).toEqual(['find'])
    // Lam and alef as a font may list them, in left-to-right page order, and as one ligature character.
    expect(textsOf(rtl(['س', 'ال', 'م']))).toEqual(['سلام'])
    expect(textsOf(rtl(['س', 'لا', 'م']))).toEqual(['سلام'])
  })

  it('have marks of right-to-left text behind their letters', () => {
    const [first, second, third] = rtl(['أ', 'ي', 'ض']) as [Glyph, Glyph, Glyph]
    const mark = { ...third, text: '\u064b', x0: third.x0 + 1, x1: third.x0 + 4 }
    expect(textsOf([first, second, mark, third])).toEqual(['أيض\u064b'])
  })
})
