import { type Chapter, epubEntries } from '@cairn/testing/material/create-epub'
import { type ZipEntry, zip } from '@cairn/testing/material/zip-writer'
import { describe, expect, it } from 'vitest'
import { readFile } from '../read-file.fixture.ts'

const opf = 'OEBPS/book.opf'
const chapters = (...bodies: string[]): Chapter[] => bodies.map((body, at) => ({ title: `Title ${at + 1}`, body }))

/** Reads a book of these chapters. `parts` changes or adds parts; undefined removes a part. */
const read = (
  bodies: readonly string[],
  parts: Readonly<Record<string, ((text: string) => string) | undefined>> = {},
) => {
  const own = new Map<string, ZipEntry>(epubEntries(chapters(...bodies), 'Book').map((entry) => [entry.name, entry]))
  for (const [name, change] of Object.entries(parts)) {
    if (change) own.set(name, { name, data: change(String(own.get(name)?.data ?? '')) })
    else own.delete(name)
  }
  return readFile('epub', zip([...own.values()]))
}
const shown = ({ blocks }: Awaited<ReturnType<typeof read>>) =>
  blocks.map(({ kind, level, text, at }) => [kind === 'heading' ? `h${level}` : kind, text, at.path])

describe('a book', () => {
  it('emits its chapters in the order of the spine, with their places', async () => {
    const found = await read(['<h1>One</h1><p>First.</p>', '<h2>Two</h2><p>Second.</p>'], {
      [opf]: (text) =>
        text.replace(
          '<itemref idref="c0"/><itemref idref="c1"/>',
          '<itemref idref="c1"/><itemref idref="c0"/><itemref idref="c1"/>',
        ),
    })
    expect(shown(found)).toEqual([
      ['h2', 'Two', 'OEBPS/chapter 2.xhtml'],
      ['text', 'Second.', 'OEBPS/chapter 2.xhtml'],
      ['h1', 'One', 'OEBPS/chapter 1.xhtml'],
      ['text', 'First.', 'OEBPS/chapter 1.xhtml'],
    ])
  })

  it('emits properties', async () => {
    const { events } = await read(['<p>x</p>'], {
      [opf]: (text) =>
        text.replace(
          '</metadata>',
          '<dc:creator>Ann</dc:creator><dc:title>Subtitle</dc:title><dc:description>&lt;p&gt;On peas.&lt;/p&gt;</dc:description><meta property="dcterms:modified">2025-01-01</meta></metadata>',
        ),
    })
    expect(events[0]).toEqual({
      event: 'properties',
      properties: {
        title: 'Book',
        author: 'Cairn, Ann',
        language: 'en',
        created: '2024-03-01',
        description: 'On peas.',
        modified: '2025-01-01',
      },
    })
  })

  it('uses the table of contents (EPUB 2 or 3) for titles of chapters without headings', async () => {
    const bodies = ['<h1>Own</h1><p>a</p>', '<p>b</p>', '<p>c</p>']
    const nested = `<html xmlns:epub="x"><body><nav epub:type="landmarks"><ol><li><a href="chapter%202.xhtml">No</a></li></ol></nav><nav epub:type="toc"><ol><li><a href="chapter%201.xhtml">Part</a><ol><li><a href="chapter%202.xhtml#x">Chapter <b>B</b></a></li></ol></li></ol></nav></body></html>`
    const titles = async (parts: Parameters<typeof read>[1]) =>
      shown(await read(bodies, parts)).map(([kind, text]) => [kind, text])
    expect(await titles({ 'OEBPS/nav.xhtml': () => nested })).toEqual([
      ['h1', 'Own'],
      ['text', 'a'],
      ['h2', 'Chapter B'],
      ['text', 'b'],
      ['text', 'c'],
    ])
    const older = [
      ['h1', 'Own'],
      ['text', 'a'],
      ['h1', 'Title 2'],
      ['text', 'b'],
      ['h1', 'Title 3'],
      ['text', 'c'],
    ]
    expect(await titles({ 'OEBPS/nav.xhtml': undefined })).toEqual(older)
    expect(await titles({ 'OEBPS/nav.xhtml': undefined, 'OEBPS/toc.ncx': () => '<ncx><navMap>' })).toEqual(older)
  })

  it('inserts titles of parts of a chapter, unless the text has them', async () => {
    const part = (id: string) => `<li><a href="chapter%201.xhtml#${id}">Part ${id.toUpperCase()}</a></li>`
    const contents = `<html xmlns:epub="x"><body><nav epub:type="toc"><ol>${['a', 'b', 'c', 'd', 'x'].map(part).join('')}</ol></nav></body></html>`
    const body =
      '<div id="a"><p>First.</p></div><p>\n<a id="b"></a>Second.</p><h2><a id="c"></a>Part C: more</h2><p>Third.</p><ul><li id="d">Item</li></ul>'
    const found = await read([body, '<p>After.</p>'], { 'OEBPS/nav.xhtml': () => contents })
    expect(shown(found).map(([kind, text]) => [kind, text])).toEqual([
      ['h1', 'Part A'],
      ['text', 'First.'],
      ['h1', 'Part B'],
      ['text', 'Second.'],
      ['h2', 'Part C: more'],
      ['text', 'Third.'],
      ['h1', 'Part D'],
      ['text', '- Item'],
      ['text', 'After.'],
    ])
  })

  it('includes CDATA, one alternative of a switch, and the text of drawings', async () => {
    const cases =
      '<epub:switch><epub:case required-namespace="http://www.xml-cml.org/schema">C2</epub:case><epub:default>Water</epub:default></epub:switch>'
    const math =
      '<epub:switch><epub:case required-namespace="http://www.w3.org/1998/Math/MathML"><math alttext="a=b"/></epub:case><epub:default>no</epub:default></epub:switch>'
    const drawing = '<svg aria-label="Plan"><text>North <![CDATA[<gate>]]></text></svg>'
    const found = await read([`<p><![CDATA[Sluice & <weir>]]></p><p>${cases}</p><p>${math}</p><p>${drawing}</p>`], {
      'OEBPS/chapter 1.xhtml': (text) => text.replace('<html', '<html xmlns:epub="http://www.idpf.org/2007/ops"'),
    })
    expect(
      shown(found)
        .map(([, text]) => text)
        .slice(1),
    ).toEqual(['Sluice & <weir>', 'Water', 'a=b', '[Picture: Plan North <gate>]'])
    const chapter = await read(['x'], {
      'OEBPS/chapter 1.xhtml': () => '<svg xmlns="http://www.w3.org/2000/svg"><text>Map of the weir</text></svg>',
      [opf]: (text) => text.replace(/(chapter%201.xhtml" media-type=)"[^"]*"/, '$1"image/svg+xml"'),
    })
    expect(shown(chapter).map(([, text]) => text)).toContain('[Picture: Map of the weir]')
  })

  it('reads all of a chapter, also elements that sites use around their content', async () => {
    const found = await read([
      '<header>Head</header><article><p>Text.</p></article><aside>Note 1</aside><nav>List</nav>',
    ])
    expect(shown(found).map(([, text]) => text)).toEqual(['Title 1', 'Head', 'Text.', 'Note 1', 'List'])
    expect(found.notes).toEqual([])
  })

  it('reads chapters in their encoding, also after self-closing elements', async () => {
    const name = 'OEBPS/chapter 1.xhtml'
    const latin = zip(
      epubEntries(chapters(''), 'Book').map((entry) =>
        entry.name === name
          ? {
              name,
              data: Buffer.from(
                '<?xml version="1.0" encoding="iso-8859-1"?><html><head><title/></head><body><h1>Caf\xe9</h1><p>x</p></body></html>',
                'latin1',
              ),
            }
          : entry,
      ),
    )
    expect(shown(await readFile('epub', latin)).map(([, text]) => text)).toEqual(['Caf\u00e9', 'x'])
  })

  it('notes chapters that are missing or not pages, and fails if there are no others', async () => {
    const found = await read(['<h1>One</h1><p>a</p>', '<p>b</p>', '<p>c</p>'], {
      'OEBPS/chapter 2.xhtml': undefined,
      [opf]: (text) => text.replace(/(chapter%203.xhtml" media-type=)"[^"]*"/, '$1"image/jpeg"'),
    })
    expect(shown(found).map(([, text]) => text)).toEqual(['One', 'a'])
    expect(found.events.filter(({ event }) => event === 'note')).toEqual([
      {
        event: 'note',
        code: 'content_not_read',
        message: 'A chapter is missing in the file.',
        at: { path: 'OEBPS/chapter 2.xhtml' },
      },
      {
        event: 'note',
        code: 'content_not_read',
        message: 'A chapter is of the type image/jpeg.',
        at: { path: 'OEBPS/chapter 3.xhtml' },
      },
    ])
    expect((await read(['a'], { 'OEBPS/chapter 1.xhtml': undefined })).failure).toBe('damaged')
    expect((await read(['a'], { [opf]: undefined })).failure).toBe('damaged')
    expect((await read([''])).failure).toBe('no_text')
  })

  it('fails with encrypted if its chapters are encrypted, but not if only its fonts are', async () => {
    const encryption = (algorithm: string, part: string) => () =>
      `<encryption xmlns:e="x"><e:EncryptedData><e:EncryptionMethod Algorithm="${algorithm}"/><e:CipherData><e:CipherReference URI="${part}"/></e:CipherData></e:EncryptedData></encryption>`
    const aes = 'http://www.w3.org/2001/04/xmlenc#aes256-cbc'
    const withPart = async (change: () => string) =>
      (await read(['<p>a</p>'], { 'META-INF/encryption.xml': change })).failure
    expect(await withPart(encryption(aes, 'OEBPS/chapter%201.xhtml'))).toBe('encrypted')
    expect(await withPart(encryption(aes, 'OEBPS/picture.jpg'))).toBeUndefined()
    expect(await withPart(encryption('http://www.idpf.org/2008/embedding', 'OEBPS/font.otf'))).toBeUndefined()
  })
})
