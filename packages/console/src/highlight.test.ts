import { describe, expect, it } from 'vitest'
import { cutAtRanges, shorten } from './highlight.ts'

describe('cutAtRanges', () => {
  it('counts code points, as the API does', () => {
    expect(cutAtRanges('🪨🪨 path', [{ start: 2, end: 3 }])).toEqual([
      { text: '🪨🪨', isMarked: false },
      { text: ' ', isMarked: true },
      { text: 'path', isMarked: false },
    ])
  })

  it('takes ranges in any order, ones that overlap, and ones that reach beyond the text', () => {
    const pieces = cutAtRanges('abcdef', [
      { start: 4, end: 99 },
      { start: 0, end: 2 },
      { start: 1, end: 3 },
    ])
    expect(pieces.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join('')).toBe('[ab][c]d[ef]')
  })

  it('keeps a text without ranges, and an empty one', () => {
    expect(cutAtRanges('abc', [])).toEqual([{ text: 'abc', isMarked: false }])
    expect(cutAtRanges('', [])).toEqual([])
  })
})

describe('shorten', () => {
  const long = 'x'.repeat(1_000)
  it('keeps what is marked, and a little before and after it', () => {
    const pieces = shorten(cutAtRanges(`${long}here${long}`, [{ start: 1_000, end: 1_004 }]), 10)
    expect(pieces.map(({ text }) => text)).toEqual([`…${'x'.repeat(10)}`, 'here', `${'x'.repeat(10)}…`])
  })

  it('shows the beginning of a long text without a mark, and all of a short one', () => {
    expect(shorten([{ text: long, isMarked: false }])[0]?.text).toBe(`${'x'.repeat(600)}…`)
    expect(shorten([{ text: 'short', isMarked: false }])[0]?.text).toBe('short')
  })
})
