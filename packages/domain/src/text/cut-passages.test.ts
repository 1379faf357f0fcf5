import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutPassages } from './cut-passages.ts'

/** Treats each word as one token. */
const wordStarts = (text: string) => Uint32Array.from([...text.matchAll(/\S+/g)].map(({ index }) => index))
const cut = (text: string, maxTokens: number, overlapTokens = 0) =>
  cutPassages(text, wordStarts(text), { maxTokens, overlapTokens }).map(({ start, end }) => text.slice(start, end))

describe('cutPassages', () => {
  it('leaves a text that fits whole', () => {
    expect(cut('One two three. Four five.', 5)).toEqual(['One two three. Four five.'])
  })

  it('cuts at sentence boundaries', () => {
    expect(cut('One two three. Four five. Six seven eight.', 5)).toEqual([
      'One two three. Four five. ',
      'Six seven eight.',
    ])
  })

  it('begins a passage with the last sentences of the one before, when they fit the overlap', () => {
    expect(cut('One two three. Four. Five six seven.', 4, 1)).toEqual([
      'One two three. Four. ',
      'Four. Five six seven.',
    ])
  })

  it('leaves the overlap out when it would leave no room for the next sentence', () => {
    expect(cut('One two three. Four. Five six seven eight.', 4, 1)).toEqual([
      'One two three. Four. ',
      'Five six seven eight.',
    ])
  })

  it('cuts a sentence that is longer than a passage where its tokens fill one', () => {
    const words = Array.from({ length: 10 }, (_, index) => `w${index}`).join(' ')
    expect(cut(words, 4)).toEqual(['w0 w1 w2 w3 ', 'w4 w5 w6 w7 ', 'w8 w9'])
  })

  it('never cuts a word, however many tokens it has', () => {
    const list = Array.from({ length: 700 }, (_, index) => `item-${String(index * 7).padStart(5, '0')}`)
    for (const separator of [' ', ', ', ',', '; ', '\t']) {
      const text = list.join(separator)
      const tokens = Uint32Array.from([...text.matchAll(/\p{L}{1,3}|\d{1,2}|[^\s\p{L}\d]/gu)].map(({ index }) => index))
      const passages = cutPassages(text, tokens, { maxTokens: 254, overlapTokens: 31 })
      expect(passages.length).toBeGreaterThan(10)
      const words = passages.flatMap(({ start, end }) => text.slice(start, end).split(/[\s,;]+/))
      expect(new Set(words.filter(Boolean))).toEqual(new Set(list))
      for (const { start, end } of passages)
        expect([...tokens].filter((index) => index >= start && index < end).length).toBeLessThanOrEqual(254)
    }
  })

  it('repeats the end of a word before the place where it is cut, because it is longer than a passage', () => {
    const word = Array.from({ length: 300 }, (_, index) =>
      String.fromCharCode(97 + ((index * index + index * 3) % 26)),
    ).join('')
    const tokens = Uint32Array.from({ length: 100 }, (_, index) => index * 3)
    const passages = cutPassages(word, tokens, { maxTokens: 20, overlapTokens: 4 })
    for (const [index, { start, end }] of passages.entries()) {
      expect(end - start).toBeLessThanOrEqual(60)
      const before = passages[index - 1]
      if (before) expect(before.end - start).toBeGreaterThanOrEqual(6)
    }
    expect(passages.at(-1)?.end).toBe(300)
  })

  it('does not take a dot within an identifier for the end of a sentence', () => {
    expect(cut('See the parts 7.A 8.B 9.C for all of it.', 4)).toEqual([
      'See the parts 7.A ',
      '8.B 9.C for all ',
      'of it.',
    ])
    expect(cut('All of https://a.example/b?Id=7 is here.', 4)).toEqual(['All of https://a.example/b?Id=7 is ', 'here.'])
  })

  it('cuts a sentence without blanks between its words, and leaves room for the rest of a token', () => {
    const text = 'สวัสดีครับผมชื่อสมชายและทำงานที่กรุงเทพ'
    const tokens = Uint32Array.from({ length: Math.ceil(text.length / 3) }, (_, index) => index * 3)
    const words = new Set(
      [...new Intl.Segmenter('th', { granularity: 'word' }).segment(text)].map(({ index }) => index),
    )
    const passages = cutPassages(text, tokens, { maxTokens: 6, overlapTokens: 0 })
    expect(passages.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text)
    for (const { start, end } of passages) {
      expect(words.has(start)).toBe(true)
      expect(end - start).toBeLessThanOrEqual(18)
    }
  })

  it('keeps every token in a passage, and every passage within its limit, for any text', () => {
    const word = fc.string({ minLength: 1, maxLength: 4 }).filter((text) => /^\S+$/.test(text))
    const ending = fc.constantFrom(' ', '. ', '! ', '\n\n', '。')
    fc.assert(
      fc.property(
        fc.array(fc.tuple(word, ending), { minLength: 1, maxLength: 80 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 6 }),
        (parts, max, overlap) => {
          const text = parts.flat().join('')
          const tokens = wordStarts(text)
          const passages = cutPassages(text, tokens, { maxTokens: max, overlapTokens: Math.min(overlap, max - 1) })
          for (const { start, end } of passages)
            expect([...tokens].filter((index) => index >= start && index < end).length).toBeLessThanOrEqual(max)
          for (const index of tokens)
            expect(passages.some(({ start, end }) => index >= start && index < end)).toBe(true)
          expect(passages.length).toBeLessThanOrEqual(tokens.length)
        },
      ),
    )
  })
})
