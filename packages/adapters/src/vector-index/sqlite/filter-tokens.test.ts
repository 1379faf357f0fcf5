import { describe, expect, it } from 'vitest'
import { filterTokens } from './filter-tokens.ts'

const tokensOf = (words: readonly string[]) => filterTokens({ terms: [], words })

describe('filterTokens', () => {
  it('leaves plain words readable and makes all tokens of characters that the tokenizer keeps', () => {
    expect(tokensOf(['cat', 'été', '猫', '2024'])).toEqual(['wcat', 'wété', 'w猫', 'w2024'])
    const strange = [
      '',
      ' ',
      'C',
      'a b',
      'a"b',
      "'",
      '*',
      'a\0b',
      '\ud800',
      '🐈',
      'x'.repeat(65),
      'a-b',
      '(',
      '^',
      'é E',
    ]
    for (const token of tokensOf(strange)) expect(token).toMatch(/^x[0-9a-f]{32}$/)
    expect(new Set(tokensOf(strange)).size).toBe(strange.length)
  })

  it('gives different strings different tokens', () => {
    const hashed = tokensOf(['A'])[0]!.slice(1)
    const strings = ['\ud800', '\ud801', '\ufffd', 'A', hashed, `x${hashed}`, `w${hashed}`, 'a', 'a\u0301', 'á']
    expect(new Set(tokensOf(strings)).size).toBe(strings.length)
    expect(tokensOf(strings)).toEqual(tokensOf(strings))
  })

  it('keeps terms and words apart', () => {
    const [term, word] = filterTokens({ terms: ['kind:a'], words: ['kind:a'] })
    expect(term).not.toBe(word)
    expect(term).toMatch(/^t/)
  })
})
