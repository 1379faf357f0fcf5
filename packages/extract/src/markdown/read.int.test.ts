import { describe, expect, it } from 'vitest'
import { childMessage } from '../child/child-messages.ts'
import { readFile, texts } from '../read-file.fixture.ts'
import { readFrontMatter } from './front-matter.ts'

const source = `---
title: "A title: with a colon"
tags: [one, "two, three"]
authors:
  - Ann
  - Bob
draft: false
order: 7
nested:
  deep: value
__proto__: bad
---
# The *first* heading #

Some text
in two lines.

Setext heading
--------------

- an item
  \`\`\`
  # no heading

  in a list
  \`\`\`

| a | b |
|---|:-:|
| 1 | \`x\` |

\`\`\`\`js
# not a heading

\`\`\`
still code
\`\`\`\`
***
Last [guide](https://example.com).`

it('makes blocks of headings, paragraphs, tables and fences, each with its place', async () => {
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

it('tells the front matter as properties', async () => {
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

it('has a title that is a text, however it is written, and none that is a list', async () => {
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

it('keeps nested values of front matter as text', async () => {
  for (const nested of [
    '  Budget: approved 3 million euros',
    '- Budget: approved 3 million euros',
    '- - approved 3 million euros',
  ]) {
    const read = await readFile('md', `---\nMinutes:\n${nested}\n---\n\nRest of the text.\n`)
    expect(read.blocks.map(({ text }) => text).join(' ')).toContain('approved 3 million euros')
  }
})

it('takes front matter that is never closed for text', async () => {
  const { blocks, events } = await readFile('md', '---\ntitle: x\n\nSome text.\n')
  expect(events.every(({ event }) => event === 'block')).toBe(true)
  expect(blocks.at(-1)?.text).toBe('Some text.')
})

describe('a file that begins with ---', () => {
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
  ])('keeps all of its text: %s', async (_, source) => {
    for (const [name, content] of variants(source)) {
      const read = await readFile('md', content)
      expect([name, ...wordsOf(texts(read).join('\n'))]).toEqual([name, ...wordsOf(source)])
      expect([name, read.events.filter(({ event }) => event === 'properties')]).toEqual([name, []])
    }
  })

  it('has the headings of its slides', async () => {
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
  ])('gives properties and no text for %s, ended by --- or ...', async (_, front, properties) => {
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
  ])('keeps as text, too, what the properties cannot hold: %s', async (_, front, properties) => {
    const source = `---\n${front}\n---\n\nBody.\n`
    const read = await readFile('md', source)
    const [first] = read.events
    expect(first).toMatchObject({ event: 'properties', ...(properties && { properties }) })
    expect(texts(read)).toEqual([front.trim(), 'Body.'])
    const place = read.blocks[0]?.at.offset
    expect(source.slice(place?.from, place?.to)).toBe(front.trim())
  })
})

it('reads a line that looks like the rule of a table in no more time than another', async () => {
  const line = `-${' '.repeat(19_900)}x|`
  const { blocks } = await readFile('md', `a | b\n${line}\n`.repeat(200))
  expect(blocks.length).toBeGreaterThan(0)
}, 20_000)

it.each([
  ['|---|:-:|', true],
  ['---|---', true],
  [' | :- | -: | ', true],
  ['|:--:|', false],
  ['| a |', false],
  ['|  |', false],
  ['|-|-|x', false],
  ['    |---|', false],
])('takes %s for the rule of a table: %s', async (rule, isOne) => {
  const { blocks } = await readFile('md', `| a | b\n${rule}\n| 1 | 2\n`)
  expect(blocks.some(({ kind }) => kind === 'table')).toBe(isOne)
})

describe('front matter', () => {
  const propertiesOf = (lines: readonly string[]) => readFrontMatter(lines)?.properties ?? {}

  it('is read as the scalars it is written in', () => {
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

  it('keeps a number that a number here cannot hold as it is written', () => {
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

  it('holds no character that stores refuse', () => {
    expect(propertiesOf(['a: "x\\0y\\uD800z"', 'b: "\\U0001F41E"'])).toEqual({ a: 'xy\uFFFDz', b: '🐞' })
  })

  it('follows no alias, resolves no tag and keeps to its schema', () => {
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

  it('is none when it has errors; the last of two keys of one name counts', () => {
    expect(readFrontMatter(['a: 1', 'b: @x', 'a: 2', 'c: [1, 2', 'd: 3'])).toBeUndefined()
    expect(propertiesOf(['a: 1', 'b: x', 'a: 2', 'c: [1, 2]', 'd: 3'])).toEqual({ a: 2, b: 'x', c: [1, 2], d: 3 })
    expect(propertiesOf(['no key'])).toEqual({})
    expect(propertiesOf([])).toEqual({})
  })

  it('is passed over when it is larger than any front matter', () => {
    expect(propertiesOf(['a: 1', `b: ${'x'.repeat(60_000)}`])).toEqual({ a: 1, b: 'x'.repeat(1000) })
    expect(propertiesOf(['a: 1', `b: ${'x'.repeat(70_000)}`])).toEqual({})
  })

  it.each([
    `a: "${'\\'.repeat(60_000)}`,
    `b: [${'"'.repeat(60_000)}]`,
    `${'c '.repeat(30_000)}: x`,
    `d: '${"''".repeat(30_000)}`,
    `e: x${' '.repeat(60_000)}y`,
    `f: ${'['.repeat(60_000)}`,
    `g: ${'{a: '.repeat(15_000)}`,
    '- '.repeat(30_000),
    'a: '.repeat(20_000),
    `h: [${','.repeat(60_000)}]`,
    `i: &i 1\nj: [${'*i,'.repeat(20_000)}]`,
    '&a '.repeat(20_000),
    '!a '.repeat(20_000),
  ])('takes little time for what is made to take it (%#)', (hostile) => {
    const started = performance.now()
    readFrontMatter(hostile.split('\n'))
    expect(performance.now() - started).toBeLessThan(8_000)
  })
})

it('repeats the header of a table that is cut', async () => {
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

it('cuts a fence that is never closed', async () => {
  const { blocks } = await readFile('md', `\`\`\`\n${'# code\n'.repeat(20_000)}`)
  expect(blocks.length).toBeGreaterThan(2)
  expect(blocks.every(({ kind, text }) => kind === 'text' && text.length <= 50_000)).toBe(true)
})

it.each([
  `${'['.repeat(40_000)}\n`,
  `# ${'*a_'.repeat(10_000)}\n`,
  `${'> '.repeat(20_000)}x\n`,
  `${'|'.repeat(40_000)}\n${'|-'.repeat(9_000)}\n`,
  `${'-'.repeat(40_000)} x\n`,
  `a\n${' '.repeat(40_000)}=\n`,
])('takes no time for what is made to take it (%#)', async (hostile) => {
  const started = performance.now()
  await readFile('md', `text\n\n${hostile.repeat(5)}`)
  expect(performance.now() - started).toBeLessThan(9_000)
})

it('says that there is no text in a file of rules and front matter', async () => {
  expect((await readFile('md', '---\ntitle: x\n---\n\n***\n')).failure).toBe('no_text')
  expect(texts(await readFile('md', '# Only a heading'))).toEqual(['Only a heading'])
})

it('has neither attributes nor tags in headings', async () => {
  const source =
    '# :rocket: Launch {#launch .new}\n\n## <a name="x"></a>Anchored `<b>` *text*\n\n# Map<string> and {braces}\n\nSet {: #set }\n===\n\n### C# and F# #\n'
  const { blocks } = await readFile('md', source)
  expect(blocks.map(({ text }) => text)).toEqual([
    ':rocket: Launch',
    'Anchored <b> text',
    'Map<string> and {braces}',
    'Set',
    'C# and F#',
  ])
})

it('reads the text of HTML, but not in code', async () => {
  const source = `<table class="a > b">
<tr><th>Fruit</th><th>Price</th></tr>
<tr><td>Plum &amp; pear</td><td><b>3</b>.20</td></tr>
</table>

<details><summary>More</summary>

Press <kbd>Ctrl</kbd>, see <img src="x.png" alt="a gate"> or \`<kbd>\`, Map<string> and 1 < 2 <https://example.org>.

</details>

<!-- a remark -->

<script>
var x = "<b>"
</script>

| a | b |
| - | - |
| x<br>y | <i>z</i> |

    <b>code</b>

\`\`\`html
<p>code</p>
\`\`\`
`
  expect(texts(await readFile('md', source))).toEqual([
    '| Fruit | Price |\n| --- | --- |\n| Plum & pear | 3.20 |',
    'More',
    'Press Ctrl, see [Picture: a gate] or <kbd>, Map<string> and 1 < 2 https://example.org.',
    '| a | b |\n| --- | --- |\n| x y | z |',
    '    <b>code</b>',
    '```html\n<p>code</p>\n```',
  ])
})

it('makes no heading of broken front matter, nor of a letter between rules', async () => {
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

const blocksOf = async (source: string) =>
  (await readFile('md', source)).blocks.map(({ kind, text }) => (kind === 'heading' ? `# ${text}` : text))

describe('what a reader of the page sees', () => {
  it('has entities and escapes decoded, but not in code', async () => {
    expect(
      await blocksOf(
        '# Caf&eacute;\n\nEl c&oacute;digo &#8364;12, 3 &lt; 5, file\\_name \\*.\n\n`R&amp;D \\*` and\n\n    A&amp;B \\*\n',
      ),
    ).toEqual(['# Café', 'El código €12, 3 < 5, file_name *.', 'R&amp;D \\* and', '    A&amp;B \\*'])
  })

  it('has the words of links, and an address only where the words say nothing', async () => {
    expect(
      await blocksOf(
        'See [the guide](https://a.example/?utm_source=x "title"), [here](https://b.example), <https://c.example/d>, [Ann](mailto:ann@e.example).\n\n[![Build state](https://x.example/b.svg)](https://x.example)\n\n![](decoration.png)\n',
      ),
    ).toEqual([
      'See the guide, here (https://b.example), https://c.example/d, Ann (mailto:ann@e.example).',
      '[Picture: Build state]',
    ])
  })

  it('has references resolved, wherever their definitions stand', async () => {
    const source =
      'At six[^early], as the [summer table][Table] and [winter] say; [x] stays, and [^nothing].\n\n[Table]: https://f.example/s "Summer"\n[winter]: <https://f.example/w>\n[^early]: On Sundays\nat eight, see [winter][].\n[^never]: Never named.\n\n[//]: # (A remark)\n\nThe last.[^early]\n'
    expect(await blocksOf(source)).toEqual([
      'At six, as the summer table and winter say; [x] stays, and [^nothing].',
      'On Sundays at eight, see winter.',
      'The last.',
      'Never named.',
    ])
    const { blocks } = await readFile('md', source)
    const place = blocks.at(-1)?.at.offset
    expect(source.slice(place?.from, place?.to)).toBe('[^never]: Never named.')
  })

  it('has long footnotes where they are written, and footnotes in a circle once', async () => {
    const long = `${'word '.repeat(500)}end.`
    expect(await blocksOf(`One[^a].\n\n[^a]: ${long}\n`)).toEqual(['One.', long])
    expect(await blocksOf('One[^a].\n\n[^a]: Two[^b].\n[^b]: Three[^a].\n')).toEqual(['One.', 'Two.', 'Three.'])
  })

  it('has no comments, scripts and hidden elements, with blank lines or without', async () => {
    expect(
      await blocksOf(
        'Seen <!-- no --> text.\n\n<!-- a\n\nb\n-->\n\n<script>\n\nx\n\n</script>\n\n<div hidden>\n\n*no*\n\n</div>\n\nLine<br>two <span style="display: none">no</span>end.\n',
      ),
    ).toEqual(['Seen text.', 'Line\ntwo end.'])
  })

  it('has tables of HTML with Markdown in their cells', async () => {
    expect(
      await blocksOf('<table>\n<tr><th>A</th><th>B</th></tr>\n\n<tr><td>\n\n**x**\n\n</td><td>y</td></tr>\n</table>\n'),
    ).toEqual(['| A | B |\n| --- | --- |\n| x | y |'])
  })

  it('has lists and what stands indented below their items', async () => {
    expect(
      await blocksOf(
        '- **one**\n  - two\n- [x] done\n\n    More of *it*.\n\n1. first\n2. second\n\n> A *quote*\n> goes on.\n',
      ),
    ).toEqual(['- one\n  - two\n- [x] done', 'More of it.', '1. first\n2. second', 'A quote goes on.'])
  })

  it('has no marks of site generators', async () => {
    const source = `import Tabs from '@theme/Tabs'
export const size = 3

{% include head.html a=b %}
Text {{< figure src="x" >}}here.{: .note }

{: .warning }
Keep the lid shut.

:::tip[A title]
Inside *one*.
:::

!!! note "Mind"
    The *step*.

    And more.

> [!WARNING]
> Hot.

[[Page|the page]], [[Other]].

[TOC]

<Tabs groupId="os"><TabItem value="a">In a tab, List<String> kept.</TabItem></Tabs>

We export const values, and import more.
`
    expect(await blocksOf(source)).toEqual([
      'Text here.',
      'Keep the lid shut.',
      'A title Inside one.',
      'Mind The step.',
      'And more.',
      'Hot.',
      'the page, Other.',
      'In a tab, List<String> kept.',
      'We export const values, and import more.',
    ])
  })

  it('joins lines without a blank where a script has none', async () => {
    expect(await blocksOf('港口九点\n关闭，\n船只 one\ntwo。\n')).toEqual(['港口九点关闭，船只 one two。'])
  })
})

it('reads a large file in time', async () => {
  const paragraph = `${'The *first* boat leaves at `six` on [Sundays](http://a.example/c). '.repeat(6)}\n\n`
  const { blocks } = await readFile('md', paragraph.repeat(2_000))
  expect(blocks.length).toBe(2_000)
}, 30_000)

it.each([
  '*a_',
  '> ',
  '1) ',
  '[a](',
  '[^a]',
  '<!--',
  '`a``b',
  '{% ',
  '{: .a',
  '[[a|',
  '!!! a',
  '|a',
  '<x y="',
  ':::',
  '[a]: x "',
])(
  'reads a file of %s in no more time',
  async (mark) => {
    const started = performance.now()
    await readFile('md', `text\n\n${mark.repeat(60_000)}\n\n${`${mark}\n`.repeat(20_000)}\n[^a]: x\n`)
    expect(performance.now() - started).toBeLessThan(9_000)
  },
  20_000,
)

it('loses nothing that is nested deeper than the parser goes', async () => {
  const depths = Array.from({ length: 200 }, (_, depth) => depth)
  const lists = depths.map((depth) => `${'  '.repeat(depth)}- item ${depth}.`).join('\n')
  const quotes = depths.map((depth) => `${'> '.repeat(depth)}quoted ${depth}.\n`).join('\n')
  const all = texts(await readFile('md', `${lists}\n\n${quotes}`)).join('\n')
  expect(depths.filter((depth) => !all.includes(`item ${depth}.`) || !all.includes(`quoted ${depth}.`))).toEqual([])
})
