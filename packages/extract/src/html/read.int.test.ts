import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { readFile, texts } from '../read-file.fixture.ts'

const page = (body: string, head = '') =>
  `<!DOCTYPE html><html lang="en"><head>${head}</head><body>${body}</body></html>`
const read = (body: string, head?: string) => readFile('html', page(body, head))
const messages = ({ events }: Awaited<ReturnType<typeof readFile>>) =>
  events.flatMap((event) => (event.event === 'note' ? [event.message] : []))

describe('the content of a page', () => {
  it('is read as headings, paragraphs, lists, tables, code and details', async () => {
    const { blocks } = await read(`<h1>Peas</h1><p>Sow <b>ear</b>ly,
      &amp; deep.<br>Water&nbsp;them.<h2>Kinds<a id="k"></a></h2><ol start="3"><li>Green<li><p>Yellow</p><p>rare</p><ul><li>inner</ul><li value="9">Nine</ol>
      <dl><dt>Pod<dd>The hull</dl><pre>  if (a) {
    b
  }</pre><details><summary>More</summary>Inside</details>`)
    expect(blocks.map(({ kind, level, text }) => [kind, level, text])).toEqual([
      ['heading', 1, 'Peas'],
      ['text', undefined, 'Sow early, & deep.\nWater\u00a0them.'],
      ['heading', 2, 'Kinds'],
      ['text', undefined, '3. Green\n4. Yellow\n  rare\n  - inner\n9. Nine\nPod\n  The hull'],
      ['text', undefined, 'if (a) {\n    b\n  }'],
      ['text', undefined, 'More'],
      ['text', undefined, 'Inside'],
    ])
  })

  it('has merged cells filled, header rows, and captions before tables', async () => {
    const { blocks } = await read(
      '<table><caption>Harvest</caption><thead><tr><th rowspan=2>Crop<th colspan=2>2023<tr><th>Plan<th>Real</thead><tr><td rowspan=0>Oats<td>3<td>a|b<tr><td>5<td><table><tr><td>in<td>ner</table></table>',
    )
    expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
      ['text', 'Harvest'],
      ['table', '| Crop | 2023 Plan | 2023 Real |\n| --- | --- | --- |\n| Oats | 3 | a\\|b |\n| Oats | 5 | in ner |'],
    ])
  })

  it('is read from tables that an old page uses for layout', async () => {
    const { blocks } = await read(
      '<table><tr><td><h2>News</h2><p>One.</p><p>Two.</p></td><td><p>Side.</p></td></tr></table>',
    )
    expect(blocks.map(({ text }) => text)).toEqual(['News', 'One.', 'Two.', 'Side.'])
  })

  it('has the address of a link only if its words are generic, and mail addresses', async () => {
    const found = await read(
      `<p>See <a href="https://example.org/a">the guide</a>, <a href="https://example.org/">example.org</a>, <a href="/here">here</a>, <a href="https://example.org/h">here</a>, <a href="mailto:ann@example.org">Ann</a>.</p>
      <h2><a href="https://example.org/b">More</a></h2><a href="https://example.org/c"><h3>Read more</h3><p>Its text.</p></a>`,
    )
    expect(texts(found)).toEqual([
      'See the guide, example.org, here, here (https://example.org/h), Ann (mailto:ann@example.org).',
      'More',
      'https://example.org/b',
      'Read more',
      'https://example.org/c',
      'Its text.',
    ])
  })

  it('has descriptions of pictures and alternative texts of equations', async () => {
    const found = await read(
      `<p>A<img src="m.png" alt="Map of the orchard">B<img src="x.png" alt=""><img src="y.png"><img src="z.png" alt="z.png"></p>
      <p><svg><title>Arrow</title><style>a{}</style></svg> <math alttext="a^2"><mi>a</mi></math> <math><mi>b</mi><annotation>b_1</annotation></math></p>
      <ruby>東<rp>(</rp><rt>とう</rt><rp>)</rp></ruby><iframe src="x">f</iframe><iframe hidden></iframe>`,
    )
    expect(texts(found)).toEqual(['A [Picture: Map of the orchard] B', '[Picture: Arrow] a^2 b_1', '東'])
    expect(messages(found)).toEqual([
      '2 pictures without a description were not read.',
      '1 embedded object was not read.',
    ])
  })

  it('has raised numbers as exponents or footnote marks', async () => {
    const found = await read(
      '<p>10<sup>6</sup> m<sup>2</sup> (a+b)<sup>-2</sup> operations<sup>1</sup> 1,234<sup>5</sup> Moor<sup>a, 2</sup> H<sub>2</sub>O 1<sup>st</sup> x<sup><a>[3]</a></sup></p>',
    )
    expect(texts(found)).toEqual(['10^6 m^2 (a+b)^-2 operations [1] 1,234 [5] Moor [a, 2] H2O 1st x[3]'])
  })

  it('has labels of forms without their values', async () => {
    const found = await read(
      '<form><label>Name <input value="v"></label><select><option>one</select><textarea>t</textarea><button>Send</button></form>',
    )
    expect(texts(found)).toEqual(['Name', 'Send'])
  })

  it('continues after a heading that is never closed', async () => {
    const { blocks } = await read('<h1>Title<p>Text one.<p>Text two.')
    expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
      ['heading', 'Title'],
      ['text', 'Text one.'],
      ['text', 'Text two.'],
    ])
  })

  it('continues after self-closing elements, as in XHTML', async () => {
    const found = await readFile(
      'html',
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x"/></head><body><p>One<a id="a"/></p><div/><p>Two</p></body></html>',
    )
    expect(texts(found)).toEqual(['One', 'Two'])
  })
})

describe('text around the content', () => {
  const around = '<header>Site</header><nav>Home</nav>'

  it('is left out with a note if a page has a main element or an article', async () => {
    for (const name of ['main', 'article', 'div role=main']) {
      const found = await read(
        `${around}<${name}><header><h1>Own head</h1></header><p>Text.</p><aside>Quote.</aside></${name.split(' ')[0]}><div>Rest.</div><aside>Ads</aside><footer>Foot 2024</footer><div role="dialog">Cookies</div>`,
      )
      expect(texts(found)).toEqual(['Own head', 'Text.', 'Quote.', 'Rest.'])
      expect(found.notes).toEqual(['content_not_read'])
      expect(messages(found)[0]).toContain('6 words')
    }
  })

  it('is read if a page has no other content, navigation last', async () => {
    expect(texts(await read(`${around}<p>Text.</p><footer>Foot</footer>`))).toEqual(['Site', 'Text.', 'Foot'])
    expect(texts(await read(`${around}<main></main>`))).toEqual(['Site'])
    expect(texts(await read('<header><nav>Home</nav></header><main></main>'))).toEqual(['Home'])
    expect(
      texts(await read('<nav><a href="#a">Home</a></nav><noscript>Turn scripts on.</noscript><main></main>')),
    ).toEqual(['Home', 'Turn scripts on.'])
  })

  it('is not read if it is a script or style', async () => {
    const found = await read('<script>a</script><style>b</style><template><p>c</p></template><!-- d --><p>e</p>')
    expect([texts(found), found.notes]).toEqual([['e'], []])
    expect((await read('<script>a</script>')).failure).toBe('no_text')
  })

  it('is noted if it is hidden, and marked if the settings keep it', async () => {
    const body =
      '<p>Seen.</p><p hidden>One <b hidden>two</b></p><p style="visibility:hidden">three</p><div style="color: red; display:none">four</div><dialog>five</dialog><p hidden="until-found">Found.</p>'
    const found = await read(body)
    expect([texts(found), found.notes]).toEqual([['Seen.', 'Found.'], ['text_hidden']])
    expect(messages(found)).toEqual(['Hidden text of the page was left out (5 words).'])
    const kept = await readFile('html', page(body), { hiddenText: 'keep' })
    expect(texts(kept)).toEqual([
      'Seen.',
      '[Hidden text] One two',
      '[Hidden text] three',
      '[Hidden text] four',
      '[Hidden text] five',
      'Found.',
    ])
    expect(messages(kept)).toEqual(['Hidden text of the page was kept (5 words).'])
  })
})

describe('the properties of a page', () => {
  it('are its title and its meta elements', async () => {
    const { events } = await read(
      'x',
      '<title> Peas\n  and oats </title><meta name=author content=Ann><meta property="og:description" content="On peas"><meta name="description" content="All on peas"><meta property="article:published_time" content="2024-03-01"><meta name="viewport" content="x">',
    )
    expect(events[0]).toEqual({
      event: 'properties',
      properties: {
        title: 'Peas and oats',
        author: 'Ann',
        description: 'All on peas',
        created: '2024-03-01',
        language: 'en',
      },
    })
  })
})

describe('the encoding of a page', () => {
  const text = 'Старый корабль привозит свежий хлеб'

  it.each([
    ['koi8-r', '<meta charset=koi8-r>'],
    ['windows-1251', '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">'],
    ['utf-8', '<!-- <meta charset=koi8-r> --><meta charset="UTF-8">'],
  ])('is the declared one: %s', async (name, meta) => {
    const found = await readFile('html', iconv.encode(page(text, meta), name))
    expect([texts(found), found.notes]).toEqual([[text], []])
  })

  it('is that of the byte order mark, else of the request, else a guess', async () => {
    const declared = page(text, '<meta charset=koi8-r>')
    for (const name of ['utf-8', 'utf-16le'])
      expect(texts(await readFile('html', iconv.encode(declared, name, { addBOM: true })))).toEqual([text])
    expect(texts(await readFile('html', iconv.encode(declared, 'utf-8'), { encoding: 'utf-8' }))).toEqual([text])
    const guessed = await readFile('html', iconv.encode(page(`<p>${`${text}. `.repeat(9)}`), 'windows-1251'))
    expect(texts(guessed)[0]).toContain(text)
    expect(guessed.notes).toEqual(['encoding_guessed'])
  })

  it('fails if it is unknown, and is ignored if the bytes disprove it', async () => {
    expect((await readFile('html', page('x', '<meta charset=iso-2022-jp>'))).failure).toBe('unknown_encoding')
    const broken = Buffer.concat([
      Buffer.from(page('caf', '<meta charset=utf-8>').split('</body>')[0] ?? ''),
      Buffer.from([0xe9]),
    ])
    expect((await readFile('html', broken)).notes).toEqual(['encoding_guessed'])
    expect(texts(await readFile('html', Buffer.from(page('caf\xe9', '<meta charset=latin1>'), 'latin1')))).toEqual([
      'café',
    ])
  })
})

describe('a hostile page', { timeout: 60_000 }, () => {
  it.each([
    ['nested elements', `${'<div>'.repeat(100_000)}deep`],
    ['nested lists', `${'<ul><li>'.repeat(50_000)}deep`],
    ['nested tables', `${'<table><tr><td>'.repeat(20_000)}deep`],
    ['nested equations', `<math>${'<mrow>x'.repeat(50_000)}deep`],
    ['open formatting', `${'<b>'.repeat(100_000)}deep`],
    ['a cell that is moved with all that follows', `<b><p>${'<i></i>'.repeat(100_000)}</b>deep`],
    ['text moved out of a table', `<table>${'<br>'.repeat(50_000)}deep`],
    ['many attributes', `<p ${Array.from({ length: 100_000 }, (_, at) => `a${at}`).join(' ')}>deep`],
    ['a long attribute', `<p title="${'x'.repeat(5_000_000)}">deep`],
  ])('is read within limits: %s', async (_, body) => {
    const found = await read(body)
    expect(found.failure).toBeUndefined()
    expect(texts(found).join('')).toContain('deep')
  })

  it.each([
    ['a million elements that are not closed', '<div>x'.repeat(1_000_000)],
    ['markup that multiplies', Array.from({ length: 3_000 }, (_, at) => `<font size=${at}>x<p>`).join('')],
  ])('fails if it does not fit into memory: %s', async (_, body) => {
    expect((await read(body)).failure).toBe('too_large_to_process')
  })
})
