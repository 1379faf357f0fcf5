import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { readFile, texts } from '../read-file.fixture.ts'

const page = (body: string, head = '') =>
  `<!DOCTYPE html><html lang="en"><head>${head}</head><body>${body}</body></html>`
const read = (body: string) => readFile('html', page(body))
const links = (...words: string[]) => words.map((word) => `<li><a href="/${word}">${word}</a></li>`).join('')

describe('a declared encoding', () => {
  const german = 'Die Mühle fährt früh.'
  const meta = (name: string) => `<meta charset="${name}">`

  it.each(['iso-8859-1', 'windows-1252', 'gb2312', 'shift_jis', 'utf-8'])('%s is disproved by UTF-8', async (name) => {
    const found = await readFile('html', page(`${german} Äpfel, Öl, Übung`, meta(name)))
    expect([texts(found), found.notes]).toEqual([[`${german} Äpfel, Öl, Übung`], []])
  })

  it('is used although a few of its characters happen to be UTF-8', async () => {
    const bytes = iconv.encode(page('<p>脗码</p>', meta('gbk')), 'gbk')
    expect(texts(await readFile('html', bytes))).toEqual(['脗码'])
  })

  it('of UTF-8 is ignored if the bytes are not UTF-8', async () => {
    const found = await readFile('html', iconv.encode(page(`<p>${german}</p>`, meta('utf-8')), 'windows-1252'))
    expect([texts(found), found.notes]).toEqual([[german], ['encoding_guessed']])
  })
})

describe('a header beside the content', () => {
  const article = '<article><h2>Boats</h2><p>Boats may pass.</p></article>'

  it('is read if it has the title of the page', async () => {
    const header = '<header><nav>Home</nav><h1>New lock</h1><p>It opens in May.</p></header>'
    expect(texts(await read(`${header}${article}<footer>Imprint</footer>`))).toEqual([
      'New lock',
      'It opens in May.',
      'Boats',
      'Boats may pass.',
    ])
  })

  it('is left out if the content has its own title', async () => {
    const own = article.replaceAll('h2', 'h1')
    expect(texts(await read(`<header><h1>The Valley Post</h1><p>Daily</p></header>${own}`))).toEqual([
      'Boats',
      'Boats may pass.',
    ])
  })
})

describe('text that only programs hide', () => {
  it('is read if it is hidden from screen readers only, except drawn equations', async () => {
    const equation = '<span><math><mi>a</mi></math></span><span aria-hidden="true"><i>a</i></span>'
    const found = await read(`<p>Price <b aria-hidden="true">18.40</b> ${equation}</p>`)
    expect(texts(found)).toEqual(['Price 18.40 a'])
  })

  it('is read in shadow roots that the page declares', async () => {
    const found = await read(
      '<x-price><template shadowrootmode="open"><p>Rye <slot></slot> a sack</p></template>14.30</x-price>',
    )
    expect(texts(found)).toEqual(['Rye a sack', '14.30'])
  })
})

describe('links alone', () => {
  const text = '<p>The orchard opens in May.</p>'

  it.each([
    ['a menu', `<ul>${links('Home', 'Shop', 'About us')}</ul>`],
    ['a menu in menus', `<ul>${links('Home')}<li><a href="/b">Shop</a><ul>${links('Saws', 'Nets')}</ul></li></ul>`],
    [
      'languages in a line',
      '<p><a href="/de">Deutsch</a> | <a href="/fr">Français</a> | <a href="/cs">Čeština</a></p>',
    ],
    [
      'languages below their heading',
      `<h3>Languages</h3><ul>${links(...Array.from({ length: 40 }, (_, at) => `L${at}`))}</ul>`,
    ],
    [
      'contents',
      '<h2>Contents</h2><ul><li><a href="#a">How the old trees are pruned</a><li><a href="#b">Nets and how to hang them</a><li><a href="#c">Who to ask</a></ul>',
    ],
    ['a link past the menu', '<a href="#main">Zum Inhalt</a><a href="#search">Zur Suche</a>'],
  ])('are left out with a note: %s', async (_, menu) => {
    const found = await read(`${menu}<main>${menu}<h1>Orchard<a href="#orchard">¶</a></h1>${text}</main>`)
    const body = texts(found).filter((one) => !/^(?:Languages|Contents)$/.test(one))
    expect(body.slice(-2)).toEqual(['Orchard', 'The orchard opens in May.'])
    expect(body.length).toBe(2)
    expect(found.notes).toEqual(['content_not_read'])
  })

  it.each([
    [
      'titles of articles',
      '<ul><li><a href="/a">How old apple trees are pruned</a><li><a href="/b">Nets that keep the birds away</a><li><a href="/c">When to water young pears</a></ul>',
      3,
    ],
    ['links below their heading', `<h2>See also</h2><ul>${links('Saws', 'Nets', 'Ladders')}</ul>`, 3],
    ['links that a sentence introduces', `<p>We sell:</p><ul>${links('Saws', 'Nets', 'Ladders')}</ul>`, 3],
    ['links with what they are', `<ul>${links('Saws', 'Nets', 'Ladders').replaceAll('</a>', '</a>, cheap')}</ul>`, 3],
    [
      'headings that are links',
      '<div><h3><a href="/a">Saws</a></h3><h3><a href="/b">Nets</a></h3><h3><a href="/c">Ladders</a></h3></div>',
      3,
    ],
  ])('are read if they are %s', async (_, list, count) => {
    const found = await read(`<main><h1>Orchard</h1>${text}${list}</main>`)
    expect(
      texts(found)
        .join('\n')
        .match(/Saws|Nets|Ladders|pruned|birds|water/g)?.length ?? 0,
    ).toBeGreaterThanOrEqual(count)
    expect(found.notes).toEqual([])
  })

  it('are read if a page has no other text', async () => {
    expect(texts(await read(`<ul>${links('Home', 'Shop', 'About')}</ul>`))).toEqual(['- Home\n- Shop\n- About'])
  })
})
