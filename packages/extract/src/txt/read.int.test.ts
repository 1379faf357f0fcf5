import { expect, it } from 'vitest'
import { readFile, texts } from '../read-file.fixture.ts'

it('emits a block for each paragraph, with its offset', async () => {
  const source = 'First line\nsecond line\n\n\n  Next paragraph.  \r\n\r\nLast, with no end'
  const { blocks } = await readFile('txt', source)
  expect(blocks.map(({ text }) => text)).toEqual(['First line\nsecond line', '  Next paragraph.', 'Last, with no end'])
  expect(blocks.map(({ at }) => source.slice(at.offset?.from, at.offset?.to))).toEqual([
    'First line\nsecond line',
    '  Next paragraph.',
    'Last, with no end',
  ])
})

it('begins a paragraph at each form feed, also within a line', async () => {
  const source = 'Page one.\fPage two.\f\nPage three.\r\n\f\fPage four.'
  const { blocks } = await readFile('txt', source)
  const pages = ['Page one.', 'Page two.', 'Page three.', 'Page four.']
  expect(blocks.map(({ text }) => text)).toEqual(pages)
  expect(blocks.map(({ at }) => source.slice(at.offset?.from, at.offset?.to))).toEqual(pages)
})

it('cuts a line that is longer than a block at a blank, without loss', async () => {
  const words = Array.from({ length: 30_000 }, (_, index) => `word${index}`).join(' ')
  const { blocks } = await readFile('txt', words)
  expect(blocks.length).toBeGreaterThan(4)
  expect(blocks.every(({ text }) => text.length <= 50_000)).toBe(true)
  expect(blocks.map(({ text }) => text).join(' ')).toBe(words)
  for (const { text, at } of blocks) expect(words.slice(at.offset?.from, at.offset?.to)).toBe(text)
})

it('cuts between characters if there is no blank', async () => {
  const { blocks } = await readFile('txt', `a${'😀'.repeat(60_000)}`)
  expect(blocks.every(({ text }) => text.isWellFormed() && !text.includes('\uFFFD'))).toBe(true)
  expect(blocks.map(({ text }) => text.length).reduce((a, b) => a + b)).toBe(120_001)
})

it('cuts a line without blanks between its words, and never within a character of several code points', async () => {
  const list = Array.from({ length: 12_000 }, (_, index) => `item-${String(index).padStart(5, '0')}`)
  const items = await readFile('txt', list.join(','))
  expect(items.blocks.length).toBeGreaterThan(2)
  expect(texts(items).flatMap((text) => text.split(',').filter(Boolean))).toEqual(list)
  for (const character of ['e\u0301', '👩‍🚀', 'क्षि', '한']) {
    const { blocks } = await readFile('txt', `a${character.repeat(40_000)}`)
    expect(blocks.map(({ text }) => text.replaceAll(character, '')).join('')).toBe('a')
  }
})

it('removes bytes that are not characters', async () => {
  expect(texts(await readFile('txt', `One word, and ${'more '.repeat(50)}\u000bend`))[0]).toContain('end')
})

it.each([
  ['a\0b c', 'a b c'],
  ['apple\0pear\0fig', 'apple pear fig'],
  ['one\0\0 two', 'one  two'],
  [`before${'\0'.repeat(5_000)}after`, 'before after'],
  [`${'\0'.repeat(100_000)}after`, 'after'],
  ['the first half of it is plain, and P\0o\0w\0e\0r\0 \0', 'the first half of it is plain, and Power'],
  ['8=FIX\x019=65\x0135=A', '8=FIX 9=65 35=A'],
  ['one\x0btwo\x08three\x85four\x7f', 'one two three four'],
  ['\x1b[1;31mred\x1b[0m and \x1b[Kplain', 'red and plain'],
  ['end of DOS\x1a', 'end of DOS'],
])('removes control characters from %j', async (source, text) => {
  expect(texts(await readFile('txt', source))).toEqual([text])
})

it('reads a log with a block of zeros in it', async () => {
  const line = (index: number) => `2026-05-01 10:00:${index % 60} gate ${index} opened\n`
  const log = Array.from({ length: 2_000 }, (_, index) => line(index)).join('')
  for (const index of [0, 1, 20_000, 20_001, log.length]) {
    const damaged = `${log.slice(0, index)}${'\0'.repeat(70_001)}${log.slice(index)}`
    const found = texts(await readFile('txt', damaged)).join('\n')
    expect(found.match(/gate \d+ opened/g)?.length).toBeGreaterThanOrEqual(1_999)
    expect(found).not.toMatch(/[\p{Cc}--\n]/v)
  }
})

it.each(['   \n\n \t\n', '\uFEFF', '\u200b\u200b\n'])('fails with no_text for %j', async (source) => {
  expect(await readFile('txt', source)).toMatchObject({ blocks: [], failure: 'no_text' })
})

it('reports progress by the bytes read', async () => {
  const { events } = await readFile('txt', `${'A line of text. '.repeat(1000)}\n\n`.repeat(600))
  expect(events.filter(({ event }) => event === 'progress').length).toBe(2)
})

it('fails with no_text for a file of replacement characters only', async () => {
  expect(await readFile('txt', Buffer.concat([Buffer.from('\u00a0'.repeat(30)), Buffer.from([0xc2])]))).toMatchObject({
    blocks: [],
    failure: 'no_text',
  })
})
