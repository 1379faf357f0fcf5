import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wordBorder } from './word-border.ts'

const cut = (text: string, limit: number): [string, string] => {
  const index = wordBorder(text, 0, limit)
  return [text.slice(0, index), text.slice(index)]
}

describe('wordBorder', () => {
  it('returns the end of a text that is no longer than the limit', () => {
    expect(wordBorder('item-01554', 0, 10)).toBe(10)
    expect(wordBorder('item-01554', 4, 20)).toBe(10)
  })

  it.each([
    ['one item-01554 two', 9, 'one '],
    ['one item_01554 two', 9, 'one '],
    ['see v1.20.3 now', 8, 'see '],
    ['from a/b/c to d', 8, 'from '],
    ['in C:\\data\\new it is', 9, 'in '],
    ['at 10:15:30 sharp', 6, 'at '],
    ['for 12,500.00 EUR', 8, 'for '],
    ['mail ann.moor@post.example today', 15, 'mail '],
    ['open https://a.example/b?c=d&e=f#g now', 30, 'open '],
    ["I don't know", 5, 'I '],
    ['item-1,item-22,item-333', 12, 'item-1,'],
    ['red;green;blue', 6, 'red;'],
    ['型番AB-1234の部品', 6, '型番'],
    ['吾輩は猫である。コンピューターを使う', 12, '吾輩は猫である。'],
    ['สวัสดีครับผมชื่อสมชาย', 17, 'สวัสดีครับผมชื่อ'],
    ['ok👨‍👩‍👧ok', 6, 'ok'],
  ])('does not cut a word of %j at %i', (text, limit, first) => {
    expect(cut(text, limit)).toEqual([first, text.slice(first.length)])
  })

  it.each([',', ';', '|', '，', '、'])(
    'never cuts an item of a list joined by %j, whatever it begins and ends with',
    (comma) => {
      const digits = (item: number) => Array.from({ length: 12 }, (_, index) => (item * 7 + index * 3) % 10).join('')
      const lists = [
        Array.from(
          { length: 200 },
          (_, item) => `${digits(item)}-${digits(item + 3).slice(0, 4)}-4a5f-${digits(item + 5)}`,
        ),
        Array.from({ length: 200 }, (_, item) => `${digits(item).slice(0, 8)}.${item % 10}6`),
      ]
      for (const list of lists)
        for (const size of [40, 60, 100, 500]) {
          const text = list.join(comma)
          const items: string[] = []
          for (let from = 0; from < text.length; ) {
            const to = wordBorder(text, from, from + size)
            items.push(...text.slice(from, to).split(comma).filter(Boolean))
            from = to
          }
          expect(items).toEqual(list)
        }
    },
  )

  it.each([
    ['item-1|item-22|item-333', 12, 'item-1|'],
    ['aaaa/bbb-ccc-ddd', 12, 'aaaa/bbb-'],
    ['aaa-bbb-ccc-ddd', 13, 'aaa-bbb-ccc-'],
    ['abcdefghij', 4, 'abcd'],
    ['e\u0301'.repeat(4), 3, 'e\u0301'],
    ['🐞🐞🐞', 3, '🐞'],
    ['क्षत्रियक्षत्रिय', 5, 'क्ष'],
  ])('cuts a word longer than the limit at a seam of it or between graphemes: %j at %i', (text, limit, first) => {
    expect(cut(text, limit)).toEqual([first, text.slice(first.length)])
  })

  it('cuts within a grapheme that is longer than any', () => {
    const [first] = cut(`a${'\u0301'.repeat(100_000)}`, 50_000)
    expect(first).toHaveLength(50_000)
  })

  it('finds the end of a word that is far before the limit', () => {
    expect(wordBorder(`one ${'x'.repeat(9_000)}`, 0, 8_000)).toBe(4)
    expect(wordBorder(`one ${'x'.repeat(9_000)}`, 4, 8_000)).toBe(8_000)
  })

  it('takes no more time for a word that never ends', () => {
    const text = 'x'.repeat(400_000)
    const started = performance.now()
    for (let from = 0; from < text.length; ) from = wordBorder(text, from, from + 1_000)
    for (let from = 0; from < text.length; ) from = wordBorder(text, from, from + 50_000)
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  it('stays between its start and its limit and never splits a surrogate pair, for any text', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 2, maxLength: 60 })
    fc.assert(
      fc.property(text, fc.nat(40), fc.integer({ min: 2, max: 40 }), (any, from, length) => {
        fc.pre(from < any.length)
        const index = wordBorder(any, from, from + length)
        expect(index).toBeGreaterThan(from)
        expect(index).toBeLessThanOrEqual(Math.min(from + length, any.length))
        if (from === 0) expect(any.slice(0, index).isWellFormed()).toBe(true)
      }),
    )
  })
})
