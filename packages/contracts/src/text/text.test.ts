import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codePointLength, codePointsBetween, fold, foldLoosely, utf8Length } from './text.ts'

/** Any UTF-16, lone surrogates included. */
const anyText = (maxLength: number) =>
  fc.oneof(
    fc.string({ maxLength }),
    fc.uint16Array({ maxLength }).map((units) => String.fromCharCode(...units)),
  )

describe('codePointLength', () => {
  it('counts an emoji as one, a combining mark as one and a lone surrogate as one', () => {
    expect(codePointLength('🙂')).toBe(1)
    expect(codePointLength('e\u0301')).toBe(2)
    expect(codePointLength('a\ud800b')).toBe(3)
    expect(codePointLength('')).toBe(0)
  })

  it('agrees with the string iterator on any text', () => {
    expect(() =>
      fc.assert(fc.property(anyText(60), (text) => codePointLength(text) === [...text].length)),
    ).not.toThrow()
  })
})

describe('utf8Length', () => {
  it('counts bytes', () => {
    expect(utf8Length('aé€🙂')).toBe(1 + 2 + 3 + 4)
  })
})

describe('fold', () => {
  it.each([
    ['STRASSE', 'straße'],
    ['STRAẞE', 'strasse'],
    ['ΟΔΟΣ', 'οδος'],
    ['e\u0301', 'É'],
  ])('makes %j and %j the same', (left, right) => {
    expect(fold(left)).toBe(fold(right))
  })

  it('changes nothing the second time', () => {
    expect(() => fc.assert(fc.property(anyText(60), (text) => fold(fold(text)) === fold(text)))).not.toThrow()
  })

  it('gives well-formed text', () => {
    expect(() => fc.assert(fc.property(anyText(60), (text) => fold(text).isWellFormed()))).not.toThrow()
  })

  it('folds a Greek word alike wherever it stands', () => {
    expect(fold('ΣΑΣ')).toBe(fold('σας'))
    expect(fold('ΣΑΣ:x')).toBe(`${fold('ΣΑΣ')}:x`)
  })
})

it('takes the code points between two places', () => {
  const range = fc.nat(30)
  expect(() =>
    fc.assert(
      fc.property(anyText(20), range, range, (text, from, to) => {
        expect(codePointsBetween(text, from, to)).toBe(Array.from(text).slice(from, to).join(''))
      }),
    ),
  ).not.toThrow()
})

describe('foldLoosely', () => {
  it('makes hyphens, blanks and control characters one space each', () => {
    expect(foldLoosely('New-York\tCity\u0000')).toBe('new york city ')
    expect(foldLoosely('a--b')).toBe('a  b')
  })

  it('changes nothing the second time', () => {
    expect(() =>
      fc.assert(fc.property(anyText(60), (text) => foldLoosely(foldLoosely(text)) === foldLoosely(text))),
    ).not.toThrow()
  })
})
