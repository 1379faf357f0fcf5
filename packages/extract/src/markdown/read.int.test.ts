import { expect, it } from 'vitest'
import { readFile, texts } from '../read-file.fixture.ts'
import { source } from './markdown.fixture.ts'

it('emits headings, paragraphs, tables and fences as blocks with their offsets', async () => {
  const { blocks } = await readFile('md', source)
  expect(blocks.map(({ kind, level, text }) => [kind, level, text])).toEqual([
    ['text', undefined, expect.stringContaining('deep: value')],
    ['heading', 1, 'The first heading'],
    ['text', undefined, 'Some text in two lines.'],
    ['heading', 2, 'Setext heading'],
    ['text', undefined, '- an item'],
    ['text', undefined, '  ```\n  # no heading\n\n  in a list\n  ```'],
    ['table', undefined, '| a | b |\n| --- | --- |\n| 1 | x |'],
    ['text', undefined, '````js\n# not a heading\n\n```\nstill code\n````'],
    ['text', undefined, 'Last guide.'],
  ])
  expect(blocks.map(({ at }) => source.slice(at.offset?.from, at.offset?.to))).toEqual([
    expect.stringContaining('deep: value'),
    '# The *first* heading #',
    'Some text\nin two lines.',
    'Setext heading\n--------------',
    '- an item',
    '  ```\n  # no heading\n\n  in a list\n  ```',
    '| a | b |\n|---|:-:|\n| 1 | `x` |',
    '````js\n# not a heading\n\n```\nstill code\n````',
    'Last [guide](https://example.com).',
  ])
})

it.each([
  ['|---|:-:|', true],
  ['---|---', true],
  [' | :- | -: | ', true],
  ['|:--:|', false],
  ['| a |', false],
  ['|  |', false],
  ['|-|-|x', false],
  ['    |---|', false],
])('decides whether %s is a delimiter row: %s', async (rule, isOne) => {
  const { blocks } = await readFile('md', `| a | b\n${rule}\n| 1 | 2\n`)
  expect(blocks.some(({ kind }) => kind === 'table')).toBe(isOne)
})

it('repeats the header in each block of a table that is too long for one', async () => {
  const rows = Array.from({ length: 4000 }, (_, index) => `| row ${index} | with some more text in it |`)
  const { blocks } = await readFile('md', `| a | b |\n| - | - |\n${rows.join('\n')}\n`)
  expect(blocks.length).toBeGreaterThan(2)
  expect(
    blocks.every(
      ({ kind, text }) => kind === 'table' && text.startsWith('| a | b |\n| --- | --- |\n') && text.length <= 50_000,
    ),
  ).toBe(true)
  expect(blocks.flatMap(({ text }) => text.split('\n').slice(2))).toEqual(rows)
})

it('cuts a fence without a closing line into blocks', async () => {
  const { blocks } = await readFile('md', `\`\`\`\n${'# code\n'.repeat(20_000)}`)
  expect(blocks.length).toBeGreaterThan(2)
  expect(blocks.every(({ kind, text }) => kind === 'text' && text.length <= 50_000)).toBe(true)
})

it('fails with no_text if the file has only front matter and thematic breaks', async () => {
  expect((await readFile('md', '---\ntitle: x\n---\n\n***\n')).failure).toBe('no_text')
  expect(texts(await readFile('md', '# Only a heading'))).toEqual(['Only a heading'])
})

it('keeps text nested deeper than the parser allows', async () => {
  const depths = Array.from({ length: 200 }, (_, depth) => depth)
  const lists = depths.map((depth) => `${'  '.repeat(depth)}- item ${depth}.`).join('\n')
  const quotes = depths.map((depth) => `${'> '.repeat(depth)}quoted ${depth}.\n`).join('\n')
  const all = texts(await readFile('md', `${lists}\n\n${quotes}`)).join('\n')
  expect(depths.filter((depth) => !all.includes(`item ${depth}.`) || !all.includes(`quoted ${depth}.`))).toEqual([])
})
