import { describe, expect, it } from 'vitest'
import { readFile, texts } from '../read-file.fixture.ts'

const blocksOf = async (source: string) =>
  (await readFile('md', source)).blocks.map(({ kind, text }) => (kind === 'heading' ? `# ${text}` : text))

it('removes attributes and HTML tags from headings', async () => {
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

it('reads the text of HTML, and keeps tags within code', async () => {
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

describe('text as the rendered page shows it', () => {
  it('decodes entities and escapes, except in code', async () => {
    expect(
      await blocksOf(
        '# Caf&eacute;\n\nEl c&oacute;digo &#8364;12, 3 &lt; 5, file\\_name \\*.\n\n`R&amp;D \\*` and\n\n    A&amp;B \\*\n',
      ),
    ).toEqual(['# Café', 'El código €12, 3 < 5, file_name *.', 'R&amp;D \\* and', '    A&amp;B \\*'])
  })

  it('replaces links by their words, and appends the address only if the words are generic', async () => {
    expect(
      await blocksOf(
        'See [the guide](https://a.example/?utm_source=x "title"), [here](https://b.example), <https://c.example/d>, [Ann](mailto:ann@e.example).\n\n[![Build state](https://x.example/b.svg)](https://x.example)\n\n![](decoration.png)\n',
      ),
    ).toEqual([
      'See the guide, here (https://b.example), https://c.example/d, Ann (mailto:ann@e.example).',
      '[Picture: Build state]',
    ])
  })

  it('resolves references and footnotes defined anywhere in the file', async () => {
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

  it('leaves long footnotes where they are written, and reads circular footnotes once', async () => {
    const long = `${'word '.repeat(500)}end.`
    expect(await blocksOf(`One[^a].\n\n[^a]: ${long}\n`)).toEqual(['One.', long])
    expect(await blocksOf('One[^a].\n\n[^a]: Two[^b].\n[^b]: Three[^a].\n')).toEqual(['One.', 'Two.', 'Three.'])
  })

  it('leaves out comments, scripts and hidden elements, also across blank lines', async () => {
    expect(
      await blocksOf(
        'Seen <!-- no --> text.\n\n<!-- a\n\nb\n-->\n\n<script>\n\nx\n\n</script>\n\n<div hidden>\n\n*no*\n\n</div>\n\nLine<br>two <span style="display: none">no</span>end.\n',
      ),
    ).toEqual(['Seen text.', 'Line\ntwo end.'])
  })

  it('reads HTML tables with Markdown in their cells', async () => {
    expect(
      await blocksOf('<table>\n<tr><th>A</th><th>B</th></tr>\n\n<tr><td>\n\n**x**\n\n</td><td>y</td></tr>\n</table>\n'),
    ).toEqual(['| A | B |\n| --- | --- |\n| x | y |'])
  })

  it('reads lists and the indented paragraphs of their items', async () => {
    expect(
      await blocksOf(
        '- **one**\n  - two\n- [x] done\n\n    More of *it*.\n\n1. first\n2. second\n\n> A *quote*\n> goes on.\n',
      ),
    ).toEqual(['- one\n  - two\n- [x] done', 'More of it.', '1. first\n2. second', 'A quote goes on.'])
  })

  it('removes the markup of site generators', async () => {
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

  it('joins lines without a space in scripts that have none', async () => {
    expect(await blocksOf('港口九点\n关闭，\n船只 one\ntwo。\n')).toEqual(['港口九点关闭，船只 one two。'])
  })
})
