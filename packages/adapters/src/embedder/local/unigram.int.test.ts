import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { tinyEmbedder, tinyTokenizer } from '@cairn/testing/tiny-embedder'
import { Tokenizer } from '@huggingface/tokenizers'
import { describe, expect, it } from 'vitest'
import { expectTokensOfLibrary } from './tokens.fixture.ts'
import { openTokens } from './tokens.ts'

const open = (file: object = tinyTokenizer) => {
  const dir = temporaryDirectory()
  writeFileSync(join(dir, 'tokenizer.json'), JSON.stringify(file))
  return openTokens(dir)
}
let opened: ReturnType<typeof open> | undefined
/** Opens the tokenizer once: it reads its file at the start only. */
const tokens = () => {
  opened ??= open()
  return opened
}
const idsOf = (text: string) => tokens().ids(text, Number.POSITIVE_INFINITY)

const library = new Tokenizer(tinyTokenizer, {})
const libraryIds = (text: string): number[] => library.encode(text, { add_special_tokens: false }).ids

/** Splits a text at the starts. */
const parts = (text: string): string[] => {
  const starts = tokens().starts(text)
  return [...starts].map((start, index) => text.slice(start, starts[index + 1]))
}

describe('unigram tokens', () => {
  it.each(tinyEmbedder.references)('are those of the original tokenizer for $text', ({ text, ids, starts }) => {
    expect(idsOf(text)).toEqual(ids)
    expect([...tokens().starts(text)]).toEqual(starts)
  })

  it.each([
    ['  two   a', ['t', 'w', 'o   ', 'a']],
    ['石头小路', ['石', '头', '小', '路']],
    // A mark belongs to its letter when both are composed, as is any character with its form before normalization.
    ['tro\u0300pa', ['t', 'r', 'o\u0300', 'p', 'a']],
    ['½1', ['', '', '', '½', '1']],
  ])('start in %j where their characters do', (text, expected) => {
    expect(parts(text)).toEqual(expected)
  })

  it('are exactly those of the library, one start each, for any text', () => {
    const alphabet = [
      ...'aehnopst ARS_4021.,!?小屋石路六月がｶﾞ돌길दर्रेत्กระท่อมطريقстропаüéß½™ﬁ¨▁\t\n\f\r\u000b\u0001\u0085\u00a0\u200b\u200d\u2028\u3000\ufeff\ufffd～',
      '\u0301',
      '\u0300',
      '\u1100',
      '\u1161',
      '\u11a8',
      '\ud800',
      '😀',
      'path',
      'query: ',
    ]
    expectTokensOfLibrary(tokens(), libraryIds, { alphabet, numRuns: 2_000 })
  })

  it('of a text without blanks are found in time that grows with its length', () => {
    const text = 'いろはにほへと山の小屋'.repeat(20_000)
    const from = performance.now()
    expect(tokens().starts(text).length).toBeGreaterThan(100_000)
    expect(performance.now() - from).toBeLessThan(10_000)
  })

  it('are at most the requested number', () => {
    const all = idsOf('the path to the hut')
    expect(tokens().ids('the path to the hut', all.length)).toEqual(all)
    expect(tokens().ids('the path to the hut', all.length - 1)).toEqual(all.slice(0, -1))
  })

  it('are never special tokens, whatever the text names', () => {
    const { first, last } = tokens().special
    expect([first, last]).toEqual([0, 2])
    expect(idsOf('a </s> <s><mask>').filter((id) => id === first || id === last)).toEqual([])
  })

  it('are found with the other form of SentencePiece, which splits at no blanks', () => {
    const steps = [
      tinyTokenizer.normalizer,
      { type: 'Strip', strip_left: false, strip_right: true },
      { type: 'Replace', pattern: { Regex: ' {2,}' }, content: '▁' },
    ]
    const other = open({
      ...tinyTokenizer,
      normalizer: { type: 'Sequence', normalizers: steps },
      pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
    })
    for (const { text, ids } of tinyEmbedder.references) expect(other.ids(text, 1_000)).toEqual(ids)
  })

  it.each([
    [{ ...tinyTokenizer, normalizer: { type: 'NFKC' } }, 'another normalizer'],
    [{ ...tinyTokenizer, pre_tokenizer: { type: 'Whitespace' } }, 'another normalizer'],
    [{ ...tinyTokenizer, model: { ...tinyTokenizer.model, unk_id: null } }, 'no unknown token'],
  ])('are not read by a tokenizer of another kind', (file, reason) => {
    expect(() => open(file)).toThrow(reason)
  })
})
