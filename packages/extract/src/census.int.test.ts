import { readFileSync } from 'node:fs'
import { type FileType, fileTypes } from '@cairn/contracts/files/file-rules'
import { createMaterial } from '@cairn/testing/material/create-material'
import type { Material } from '@cairn/testing/material/material'
import { textOf as contentOf, unzip } from '@cairn/testing/material/zip-reader'
import { seededRandom } from '@cairn/testing/seeded-random'
import iconv from 'iconv-lite'
import PostalMime from 'postal-mime'
import { extractText, getDocumentProxy } from 'unpdf'
import { describe, expect, it } from 'vitest'
import { type NoteCode, noteCodes } from './block.ts'
import { docx, type Read, readFile, textRow, xlsx } from './read-file.fixture.ts'

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** Returns all searchable text of a file: blocks, running headers and footers, sheet names, and properties. */
const foundIn = ({ events }: Read): string =>
  events
    .flatMap((event) => {
      if (event.event === 'properties') return [JSON.stringify(event.properties)]
      return event.event === 'block' ? [event.block.text, event.block.at.running ?? '', event.block.at.sheet ?? ''] : []
    })
    .join('\n')

/** Returns the words of the input that were not read; each word is repeated as often as it is missing. */
const missing = (input: string, found: string): string[] => {
  const left = new Map<string, number>()
  for (const word of wordsOf(found)) left.set(word, (left.get(word) ?? 0) + 1)
  return wordsOf(input).filter((word) => {
    const count = left.get(word) ?? 0
    left.set(word, count - 1)
    return count <= 0
  })
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
const innerTexts = (xml: string, tag: string): string[] =>
  [...xml.matchAll(new RegExp(`<${tag}(?: [^>]*)?>([^<]*)</${tag}>`, 'g'))].map(([, text = '']) => unescaped(text))
/** Returns the text between tags, without code and without content around the main part. */
const pageText = (page: string): string =>
  unescaped(
    page
      .replace(/<(script|style|nav|footer)\b.*?<\/\1>/gs, '')
      .replace(/<[^>]*>/g, (tag) => (/^<\/?[ab]\b/.test(tag) ? '' : ' ')),
  )
const partsOf = (bytes: Buffer) => new Map(unzip(bytes).map((entry) => [entry.name, contentOf(entry)]))

const scalars = (value: unknown): string[] =>
  value !== null && typeof value === 'object'
    ? Object.entries(value).flatMap(([key, inner]) => [...(Array.isArray(value) ? [] : [key]), ...scalars(inner)])
    : [String(value)]

const jsonTexts = (text: string): string[] => {
  const values = text.trimStart().startsWith('{"name"') ? text.trim().split('\n') : [text]
  return values.flatMap((value) => scalars(JSON.parse(value)))
}

const cellTexts = (bytes: Buffer): string[] => {
  const parts = partsOf(bytes)
  const strings = [...(parts.get('xl/sharedStrings.xml') ?? '').matchAll(/<si>.*?<\/si>/gs)].map(([si]) =>
    innerTexts(si, 't').join(''),
  )
  const sheets = [...parts].filter(([name]) => name.startsWith('xl/worksheets/'))
  return sheets.flatMap(([, xml]) =>
    [...xml.matchAll(/<c ([^>]*)>(.*?)<\/c>/gs)].map(([, attributes = '', inner = '']) => {
      const [value = ''] = innerTexts(inner, 'v')
      if (attributes.includes('t="s"')) return strings[Number(value)] ?? ''
      if (attributes.includes('inlineStr')) return innerTexts(inner, 't').join('')
      if (attributes.includes('s="1"'))
        return new Date(Date.UTC(1899, 11, 30 + Number(value))).toISOString().slice(0, 10)
      return attributes.includes('s="2"') ? (Number(value) * 100).toFixed(2) : value
    }),
  )
}

const mailText = async (bytes: Uint8Array | ArrayBuffer): Promise<string> => {
  const { text, html = '', attachments } = await PostalMime.parse(bytes, { forceRfc822Attachments: true })
  const inner = attachments.filter(({ mimeType }) => mimeType === 'message/rfc822')
  const own = text ?? unescaped(html.replace(/<style>.*?<\/style>|<[^>]*>/gs, ' '))
  return [own, ...(await Promise.all(inner.map(({ content }) => mailText(content as ArrayBuffer))))].join('\n')
}

/** Readers of each file type that extract the text in the plainest way, without Cairn's extractors. */
const readers: Readonly<Record<Exclude<FileType, 'png'>, (material: Material) => Promise<string>>> = {
  txt: async ({ bytes, truth }) => iconv.decode(bytes, truth.encoding ?? 'utf-8'),
  md: async ({ bytes, truth }) => iconv.decode(bytes, truth.encoding ?? 'utf-8'),
  csv: async ({ bytes, truth }) => iconv.decode(bytes, truth.encoding ?? 'utf-8'),
  html: async ({ bytes, truth }) => pageText(iconv.decode(bytes, truth.encoding ?? 'utf-8')),
  epub: async ({ bytes }) =>
    [...partsOf(bytes)]
      .filter(([name]) => /chapter.*\.xhtml$/.test(name))
      .map(([, text]) => pageText(text.replace(/<head>.*<\/head>/s, '')))
      .join('\n'),
  json: async ({ bytes }) => jsonTexts(bytes.toString('utf8')).join('\n'),
  xlsx: async ({ bytes }) => cellTexts(bytes).join('\n'),
  docx: async ({ bytes }) =>
    [...partsOf(bytes)]
      .filter(([name]) => /^word\/(?:document|footnotes|endnotes|comments|header\d*|footer\d*)\.xml$/.test(name))
      .flatMap(([, xml]) => xml.split('</w:p>').map((paragraph) => innerTexts(paragraph, 'w:t').join('')))
      .join('\n'),
  pptx: async ({ bytes }) =>
    [...partsOf(bytes)]
      .filter(([name]) => /^ppt\/(?:slides|notesSlides)\/[^/]*\.xml$/.test(name))
      .flatMap(([, xml]) => xml.split('</a:p>').map((paragraph) => innerTexts(paragraph, 'a:t').join('')))
      .join('\n'),
  eml: async ({ bytes }) => mailText(bytes),
  pdf: async ({ bytes }) => (await extractText(await getDocumentProxy(new Uint8Array(bytes)))).text.join('\n'),
}

/** Pictures have no second reader: their text is only what OCR sees. */
const types = fileTypes.filter((type) => type !== 'png')

const missingOf = async (type: keyof typeof readers, material: Material): Promise<string[]> =>
  missing(await readers[type](material), foundIn(await readFile(type, material.bytes)))

describe('every word of a file is read', () => {
  it('counts each word as often as the file has it', () => {
    expect(missing('Two bees, two hives', 'two hives and bees')).toEqual(['two'])
  })

  it.each(types.flatMap((type) => [1, 2, 3, 4].map((seed) => [type, seed] as const)))(
    '%s, generated from seed %i',
    async (type, seed) => {
      const material = await createMaterial(type, seed, { sentences: 40 })
      expect(wordsOf(await readers[type](material)).length).toBeGreaterThan(100)
      expect(await missingOf(type, material)).toEqual([])
    },
  )

  const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
  const inPart = (root: string, inner: string) =>
    `<w:${root} xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${inner}</w:${root}>`

  it('docx, in content controls, nested tables, text boxes, notes, comments and headers', async () => {
    const control = `<w:sdt><w:sdtContent>${paragraph('inside a control')}</w:sdtContent></w:sdt>`
    const cell = (inner: string) => `<w:tc>${inner}</w:tc>`
    const inner = `<w:tbl><w:tr>${cell(paragraph('nested left'))}${cell(paragraph('nested right'))}</w:tr></w:tbl>`
    const table = `<w:tbl><w:tr>${cell(paragraph('outer one'))}${cell(`${inner}${paragraph('after nested')}`)}</w:tr><w:tr>${cell(paragraph('second'))}${cell(paragraph('row'))}</w:tr></w:tbl>`
    const box = `<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox><w:txbxContent>${paragraph('words of a box')}</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>`
    const marks =
      '<w:p><w:r><w:t>marked</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:commentReference w:id="0"/></w:r></w:p>'
    const relations = ['footnotes', 'comments', 'header']
      .map(
        (kind) =>
          `<Relationship Id="${kind}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${kind}" Target="${kind === 'header' ? 'header1' : kind}.xml"/>`,
      )
      .join('')
    const section = '<w:sectPr><w:headerReference w:type="default" r:id="header"/></w:sectPr>'
    const bytes = docx(`${paragraph('first words')}${control}${table}${box}${marks}${section}`, {
      'word/footnotes.xml': inPart('footnotes', `<w:footnote w:id="2">${paragraph('below the line')}</w:footnote>`),
      'word/comments.xml': inPart(
        'comments',
        `<w:comment w:id="0" w:author="Ann">${paragraph('please check')}</w:comment>`,
      ),
      'word/header1.xml': inPart('hdr', paragraph('head of pages')),
      'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations}</Relationships>`,
    })
    expect(await missingOf('docx', { bytes, truth: { sentences: [] } })).toEqual([])
  })

  it('xlsx, in titles, forms, tables side by side, and hidden rows', async () => {
    const bytes = xlsx({
      Plain: `<sheetData>${textRow(1, 'Inventory of tools')}${textRow(3, 'Code', 'Name')}${textRow(4, 'T-01', 'Saw')}${textRow(5, 'T-02', 'Axe')}</sheetData>`,
      Form: `<sheetData>${textRow(1, 'Member:', 'Ann Moor')}${textRow(2, 'Since:', 'spring')}<row r="3" hidden="1"><c t="inlineStr"><is><t>Secret:</t></is></c><c t="inlineStr"><is><t>quince</t></is></c></row></sheetData>`,
      Both: `<sheetData>${textRow(1, 'Tool', 'Shed', '', 'Crop', 'Field')}${textRow(2, 'Rake', 'north', '', 'Peas', 'mill')}${textRow(3, 'Hoe', 'south', '', 'Oats', 'pond')}</sheetData>`,
    })
    expect(await missingOf('xlsx', { bytes, truth: { sentences: [] } })).toEqual([])
  })

  const soup =
    'div p b i a h2 ul ol li dl dt dd table caption thead tr th td pre blockquote details summary button label figure section header nav main aside svg text math mi ruby font center form object br hr'.split(
      ' ',
    )

  it.each(Array.from({ length: 30 }, (_, seed) => seed))('html, with tags in any order (%i)', async (seed) => {
    const random = seededRandom(seed)
    const parts = Array.from({ length: 400 }, (_, index) => {
      const tag = random.pick(soup)
      return random.pick([`<${tag}>`, `<${tag}/>`, `</${tag}>`, ` word${index} `, `\n${index}\n`])
    })
    const { blocks, events } = await readFile('html', `<body>${parts.join('')}`)
    const input = parts.filter((part) => !part.startsWith('<')).join('')
    const lost = missing(input, blocks.map(({ text }) => text).join('\n'))
    // Notes report how many words of the navigation and around the main part were left out.
    const noted = events.flatMap((event) =>
      event.event === 'note' ? Number(/\((\d+) words?\)/.exec(event.message)?.[1] ?? 0) : [],
    )
    expect(lost).toHaveLength(noted.reduce((sum, count) => sum + count, 0))
  })
})

/** Test file that provokes each note. */
const tests: Readonly<Record<NoteCode, string>> = {
  page_without_text: 'pdf/ocr/ocr.int.test.ts',
  page_repeated: 'pdf/document/repeated.int.test.ts',
  page_unreadable: 'pdf/read.int.test.ts',
  row_unreadable: 'csv/read.int.test.ts',
  value_cut: 'csv/read.int.test.ts',
  encoding_guessed: 'shared/encoding/encoding.int.test.ts',
  truncated: 'pdf/read.int.test.ts',
  ocr_unreadable: 'pdf/photo.int.test.ts',
  text_unmapped: 'pdf/read.int.test.ts',
  text_hidden: 'pdf/lines/layout.int.test.ts',
  bytes_replaced: 'shared/encoding/encoding.int.test.ts',
  formula_without_value: 'xlsx/read.int.test.ts',
  content_not_read: 'xlsx/read.int.test.ts',
}

describe('what is not read', () => {
  it.each(noteCodes)('has a test that expects the note code %s', (code) => {
    expect(readFileSync(new URL(tests[code], import.meta.url), 'utf8')).toMatch(new RegExp(`['"\`]${code}['"\`]`))
  })
})
