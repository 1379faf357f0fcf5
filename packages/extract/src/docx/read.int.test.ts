import { writeFileSync } from 'node:fs'
import { temporaryFile } from '@cairn/testing/temporary'
import { describe, expect, it } from 'vitest'
import { docx, readFile, texts } from '../read-file.fixture.ts'
import { cell, paragraph, relation, relations, row, run, word } from './docx.fixture.ts'

const styles = `<w:styles ${word}>${[
  ['T', 'Title'],
  ['H1', 'heading 1'],
  ['H2', 'Heading 2'],
]
  .map(([id, name]) => `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`)
  .join('')}</w:styles>`
const numbering = `<w:numbering ${word}><w:abstractNum w:abstractNumId="0">${[0, 1].map((level) => `<w:lvl w:ilvl="${level}"><w:numFmt w:val="${level ? 'decimal' : 'bullet'}"/></w:lvl>`).join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`
const item = (text: string, level = 0): string =>
  paragraph(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`)

it('emits headings, paragraphs, lists and tables as blocks, and the properties', async () => {
  const table = `<w:tbl>${row(cell('Name'), cell('Is | was'))}${row(cell('both', '<w:gridSpan w:val="2"/>'))}${row(cell('down', '<w:vMerge w:val="restart"/>'), cell('1'))}${row(cell('', '<w:vMerge/>'), cell('2'))}</w:tbl>`
  const { blocks, events } = await readFile(
    'docx',
    docx(
      [
        paragraph('The title', '<w:pStyle w:val="T"/>'),
        paragraph('One', '<w:pStyle w:val="H1"/>'),
        paragraph('Some &amp; text'),
        item('first'),
        item('inner', 1),
        item('inner two', 1),
        item('second'),
        paragraph('Two', '<w:pStyle w:val="H2"/>'),
        table,
        `<w:p><w:r><w:t>Kept</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins>${run(' and new')}</w:ins></w:p>`,
      ].join(''),
      {
        'word/styles.xml': styles,
        'word/numbering.xml': numbering,
        'word/_rels/document.xml.rels': relations(
          relation('a', 'styles', 'styles.xml'),
          relation('b', 'numbering', 'numbering.xml'),
        ),
        'docProps/core.xml':
          '<cp:coreProperties xmlns:cp="a" xmlns:dc="b"><dc:title>Of &#x41;ll</dc:title><dc:creator>Ann</dc:creator></cp:coreProperties>',
      },
    ),
  )
  expect(blocks.map(({ kind, level, text }) => [kind, level, text])).toEqual([
    ['heading', 1, 'The title'],
    ['heading', 1, 'One'],
    ['text', undefined, 'Some & text'],
    ['text', undefined, '- first\n  1. inner\n  2. inner two\n- second'],
    ['heading', 2, 'Two'],
    ['table', undefined, '| Name | Is \\| was |\n| --- | --- |\n| both | both |\n| down | 1 |\n| down | 2 |'],
    ['text', undefined, 'Kept and new'],
  ])
  expect(events[0]).toEqual({ event: 'properties', properties: { title: 'Of All', author: 'Ann' } })
})

describe('words stay apart', () => {
  const inner = (...rows: string[]): string => `<w:tbl>${rows.join('')}</w:tbl>`
  const holding = (...content: string[]): string => `<w:tc><w:tcPr/>${content.join('')}</w:tc>`
  const read = async (body: string) => texts(await readFile('docx', docx(body)))

  it.each([
    ['a line break', '<w:br/>', 'one\ntwo'],
    ['a page break', '<w:br w:type="page"/>', 'one\ntwo'],
    ['a column break', '<w:br w:type="column"/>', 'one\ntwo'],
    ['a break of text around a picture', '<w:br w:type="textWrapping" w:clear="all"/>', 'one\ntwo'],
    ['a carriage return', '<w:cr/>', 'one\ntwo'],
    ['a carriage return with an end tag', '<w:cr></w:cr>', 'one\ntwo'],
    ['a tab', '<w:tab/>', 'one\ttwo'],
    ['a tab at a place', '<w:ptab w:relativeTo="margin" w:alignment="center" w:leader="none"/>', 'one\ttwo'],
  ])('at %s', async (_, element, text) => {
    const runs = [run('one'), `<w:r>${element}</w:r>`, run('two')]
    expect(await read(`<w:p>${runs.join('')}</w:p>`)).toEqual([text])
    expect(await read(`<w:p><w:r><w:t>one</w:t>${element}<w:t>two</w:t></w:r></w:p>`)).toEqual([text])
    expect(await read(`<w:tbl>${row(`<w:tc><w:p>${runs.join('')}</w:p></w:tc>`, cell('x'))}</w:tbl>`)).toEqual([
      '| one two | x |\n| --- | --- |',
    ])
  })

  it('in the cells and rows of a table within a cell, at any depth', async () => {
    const deepest = inner(row(cell('E'), cell('F')), row(cell('G'), cell('H')))
    const middle = inner(row(cell('A'), cell('B')), row(holding(paragraph('C'), deepest), cell('D')))
    const table = inner(
      row(cell('Name'), cell('Value')),
      row(holding(paragraph('before'), middle, paragraph('after')), cell('x')),
    )
    expect(await read(table)).toEqual(['| Name | Value |\n| --- | --- |\n| before A B C E F G H D after | x |'])
  })

  it('of a page that is laid out in a table', async () => {
    const page = inner(
      row(
        holding(
          paragraph('Section One'),
          paragraph('Two gates.'),
          inner(row(cell('Height'), cell('120 cm')), row(cell('Girth'), cell('34 cm'))),
          paragraph('End.'),
        ),
      ),
    )
    expect(await read(page)).toEqual([
      'Section One',
      'Two gates.',
      '| Height | 120 cm |\n| --- | --- |\n| Girth | 34 cm |',
      'End.',
    ])
  })

  it('of the paragraphs of a text box', async () => {
    const box = `<w:r><w:pict xmlns:v="urn:schemas-microsoft-com:vml"><v:shape><v:textbox><w:txbxContent>${paragraph('First')}${paragraph('second')}${inner(row(cell('A'), cell('B')))}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>`
    expect((await read(`<w:p>${run('Before')}${box}</w:p>`)).join(' ').match(/\w+/g)).toEqual([
      'Before',
      'First',
      'second',
      'A',
      'B',
    ])
  })

  it('in footnotes', async () => {
    const { blocks } = await readFile(
      'docx',
      docx(`<w:p>${run('Text')}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>`, {
        'word/_rels/document.xml.rels': relations(relation('f', 'footnotes', 'footnotes.xml')),
        'word/footnotes.xml': `<w:footnotes ${word}><w:footnote w:id="2"><w:p><w:r><w:t>one</w:t><w:cr/><w:t>two</w:t></w:r></w:p>${inner(row(cell('A'), cell('B')))}</w:footnote></w:footnotes>`,
      }),
    )
    expect(blocks.map(({ text }) => text.split(/\s+/))).toEqual([
      ['Text', '[1]'],
      ['[1]', 'one', 'two', 'A', 'B'],
    ])
  })
})

it('reads the text within fields, wrappers of direction and annotated characters', async () => {
  const ruby = `<w:r><w:ruby><w:rubyPr/><w:rt>${run('みなと')}</w:rt><w:rubyBase>${run('港')}</w:rubyBase></w:ruby></w:r>`
  const wrapped = ['bdo', 'dir'].map((name) => `<w:${name} w:val="rtl">${run(` ${name}`)}</w:${name}>`).join('')
  const field = `<w:fldSimple w:instr=" AUTHOR ">${run(' Ann')}</w:fldSimple>`
  const read = await readFile('docx', docx(`<w:p>${run('By')}${field}${wrapped}</w:p><w:p>${ruby}</w:p>`))
  expect(texts(read)).toEqual(['By Ann bdo dir', '港'])
})

it('emits footnotes at the end', async () => {
  const { blocks } = await readFile(
    'docx',
    docx(`<w:p>${run('Text')}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>${paragraph('More')}`, {
      'word/_rels/document.xml.rels': relations(relation('f', 'footnotes', 'footnotes.xml')),
      'word/footnotes.xml': `<w:footnotes ${word}><w:footnote w:id="2">${paragraph('The note')}</w:footnote></w:footnotes>`,
    }),
  )
  expect(blocks.map(({ text }) => text)).toEqual(['Text [1]', 'More', '[1] The note'])
})

it('does not follow links out of the file', async () => {
  const canary = temporaryFile('canary.txt')
  writeFileSync(canary, 'CANARY')
  const image =
    '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:link="img"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
  const read = await readFile(
    'docx',
    docx(image + paragraph('Text'), {
      'word/_rels/document.xml.rels': relations(
        relation('img', 'image', `file://${canary}`, 'TargetMode="External"'),
        relation('n', 'footnotes', `../../../../../../../../..${canary}`),
      ),
    }),
  )
  expect(texts(read)).toEqual(['Text'])
  expect(JSON.stringify(read.events)).not.toContain('CANARY')
})

it.each([
  [
    'word/document.xml',
    `<!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/hostname">]><w:document ${word}><w:body>${paragraph('&x;')}</w:body></w:document>`,
  ],
  ['word/styles.xml', `<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>${styles}`],
  ['customXml/item1.xml', '<!doctype x><x/>'],
  ['word/_rels/document.xml.rels', `<!DOCTYPE r SYSTEM "http://127.0.0.1:1/evil.dtd">${relations()}`],
])('refuses a document type in %s', async (part, data) => {
  expect(await readFile('docx', docx(paragraph('text'), { [part]: data }))).toMatchObject({
    blocks: [],
    failure: 'damaged',
  })
})

it('refuses a document type in UTF-16', async () => {
  const data = Buffer.from('\uFEFF<!DOCTYPE x [<!ENTITY a "b">]><x/>', 'utf16le')
  expect((await readFile('docx', docx(paragraph('text'), { 'word/settings.xml': data }))).failure).toBe('damaged')
})

it('reads XML in UTF-16', async () => {
  const data = `<?xml version="1.0" encoding="UTF-16"?><w:document ${word}><w:body>${paragraph('wide')}</w:body></w:document>`
  expect(
    texts(await readFile('docx', docx('', { 'word/document.xml': Buffer.from(`\uFEFF${data}`, 'utf16le') }))),
  ).toEqual(['wide'])
})

it('refuses files that are not Word documents, and archives without one', async () => {
  expect((await readFile('docx', docx('', {}))).failure).toBe('no_text')
  expect((await readFile('docx', docx('<w:p>', {}))).failure).toBe('damaged')
  expect((await readFile('docx', docx(`${'<w:ins>'.repeat(20_000)}${'</w:ins>'.repeat(20_000)}`))).failure).toBe(
    'value_too_large',
  )
})

it('refuses more text than fits into memory before it is parsed', async () => {
  const started = performance.now()
  const large = Array.from({ length: 60_000 }, (_, index) =>
    paragraph(`${index} ${(index * 7919) % 104729} ${(index * 31) % 9973} ${'abcdefgh'.slice(index % 8)}`.repeat(4)),
  ).join('')
  expect((await readFile('docx', docx(large))).failure).toBe('too_large_to_process')
  expect(performance.now() - started).toBeLessThan(9_000)
})
