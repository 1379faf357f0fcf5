import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normaliseId } from './ids.ts'

const accepted = (value: unknown): string | undefined => {
  const checked = normaliseId(value)
  return checked.ok ? checked.id : undefined
}

describe('normaliseId', () => {
  it.each([
    ['a', 'a'],
    [' ', ' '],
    ['doc 1#2', 'doc 1#2'],
    ['__proto__', '__proto__'],
    [0, '0'],
    [-0, '0'],
    [1, '1'],
    [1.5, '1.5'],
    [1e308, '1e+308'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    [Number.MIN_SAFE_INTEGER, '-9007199254740991'],
    ['x'.repeat(512), 'x'.repeat(512)],
    ['é'.repeat(256), 'é'.repeat(256)],
    ['🙂'.repeat(128), '🙂'.repeat(128)],
  ])('takes %j', (value, id) => {
    expect(accepted(value)).toBe(id)
  })

  it.each([
    [''],
    [undefined],
    [null],
    [true],
    [{}],
    [{ $ne: null }],
    [['a']],
    [JSON.parse('9007199254740993')],
    [Number.MAX_SAFE_INTEGER + 1],
    [Number.MIN_SAFE_INTEGER - 1],
    [1e20],
    [JSON.parse('1e400')],
    [Number.NaN],
    ['x'.repeat(513)],
    [`${'é'.repeat(256)}x`],
    ['x'.repeat(10_240)],
    ['a\u0000b'],
    ['a\nb'],
    ['\u0085'],
    ['a\ud800'],
    ['\udc00'],
  ])('refuses %j', (value) => {
    expect(accepted(value)).toBeUndefined()
  })

  it('takes a number and its text for the same id', () => {
    expect(() =>
      fc.assert(fc.property(fc.maxSafeInteger(), (number) => accepted(number) === accepted(String(number)))),
    ).not.toThrow()
  })

  it('never throws and changes an accepted id no more', () => {
    expect(() =>
      fc.assert(
        fc.property(fc.anything({ withBigInt: true }), (value) => {
          const id = accepted(value)
          return id === undefined || accepted(id) === id
        }),
      ),
    ).not.toThrow()
  })
})
