import { docx, type Parts, type Read, readFile } from '../read-file.fixture.ts'

export const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

export const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
export const paragraph = (text: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr>${run(text)}</w:p>`
export const cell = (text: string, properties = ''): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`
export const cellOf = (...content: string[]): string => `<w:tc><w:tcPr/>${content.join('')}</w:tc>`
export const row = (...cells: string[]): string => `<w:tr>${cells.join('')}</w:tr>`
export const table = (...rows: string[]): string => `<w:tbl>${rows.join('')}</w:tbl>`
export const span = (columns: number): string => `<w:gridSpan w:val="${columns}"/>`

export const relations = (...all: string[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`
export const relation = (id: string, kind: string, target: string, mode = ''): string =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${kind}" Target="${target}" ${mode}/>`

export const style = (id: string, name: string, more = ''): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`
export const stylesPart = (...all: string[]): Parts => ({
  'word/styles.xml': `<w:styles ${word}>${all.join('')}</w:styles>`,
})

/** Reads a document with this body. The extractor finds `parts` with the usual names without a relationship. */
export const readDocx = (body: string, parts: Parts = {}): Promise<Read> => readFile('docx', docx(body, parts))

/** Returns kind and text of the blocks; headings include their level. */
export const blocksOf = ({ blocks }: Read): string[] =>
  blocks.map(({ kind, level, text }) => `${kind}${level ?? ''}: ${text}`)

/** Returns the notes as `<code>: <message>`. */
export const noteMessages = ({ events }: Read): string[] =>
  events.flatMap((event) => (event.event === 'note' ? [`${event.code}: ${event.message}`] : []))
