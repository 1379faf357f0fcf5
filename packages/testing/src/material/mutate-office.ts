import { docxEntries, paragraph, wordNamespace } from './create-docx.ts'
import { sharedStringTable, sheetNamespace, xlsxEntries } from './create-xlsx.ts'
import type { Mutations } from './mutation.ts'
import { textOf, withPart } from './zip-reader.ts'
import { escapeXml, xml, type ZipEntry, zip } from './zip-writer.ts'

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const relationshipPart = (name: string, items: readonly (readonly [type: string, target: string])[]): ZipEntry => ({
  name,
  data: xml(
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items
      .map(
        ([type, target], index) =>
          `<Relationship Id="rX${index + 1}" Type="${relations}/${type}" Target="${escapeXml(target)}" TargetMode="External"/>`,
      )
      .join('')}</Relationships>`,
  ),
})

const picture = (id: string) =>
  `<w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip xmlns:r="${relations}" r:link="${id}" r:embed="${id}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`

export const docxMutations: Mutations = {
  'external-links': ({ canaryFile, canaryUrl }) => {
    const field = `<w:r><w:instrText>INCLUDETEXT "${escapeXml(canaryFile)}"</w:instrText></w:r>`
    const chunk = `<w:altChunk xmlns:r="${relations}" r:id="rX2"/>`
    const body = paragraph(picture('rX1') + picture('rX3') + field) + chunk
    const targets = [
      ['image', `file://${canaryFile}`],
      ['aFChunk', `file://${canaryFile}`],
      ['image', canaryUrl],
      ['attachedTemplate', canaryUrl],
      ['subDocument', canaryUrl],
    ] as const
    const kept = docxEntries(body, 'links').filter(({ name }) => name !== 'word/_rels/document.xml.rels')
    return zip([
      ...kept,
      relationshipPart('word/_rels/document.xml.rels', targets),
      relationshipPart('word/_rels/settings.xml.rels', targets),
    ])
  },
  'picture-outside': () => {
    const targets = [['image', '../../../../../../etc/hostname']] as const
    const kept = docxEntries(paragraph(picture('rX1')), 'picture').filter(
      ({ name }) => name !== 'word/_rels/document.xml.rels',
    )
    const part = relationshipPart('word/_rels/document.xml.rels', targets)
    return zip([...kept, { ...part, data: textOf(part).replaceAll(' TargetMode="External"', '') }])
  },
  'no-text': () => zip(docxEntries(paragraph(''), '')),
  'tables-in-tables': () => {
    const depth = 5_000
    const open = '<w:tbl><w:tr><w:tc>'
    return zip(
      docxEntries(
        `${open.repeat(depth)}${paragraph('<w:r><w:t>deep</w:t></w:r>')}${'</w:tc></w:tr></w:tbl>'.repeat(depth)}`,
        'deep',
      ),
    )
  },
  'wide-span': () => {
    const cell = `<w:tc><w:tcPr><w:gridSpan w:val="2147483647"/></w:tcPr>${paragraph('<w:r><w:t>wide</w:t></w:r>')}</w:tc>`
    return zip(docxEntries(`<w:tbl><w:tr>${cell}</w:tr></w:tbl>`, 'wide'))
  },
  'lists-without-end': () => {
    const item = paragraph(
      '<w:r><w:t>x</w:t></w:r>',
      '<w:numPr><w:ilvl w:val="999999"/><w:numId w:val="__proto__"/></w:numPr>',
    )
    return zip(docxEntries(item.repeat(2_000), 'lists'))
  },
  'style-of-itself': ({ bytes }) =>
    withPart(bytes, 'word/styles.xml', () =>
      xml(
        `<w:styles xmlns:w="${wordNamespace}"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="__proto__"/><w:basedOn w:val="Heading1"/></w:style></w:styles>`,
      ),
    ),
}

const cell = (reference: string, text: string) =>
  `<c r="${reference}" t="inlineStr"><is><t>${escapeXml(text)}</t></is></c>`
const oneSheet = (body: string, strings: readonly string[] = [], name = 'Sheet1') =>
  xlsxEntries([{ name, body }], sharedStringTable(strings))
const rows = (content: string) => `<sheetData>${content}</sheetData>`
/** Creates a workbook with one sheet of these rows. */
const workbook = (content: string, strings: readonly string[] = []) => zip(oneSheet(rows(content), strings))

export const xlsxMutations: Mutations = {
  'last-cell-only': () => workbook(`<row r="1048576">${cell('XFD1048576', 'the last cell')}</row>`),
  'huge-dimension': () =>
    zip(oneSheet(`<dimension ref="A1:XFD1048576"/>${rows(`<row r="1">${cell('A1', 'only this')}</row>`)}`)),
  'cells-beyond-the-end': () =>
    workbook(
      `<row r="99999999999">${cell('ZZZZZZZ99999999999', 'x')}${cell('A0', 'y')}${cell('-1', 'z')}${cell('', 'w')}</row>`,
    ),
  'huge-merge': () =>
    zip(
      oneSheet(
        `${rows(`<row r="1">${cell('A1', 'merged')}</row>`)}<mergeCells><mergeCell ref="A1:XFD1048576"/><mergeCell ref="A1:B2"/></mergeCells>`,
      ),
    ),
  'prototype-names': () => {
    const comments: ZipEntry[] = [
      {
        name: 'xl/comments1.xml',
        data: xml(
          `<comments xmlns="${sheetNamespace}"><authors><author>a</author></authors><commentList><comment ref="__proto__" authorId="0"><text><t>polluted</t></text></comment></commentList></comments>`,
        ),
      },
      {
        name: 'xl/worksheets/_rels/sheet1.xml.rels',
        data: xml(
          `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/comments" Target="../comments1.xml"/></Relationships>`,
        ),
      },
    ]
    const entries = oneSheet(
      rows(`<row r="1">${cell('A1', '__proto__')}${cell('__proto__', 'x')}${cell('B1', 'constructor')}</row>`),
      [],
      '__proto__',
    )
    return zip([...entries, ...comments])
  },
  'million-strings': () => {
    const strings = Array.from({ length: 1_000_000 }, (_, index) => `s${index}`)
    return workbook('<row r="1"><c r="A1" t="s"><v>999999</v></c></row>', strings)
  },
  'strings-that-are-not-there': () =>
    workbook(
      `<row r="1">${['5', '-1', '1e9', 'x', '__proto__'].map((at, index) => `<c r="${'ABCDE'[index]}1" t="s"><v>${at}</v></c>`).join('')}</row>`,
      ['one'],
    ),
  'formula-that-acts': ({ canaryUrl }) => {
    const formulas = [
      "=cmd|'/C calc'!A0",
      `=WEBSERVICE("${canaryUrl}")`,
      `=HYPERLINK("${canaryUrl}","x")`,
      `=IMPORTXML("${canaryUrl}","//a")`,
    ]
    const cells = formulas.map(
      (text, index) =>
        `${cell(`A${index + 1}`, text)}<c r="B${index + 1}" t="str"><f>${escapeXml(text.slice(1))}</f><v>shown</v></c>`,
    )
    return workbook(cells.map((content, index) => `<row r="${index + 1}">${content}</row>`).join(''))
  },
  'external-workbook': ({ canaryFile, canaryUrl }) => {
    const link: ZipEntry = {
      name: 'xl/externalLinks/externalLink1.xml',
      data: xml(
        `<externalLink xmlns="${sheetNamespace}"><externalBook xmlns:r="${relations}" r:id="rX1"/></externalLink>`,
      ),
    }
    const targets = [
      ['externalLinkPath', `file://${canaryFile}`],
      ['externalLinkPath', canaryUrl],
    ] as const
    const body = rows(`<row r="1"><c r="A1" t="str"><f>[1]Sheet1!A1</f><v>kept value</v></c></row>`)
    return zip([...oneSheet(body), link, relationshipPart('xl/externalLinks/_rels/externalLink1.xml.rels', targets)])
  },
  'dates-out-of-time': () =>
    workbook(
      `<row r="1">${['-1', '1e308', 'NaN', '2958466', '60', 'Infinity'].map((value, index) => `<c r="${'ABCDEF'[index]}1" s="1"><v>${value}</v></c>`).join('')}</row>`,
    ),
  'styles-that-are-not-there': () =>
    workbook('<row r="1"><c r="A1" s="4294967295"><v>1</v></c><c r="B1" s="-1"><v>2</v></c></row>'),
  'sheet-without-rows': () => zip(oneSheet('<sheetData/>')),
  'rows-out-of-order': () =>
    workbook(
      `<row r="9">${cell('A9', 'nine')}</row><row r="2">${cell('B2', 'two')}${cell('A2', 'before')}</row><row>${cell('A3', 'x')}</row>`,
    ),
  'wide-row': () =>
    workbook(
      `<row r="1">${Array.from({ length: 200_000 }, () => '<c t="inlineStr"><is><t>w</t></is></c>').join('')}</row>`,
    ),
}
