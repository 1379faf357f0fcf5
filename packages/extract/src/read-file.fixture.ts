import { writeFileSync } from 'node:fs'
import type { FileType } from '@cairn/contracts/files/file-rules'
import { zip } from '@cairn/testing/material/zip-writer'
import { temporaryFile } from '@cairn/testing/temporary'
import type { Block, ExtractEvent, ExtractOptions } from './block.ts'
import { extractors } from './extractors.ts'
import { isUnreadable } from './unreadable.ts'

export type Read = {
  readonly events: ExtractEvent[]
  readonly blocks: Block[]
  readonly notes: string[]
  readonly failure?: string
}

/** Reads a file with this content; returns its events, and the error code if reading failed. */
export const readFile = async (
  type: FileType,
  content: string | Uint8Array,
  options: ExtractOptions = {},
): Promise<Read> => {
  const path = temporaryFile(`file.${type}`)
  writeFileSync(path, content)
  const events: ExtractEvent[] = []
  let failure: string | undefined
  try {
    for await (const event of extractors[type](path, options)) events.push(event)
  } catch (error) {
    if (!isUnreadable(error)) throw error
    failure = error.code
  }
  const blocks = events.flatMap((event) => (event.event === 'block' ? [event.block] : []))
  const notes = events.flatMap((event) => (event.event === 'note' ? [event.code] : []))
  return { events, blocks, notes, ...(failure ? { failure } : {}) }
}

export const texts = ({ blocks }: Read): string[] => blocks.map(({ text }) => text)

const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const container = (part: string, contentType: string) => [
  {
    name: '[Content_Types].xml',
    data: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${contentType}.main+xml"/></Types>`,
  },
  {
    name: '_rels/.rels',
    data: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${relationships}/officeDocument" Target="${part}"/></Relationships>`,
  },
]

export type Parts = Readonly<Record<string, string | Buffer>>

/** Builds a Word document with this body; `parts` adds or replaces parts. */
export const docx = (body: string, parts: Parts = {}): Buffer => {
  const own: Parts = {
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${relationships}"><w:body>${body}</w:body></w:document>`,
  }
  const all = Object.entries({ ...own, ...parts }).map(([name, data]) => ({ name, data }))
  return zip([...container('word/document.xml', 'wordprocessingml.document'), ...all])
}

/** Builds a workbook with these sheets; each value is the XML within `worksheet`. */
export const xlsx = (sheets: Readonly<Record<string, string>>, parts: Parts = {}): Buffer => {
  const names = Object.keys(sheets)
  const relation = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${relationships}/${kind}" Target="${target}"/>`
  const own: Parts = {
    'xl/workbook.xml': `<workbook xmlns:r="${relationships}"><sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="s${index}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names.map((_, index) => relation(`s${index}`, 'worksheet', `worksheets/sheet${index}.xml`)).join('')}${relation('st', 'styles', 'styles.xml')}${relation('ss', 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
    ...Object.fromEntries(
      Object.values(sheets).map((sheet, index) => [
        `xl/worksheets/sheet${index}.xml`,
        `<worksheet>${sheet}</worksheet>`,
      ]),
    ),
  }
  const all = Object.entries({ ...own, ...parts }).map(([name, data]) => ({ name, data }))
  return zip([...container('xl/workbook.xml', 'spreadsheetml.sheet'), ...all])
}

/** Returns the XML of a row of text cells. */
export const textRow = (row: number, ...cells: string[]): string =>
  `<row r="${row}">${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`
