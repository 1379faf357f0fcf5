import { describe, expect, it } from 'vitest'
import { parseMarkdown } from './markdown.ts'
import type { Node } from './markdown-inline.ts'

/** Formats nodes as tags with the text of their ranges. */
const written = (text: string, nodes: readonly Node[] = parseMarkdown(text)): string =>
  nodes
    .map((node) => {
      if (!('tag' in node)) {
        expect(text.slice(node.start, node.start + node.text.length)).toBe(node.text)
        return node.text
      }
      const { tag, props, children } = node
      return `<${tag}${props?.href ? ` ${props.href}` : ''}>${written(text, children)}</${tag}>`
    })
    .join('')

describe('text within a line', () => {
  it.each([
    ['a **bold** and *italic* __b__ _i_', 'a <strong>bold</strong> and <em>italic</em> <strong>b</strong> <em>i</em>'],
    ['**bold with *italic* in it**', '<strong>bold with <em>italic</em> in it</strong>'],
    ['`npm *run*` and ``a`b', '<code>npm *run*</code> and `<code>a</code>b'],
    ['[the **map**](https://a.example/x_(y) "title")', '<a https://a.example/x_(y)>the <strong>map</strong></a>'],
    ['see https://a.example/b_c_d.', 'see <a https://a.example/b_c_d>https://a.example/b_c_d</a>.'],
    ['[https://a.example](https://b.example)', '<a https://b.example>https://a.example</a>'],
    ['[mail](mailto:a@b.example)', '<a mailto:a@b.example>mail</a>'],
    [String.raw`\*not italic\* and 2 \| 3`, '*not italic* and 2 | 3'],
    ['snake_case_name, 2*3*4, 2 * 3 * 4, *a', 'snake_case_name, 2*3*4, 2 * 3 * 4, *a'],
    ['C:\\dir', 'C:\\dir'],
  ])('renders %s', (text, expected) => expect(written(text)).toBe(expected))

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert`1`',
    'data:text/html,x',
    'vbscript:x',
    '//evil.example',
    '../a.md',
  ])('makes no link to %s', (href) => expect(written(`[label](${href})`)).toBe('label'))

  it('keeps HTML as text', () => {
    const text = '<img src=x onerror="alert(1)"> <script>alert(1)</script>'
    expect(written(text)).toBe(text)
  })
})

describe('blocks', () => {
  it('renders headings, lists and code, and keeps the lines of other text', () => {
    expect(written('# One\n\nfirst\nsecond\n\nthird\n### Two *x*')).toBe(
      '<h3>One</h3>first\nsecond\n\nthird<h5>Two <em>x</em></h5>',
    )
    expect(written('- a\n  - b\n* c\n\n1. d\n   e')).toBe('<ul><li>a</li><li>b</li><li>c</li><li>d</li><li>e</li></ul>')
    expect(written('```sh\nnpm *run*\n\n# x\n```\nafter')).toBe('<pre>npm *run*\n\n# x\n</pre>after')
    expect(written('~~~\nnever ended | x')).toBe('<pre>never ended | x</pre>')
  })

  it('renders tables, and later parts of tables, which have no header', () => {
    expect(written('Text\n| a | b |\n|---|:-:|\n| 1 | x \\| **y** |\n|  | 2 |\n\nafter')).toBe(
      'Text<table><thead><tr><th>a</th><th>b</th></tr></thead><tr><td>1</td><td>x | <strong>y</strong></td></tr><tr><td></td><td>2</td></tr></table>after',
    )
    expect(written('| 1 | 2 |')).toBe('<table><tr><td>1</td><td>2</td></tr></table>')
    expect(written('1 | 2\n3 | 4')).toBe('<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>')
    expect(written('x | y is one line')).toBe('x | y is one line')
  })

  it('renders rows of a sheet as a table with the names of its columns', () => {
    const head = '<table><thead><tr><th>id</th><th>name</th><th>note</th></tr></thead>'
    expect(
      written('id | name | note\nid: 1\nname: Ann\n\nid: 2\nnote: Reads | and\nwrites: a lot\nidx\n\nAfter it.'),
    ).toBe(
      `${head}<tr><td>1</td><td>Ann</td><td></td></tr><tr><td>2</td><td></td><td>Reads | and\nwrites: a lot\nidx</td></tr></table>After it.`,
    )
    expect(written('Home | About\nNote: read it')).toBe('Home | About\nNote: read it')
  })
})

it.each([
  '|',
  '[',
  '[a](',
  '*',
  '**a ',
  '_',
  '_a ',
  '`',
  '`a ',
  '\\',
  '> ',
  '- ',
  '  - a\n',
  '#',
  '# a\n',
  '```\n',
  '|\n',
  '| a |\n',
  'a | b\na: b\n',
  ' | ',
  '| - ',
  ':',
  '\n',
  ' ',
  '1. ',
  '](',
  '![',
  'https://',
  'a|',
  '<img src=x onerror=alert(1)>',
])('parses a text of many %j in little time', (part) => {
  for (const length of [190_000, 1_000_000]) {
    const text = part.repeat(Math.ceil(length / part.length)).slice(0, length)
    const before = process.cpuUsage().user
    const nodes = parseMarkdown(text)
    expect((process.cpuUsage().user - before) / 1_000).toBeLessThan(1_000)
    expect(nodes.length).toBeLessThanOrEqual(4_000)
  }
})
