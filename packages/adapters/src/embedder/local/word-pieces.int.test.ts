import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { usedHeapMb } from '@cairn/testing/used-heap'
import { Tokenizer } from '@huggingface/tokenizers'
import { describe, expect, it } from 'vitest'
import { expectTokensOfLibrary } from './tokens.fixture.ts'
import { openTokens } from './tokens.ts'

const words = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  'token',
  '##ization',
  '##s',
  'cafe',
  'don',
  "'",
  't',
  ',',
  '.',
  '!',
  '-',
  '日',
  '本',
  '##本',
  '語',
  'a',
  '##a',
  'b',
  '##b',
  'ς',
  'σ',
  '##ς',
  '##σ',
  'ο',
  '##ο',
  'ᄒ',
  '##ᅡ',
  '##ᆫ',
  'i',
  '##i',
  '1',
  '##2',
]

/** A BERT tokenizer with very few words. */
const tokenizerFile = {
  version: '1.0',
  added_tokens: words.slice(0, 4).map((content, id) => ({
    id,
    content,
    special: true,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  })),
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    pair: [],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
    },
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(words.map((word, id) => [word, id])),
  },
}

const open = (file: object = tokenizerFile) => {
  const dir = temporaryDirectory()
  writeFileSync(join(dir, 'tokenizer.json'), JSON.stringify(file))
  writeFileSync(join(dir, 'tokenizer_config.json'), '{}')
  return openTokens(dir)
}

const library = new Tokenizer(tokenizerFile, {})
const libraryIds = (text: string): number[] => library.encode(text, { add_special_tokens: false }).ids

/** Splits a text at the starts. */
const parts = (text: string, starts: Uint32Array): string[] =>
  [...starts].map((start, index) => text.slice(start, starts[index + 1]))

describe('word pieces', () => {
  it.each([
    ['tokenizations, cafe', ['token', 'ization', 's', ', ', 'cafe']],
    ['Café TOKENS\n don’t', ['Café ', 'TOKEN', 'S\n ', 'don', '’', 't']],
    ["don't", ['don', "'", 't']],
    ['日本語 日本', ['日', '本', '語 ', '日', '本']],
    ['x unknown, a', ['x ', 'unknown', ', ', 'a']],
    ['tok\u200ben', ['tok\u200ben']],
    ['tokens\u000bs', ['token', 's\u000b', 's']],
    ['οσΣ', ['ο', 'σ', 'Σ']],
    ['a\u0301b\u0327a', ['a\u0301', 'b\u0327', 'a']],
    [`${'z'.repeat(50_000)} a`, [`${'z'.repeat(50_000)} `, 'a']],
  ])('finds where each token of %j begins', (text, expected) => {
    expect(parts(text, open().starts(text))).toEqual(expected)
  })

  it('takes little time for a hundred thousand marks, and keeps the places of the tokens after them', () => {
    const from = performance.now()
    expect([...open().starts(`a${'\u0301\u0323'.repeat(50_000)} b`)]).toEqual([0, 100_002])
    expect(performance.now() - from).toBeLessThan(1_000)
  })

  it('gives several tokens of one character the same start', () => {
    expect([...open().starts('한 a')]).toEqual([0, 0, 0, 2])
  })

  it('spreads the tokens where a special token is written in the text', () => {
    const text = 'a[SEP]b😀[CLS]'
    const starts = [...open().starts(text)]
    expect(starts).toHaveLength(libraryIds(text).length)
    expect(
      starts.every((start, index) => start >= (starts[index - 1] ?? 0) && !/[\udc00-\udfff]/.test(text[start] ?? '')),
    ).toBe(true)
  })

  it('has exactly the tokens of the library, one start each, for any text', () => {
    const alphabet = [
      ..."tokenizs caféTS日本語aAbB,.'-!1 2\t\n\u000b\u0085\u00a0\u200b\u2028\u3000οσςΣ한İı",
      '\u0301',
      '\ud800',
      '😀',
      '[SEP]',
      '𠀀',
      'ﬁ',
    ]
    expectTokensOfLibrary(open(), libraryIds, { alphabet, numRuns: 300 })
  })

  it('keeps no text in memory for a word that it has cached', () => {
    const { starts } = open()
    const before = usedHeapMb()
    for (let index = 0; index < 1_000; index += 1)
      starts(Buffer.from(`documentnumber${index}x ${'token '.repeat(7_000)}`).toString())
    expect(usedHeapMb() - before).toBeLessThan(15)
  })

  it('returns at most the requested number of tokens', () => {
    expect(open().ids('a b a b a', 3)).toEqual(libraryIds('a b a'))
  })

  it('refuses a tokenizer of another kind', () => {
    expect(() => open({ ...tokenizerFile, model: { ...tokenizerFile.model, type: 'BPE' } })).toThrow('BPE')
  })
})
