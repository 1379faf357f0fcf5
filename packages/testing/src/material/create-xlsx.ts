import { seededRandom } from '../seeded-random.ts'
import type { CreateMaterial, KnownSentence } from './material.ts'
import { createSentenceGenerator } from './sentences.ts'
import { escapeXml, xml, type ZipEntry, zip } from './zip-writer.ts'

export const sheetNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

export type Sheet = {
  readonly name: string
  /** The content of `<worksheet>`. */
  readonly body: string
}

const content = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const styles = xml(
  `<styleSheet xmlns="${sheetNamespace}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="10" applyNumberFormat="1"/></cellXfs></styleSheet>`,
)

export const xlsxEntries = (sheets: readonly Sheet[], sharedStrings: string): ZipEntry[] => [
  {
    name: '[Content_Types].xml',
    data: xml(
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${content}.sheet.main+xml"/>${sheets
        .map(
          (_, index) =>
            `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="${content}.worksheet+xml"/>`,
        )
        .join(
          '',
        )}<Override PartName="/xl/styles.xml" ContentType="${content}.styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${content}.sharedStrings+xml"/></Types>`,
    ),
  },
  {
    name: '_rels/.rels',
    data: xml(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
  },
  {
    name: 'xl/workbook.xml',
    data: xml(
      `<workbook xmlns="${sheetNamespace}" xmlns:r="${relations}"><sheets>${sheets
        .map(({ name }, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
        .join('')}</sheets></workbook>`,
    ),
  },
  {
    name: 'xl/_rels/workbook.xml.rels',
    data: xml(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${sheets
        .map(
          (_, index) =>
            `<Relationship Id="rId${index + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
        )
        .join(
          '',
        )}<Relationship Id="rId${sheets.length + 1}" Type="${relations}/styles" Target="styles.xml"/><Relationship Id="rId${sheets.length + 2}" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    ),
  },
  ...sheets.map(({ body }, index) => ({
    name: `xl/worksheets/sheet${index + 1}.xml`,
    data: xml(`<worksheet xmlns="${sheetNamespace}">${body}</worksheet>`),
  })),
  { name: 'xl/styles.xml', data: styles },
  { name: 'xl/sharedStrings.xml', data: xml(sharedStrings) },
]

export const sharedStringTable = (strings: readonly string[]): string =>
  `<sst xmlns="${sheetNamespace}" count="${strings.length}" uniqueCount="${strings.length}">${strings
    .map((text) => `<si><t xml:space="preserve">${escapeXml(text)}</t></si>`)
    .join('')}</sst>`

/** Returns a date as a serial number: days since the spreadsheet's epoch. */
const serial = (day: number) => 44_000 + day

/**
 * Creates several sheets, with headers not always in the first row, dates, percentages, formulas with values, and
 * merged cells.
 */
export const createXlsx: CreateMaterial = async (seed, { sentences: requestedCount } = {}) => {
  const random = seededRandom(seed)
  const { sentence, name } = createSentenceGenerator(random)
  const knownSentences: KnownSentence[] = []
  const strings: string[] = []
  const shared = (reference: string, text: string) => {
    strings.push(text)
    return `<c r="${reference}" t="s"><v>${strings.length - 1}</v></c>`
  }
  const inline = (reference: string, text: string) =>
    `<c r="${reference}" t="inlineStr"><is><t>${escapeXml(text)}</t></is></c>`
  const count = requestedCount ?? 20 + random.below(40)
  const names = [`${name()} & Co`, `${name()} ${random.pick(['數量', 'العدد', 'итог'])}`, name()].slice(
    0,
    1 + random.below(3),
  )
  const sheets = names.map((sheet, index): Sheet => {
    const rows: string[] = []
    const merged: string[] = []
    let row = 1 + (random.chance(0.3) ? 2 : 0)
    rows.push(
      `<row r="${row}">${['Item', 'Remark', 'Date', 'Share', 'Sum'].map((title, index) => shared(`${'ABCDE'[index]}${row}`, title)).join('')}</row>`,
    )
    const last = Math.ceil((count * (index + 1)) / names.length)
    while (knownSentences.length < last) {
      // The file omits empty rows, but counts them.
      row += random.chance(0.1) ? 3 : 1
      const text = sentence(
        random.chance(0.2) ? random.pick(['arabic', 'hebrew', 'japanese', 'chinese', 'russian']) : 'english',
      )
      knownSentences.push({ text, sheet, row, headings: [] })
      const cells = [
        shared(`A${row}`, name()),
        random.chance(0.5) ? shared(`B${row}`, text) : inline(`B${row}`, text),
        `<c r="C${row}" s="1"><v>${serial(random.below(700))}</v></c>`,
        `<c r="D${row}" s="2"><v>${random.below(100) / 100}</v></c>`,
        `<c r="E${row}"><f>D${row}*2</f><v>${random.below(1_000)}</v></c>`,
      ]
      if (random.chance(0.15)) {
        merged.push(`B${row}:E${row}`)
        cells.length = 2
      }
      rows.push(`<row r="${row}">${cells.join('')}</row>`)
    }
    const merges =
      merged.length === 0
        ? ''
        : `<mergeCells count="${merged.length}">${merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`
    return { name: sheet, body: `<dimension ref="A1:E${row}"/><sheetData>${rows.join('')}</sheetData>${merges}` }
  })
  return { bytes: zip(xlsxEntries(sheets, sharedStringTable(strings))), truth: { sentences: knownSentences } }
}
