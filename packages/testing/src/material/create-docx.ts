import { seededRandom } from '../seeded-random.ts'
import type { CreateMaterial, KnownSentence } from './material.ts'
import { createSentenceGenerator } from './sentences.ts'
import { escapeXml, xml, type ZipEntry, zip } from './zip-writer.ts'

export const wordNamespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships'

const types = xml(
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/><Override PartName="/word/numbering.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>',
)

const relationships = (targets: readonly (readonly [type: string, target: string])[]): string =>
  xml(
    `<Relationships xmlns="${packageRelations}">${targets
      .map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${type}" Target="${target}"/>`)
      .join('')}</Relationships>`,
  )

const rootRelations = relationships([
  [`${relations}/officeDocument`, 'word/document.xml'],
  ['http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties', 'docProps/core.xml'],
])

const documentRelations = relationships([
  [`${relations}/styles`, 'styles.xml'],
  [`${relations}/numbering`, 'numbering.xml'],
])

const styles = xml(
  `<w:styles xmlns:w="${wordNamespace}">${['Title', ...[1, 2, 3].map((level) => `heading ${level}`)]
    .map(
      (name) =>
        `<w:style w:type="paragraph" w:styleId="${name.replace('heading ', 'Heading')}"><w:name w:val="${name}"/></w:style>`,
    )
    .join('')}</w:styles>`,
)

const numbering = xml(
  `<w:numbering xmlns:w="${wordNamespace}"><w:abstractNum w:abstractNumId="0">${[0, 1]
    .map(
      (level) =>
        `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="-"/></w:lvl>`,
    )
    .join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
)

const core = (title: string) =>
  xml(
    `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeXml(title)}</dc:title><dc:creator>Cairn</dc:creator></cp:coreProperties>`,
  )

export const docxEntries = (body: string, title: string): ZipEntry[] => [
  { name: '[Content_Types].xml', data: types },
  { name: '_rels/.rels', data: rootRelations },
  {
    name: 'word/document.xml',
    data: xml(`<w:document xmlns:w="${wordNamespace}"><w:body>${body}</w:body></w:document>`),
  },
  { name: 'word/_rels/document.xml.rels', data: documentRelations },
  { name: 'word/styles.xml', data: styles },
  { name: 'word/numbering.xml', data: numbering },
  { name: 'docProps/core.xml', data: core(title) },
]

const run = (text: string, properties = '') =>
  `<w:r>${properties}<w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`
export const paragraph = (content: string, properties = '') =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}${content}</w:p>`

/**
 * Creates a document with nested headings, paragraphs of several runs, lists, tables with merged cells, and text that
 * is written from right to left or without blanks.
 */
export const createDocx: CreateMaterial = async (seed, { sentences: requestedCount } = {}) => {
  const random = seededRandom(seed)
  const { sentence, title } = createSentenceGenerator(random)
  const knownSentences: KnownSentence[] = []
  const parts: string[] = []
  const path: string[] = []
  const addSentence = (text: string, more: Partial<KnownSentence> = {}) => {
    knownSentences.push({ text, headings: [...path], ...more })
    return text
  }
  /** Splits the text into two runs, the second bold, as editors do. */
  const runs = (text: string) => {
    const index = 1 + random.below(text.length - 1)
    return run(text.slice(0, index)) + run(text.slice(index), '<w:rPr><w:b/></w:rPr>')
  }
  const heading = () => {
    const level = Math.min(1 + random.below(3), path.length + 1)
    path.length = level - 1
    path.push(title())
    parts.push(paragraph(run(path.at(-1) as string), `<w:pStyle w:val="Heading${level}"/>`))
  }
  const cell = (text: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(run(text))}</w:tc>`
  const table = () => {
    const rows = Array.from({ length: 2 + random.below(3) }, () => {
      const text = () => addSentence(sentence(), { inTable: true })
      return `<w:tr>${random.chance(0.3) ? cell(text(), '<w:gridSpan w:val="2"/>') : cell(text()) + cell(text())}</w:tr>`
    })
    const first = `<w:tr>${cell('Name')}${cell('Remark')}</w:tr>`
    parts.push(
      `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid>${first}${rows.join('')}</w:tbl>`,
      paragraph(''),
    )
  }
  const name = title()
  parts.push(paragraph(run(name), '<w:pStyle w:val="Title"/>'))
  heading()
  const count = requestedCount ?? 20 + random.below(40)
  while (knownSentences.length < count) {
    const choice = random.below(10)
    if (choice < 2) heading()
    else if (choice < 6) parts.push(paragraph(runs([addSentence(sentence()), addSentence(sentence())].join(' '))))
    else if (choice === 6) {
      for (const level of [0, 1, 1]) {
        parts.push(
          paragraph(run(addSentence(sentence())), `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`),
        )
      }
    } else if (choice === 7) table()
    else if (choice === 8)
      parts.push(
        paragraph(
          run(addSentence(sentence(random.pick(['hebrew', 'arabic']))), '<w:rPr><w:rtl/></w:rPr>'),
          '<w:bidi/>',
        ),
      )
    else parts.push(paragraph(run(addSentence(sentence(random.pick(['japanese', 'chinese', 'korean']))))))
  }
  return { bytes: zip(docxEntries(parts.join(''), name)), truth: { sentences: knownSentences, title: name } }
}
