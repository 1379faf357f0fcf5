import { describe, expect, it } from 'vitest'
import { childMessage } from '../child/child-messages.ts'
import { readFile, texts } from '../read-file.fixture.ts'
import { readFrontMatter } from './front-matter.ts'
import { source } from './markdown.fixture.ts'

it('emits front matter as properties', async () => {
  const { events } = await readFile('md', source)
  expect(events[0]).toEqual({
    event: 'properties',
    properties: {
      title: 'A title: with a colon',
      tags: ['one', 'two, three'],
      authors: ['Ann', 'Bob'],
      draft: false,
      order: 7,
    },
  })
})

it('converts a title of any scalar type to a string and ignores a list as title', async () => {
  const titleOf = async (front: string) => {
    const { events } = await readFile('md', `---\n${front}\norder: 7\n---\n\nSome text.\n`)
    // Parses the events like the parent parses messages of the child.
    const [first] = events.map((event) => childMessage.parse(JSON.parse(JSON.stringify(event))))
    return first?.event === 'properties' ? first.properties : undefined
  }
  expect(await titleOf('title: 1984')).toEqual({ title: '1984', order: 7 })
  expect(await titleOf('title: true')).toEqual({ title: 'true', order: 7 })
  expect(await titleOf('title:\n- a\n- b')).toEqual({ order: 7 })
  expect(await titleOf('title: [a, b]')).toEqual({ order: 7 })
})

it('emits nested values of front matter as text', async () => {
  for (const nested of [
    '  Budget: approved 3 million euros',
    '- Budget: approved 3 million euros',
    '- - approved 3 million euros',
  ]) {
    const read = await readFile('md', `---\nMinutes:\n${nested}\n---\n\nRest of the text.\n`)
    expect(read.blocks.map(({ text }) => text).join(' ')).toContain('approved 3 million euros')
  }
})

it('reads front matter without a closing line as text', async () => {
  const { blocks, events } = await readFile('md', '---\ntitle: x\n\nSome text.\n')
  expect(events.every(({ event }) => event === 'block')).toBe(true)
  expect(blocks.at(-1)?.text).toBe('Some text.')
})

describe('a file whose first line is ---', () => {
  const slides = '---\n# Welcome\nHello, members\n---\n# Agenda\n- Honey prices\n---\n# Closing\nThanks\n'
  const variants = (source: string): readonly (readonly [name: string, content: string | Buffer])[] => [
    ['as it is', source],
    ['with CRLF', source.replaceAll('\n', '\r\n')],
    ['with CR', source.replaceAll('\n', '\r')],
    ['after a byte order mark', `\uFEFF${source}`],
    ['in UTF-16', Buffer.from(`\uFEFF${source}`, 'utf16le')],
    ['with blanks after its lines', source.replaceAll('---\n', '--- \t\n')],
    ['without a line end', source.trimEnd()],
  ]
  const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? []

  it.each([
    ['slides', slides],
    ['slides after a blank line', slides.replace('---\n', '---\n\n')],
    ['a text between two lines', '---\nDear members,\nthe meeting is moved.\n---\n\nBring a chair.\n'],
    ['a list between two lines', '---\n- first\n- second\n---\n\nBody.\n'],
    ['no second line', '---\ntitle: x\n\nSome text.\n'],
    ['nothing but text', '---\nOnly this.\n'],
    ['an end of three dots', '---\nTo be continued\n...\nBody.\n'],
    ['broken YAML', '---\ntitle: "Unclosed quote\nauthor: Ann\ntags: [a, b\n---\n\nBody.\n'],
    ['a value with a colon', '---\ntitle: Report: the year\nauthor: Ann\n---\n\nBody.\n'],
    ['a tab before a key', '---\n\ttitle: x\n---\n\nBody.\n'],
    ['a number', '---\n1984\n---\n\nBody.\n'],
    ['two lines only', '---\n---\n\nBody.\n'],
    [
      'a very long text',
      `---\n${Array.from({ length: 600 }, (_, index) => `line${index}: x`).join('\n')}\n---\n\nBody.\n`,
    ],
  ])('without valid front matter, emits all of its text and no properties: %s', async (_, source) => {
    for (const [name, content] of variants(source)) {
      const read = await readFile('md', content)
      expect([name, ...wordsOf(texts(read).join('\n'))]).toEqual([name, ...wordsOf(source)])
      expect([name, read.events.filter(({ event }) => event === 'properties')]).toEqual([name, []])
    }
  })

  it('reads slides separated by --- with their headings', async () => {
    const { blocks } = await readFile('md', slides)
    expect(blocks.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'heading Welcome',
      'heading Hello, members',
      'heading Agenda',
      'text - Honey prices',
      'heading Closing',
      'text Thanks',
    ])
  })

  it.each([
    ['a mapping', 'title: The bees\ntags: [a, b]\n', { title: 'The bees', tags: ['a', 'b'] }],
    ['blank lines between its keys', 'title: The bees\n\norder: 7\n', { title: 'The bees', order: 7 }],
  ])('emits only properties for %s, whether --- or ... ends the front matter', async (_, front, properties) => {
    for (const end of ['---', '...']) {
      for (const [name, content] of variants(`---\n${front}${end}\n\nBody.\n`)) {
        const read = await readFile('md', content)
        expect([name, read.events[0]]).toEqual([name, { event: 'properties', properties }])
        expect([name, ...texts(read)]).toEqual([name, 'Body.'])
      }
    }
  })

  it.each([
    ['a comment', '# Welcome\ntitle: x', { title: 'x' }],
    ['a comment after a value', 'title: x # remark', { title: 'x' }],
    ['a blank line first', '\nNote: read this', { Note: 'read this' }],
    ['a key without a value', 'title: x\nAgenda:', { title: 'x' }],
    ['a key of the chunks', 'title: x\nsource: the archive', { title: 'x', source: 'the archive' }],
    ['a long value', `title: x\nabout: ${'word '.repeat(300)}`, { title: 'x', about: 'word '.repeat(200) }],
    ['a long title', `title: ${'word '.repeat(80)}`, { title: 'word '.repeat(80).trim() }],
    ['many keys', Array.from({ length: 30 }, (_, index) => `k${index}: ${index}`).join('\n'), undefined],
    ['a list without a value', 'title: x\nlist: [a, ~]', { title: 'x', list: ['a'] }],
    ['a long list', `list: [${Array.from({ length: 101 }, (_, index) => index % 10).join(', ')}]`, undefined],
    ['an odd key', 'title: x\n"a:b": kept', { title: 'x' }],
    ['two keys of one name', 'a: first\na: second', { a: 'second' }],
    ['an alias', 'a: &a one\nb: *a', { a: 'one' }],
  ])('repeats front matter as text if properties cannot hold all of it: %s', async (_, front, properties) => {
    const source = `---\n${front}\n---\n\nBody.\n`
    const read = await readFile('md', source)
    const [first] = read.events
    expect(first).toMatchObject({ event: 'properties', ...(properties && { properties }) })
    expect(texts(read)).toEqual([front.trim(), 'Body.'])
    const place = read.blocks[0]?.at.offset
    expect(source.slice(place?.from, place?.to)).toBe(front.trim())
  })
})

it('makes no heading of invalid front matter, nor of a paragraph between two thematic breaks', async () => {
  for (const lines of ['title: "Unclosed quote\nauthor: Ann\ntags: [a, b', 'Dear members,\nthe meeting is moved.']) {
    const { blocks, events } = await readFile('md', `---\n${lines}\n---\n\n# Body\n\nText.\n`)
    expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
      ['text', lines.replaceAll('\n', ' ')],
      ['heading', 'Body'],
      ['text', 'Text.'],
    ])
    expect(events.some(({ event }) => event === 'properties')).toBe(false)
  }
})

describe('readFrontMatter', () => {
  const propertiesOf = (lines: readonly string[]) => readFrontMatter(lines)?.properties ?? {}

  it('reads scalars of YAML, and leaves out maps and keys without a value', () => {
    const lines = [
      "single: 'it''s'",
      'folded: >',
      '  one',
      '  two',
      'zip: 01234',
      'date: 2024-01-31',
      'none:',
      'map: {a: 1}',
      'comment: x # not this',
      'url: http://a.b/c',
    ]
    expect(propertiesOf(lines)).toEqual({
      single: "it's",
      folded: 'one two',
      zip: '01234',
      date: '2024-01-31',
      comment: 'x',
      url: 'http://a.b/c',
    })
  })

  it('returns numbers that JavaScript would change as the strings in the file', () => {
    expect(
      propertiesOf(['a: 12345678901234567890', 'b: 1.10', 'c: 0x1F', 'd: 1e999', 'e: -1.5', 'f: "7"', 'title: True']),
    ).toEqual({
      a: '12345678901234567890',
      b: '1.10',
      c: '0x1F',
      d: '1e999',
      e: -1.5,
      f: '7',
      title: 'True',
    })
  })

  it('removes NUL and replaces unpaired surrogates', () => {
    expect(propertiesOf(['a: "x\\0y\\uD800z"', 'b: "\\U0001F41E"'])).toEqual({ a: 'xy\uFFFDz', b: '🐞' })
  })

  it('neither follows aliases nor resolves tags, and applies the YAML 1.2 schema', () => {
    const lines = [
      '%YAML 1.1',
      '---',
      'a: &a [x]',
      'b: *a',
      'c: !!binary aGk=',
      'd: !include /etc/hostname',
      'e: yes',
      'f: 2024-01-31',
      '<<: {g: 1}',
    ]
    expect(propertiesOf(lines)).toEqual({ a: ['x'], c: 'aGk=', d: '/etc/hostname', e: 'yes', f: '2024-01-31' })
  })

  it('returns nothing for invalid YAML, and the last of two values of one key', () => {
    expect(readFrontMatter(['a: 1', 'b: @x', 'a: 2', 'c: [1, 2', 'd: 3'])).toBeUndefined()
    expect(propertiesOf(['a: 1', 'b: x', 'a: 2', 'c: [1, 2]', 'd: 3'])).toEqual({ a: 2, b: 'x', c: [1, 2], d: 3 })
    expect(propertiesOf(['no key'])).toEqual({})
    expect(propertiesOf([])).toEqual({})
  })

  it('ignores front matter above 64 KiB', () => {
    expect(propertiesOf(['a: 1', `b: ${'x'.repeat(60_000)}`])).toEqual({ a: 1, b: 'x'.repeat(1000) })
    expect(propertiesOf(['a: 1', `b: ${'x'.repeat(70_000)}`])).toEqual({})
  })
})
