import type { Extractor, FileType } from './block.ts'
import { sniff } from './sniff.ts'

/** A parser is loaded when the first file of its type comes: a child reads one file, and most parsers are large. */
const checked = (type: FileType, load: () => Promise<Extractor>): Extractor =>
  async function* (path, options) {
    await sniff(path, type)
    const extract = await load()
    yield* extract(path, options)
  }

/** The one table of types. Each checks first that the content is what the name says. */
export const extractors: Readonly<Record<FileType, Extractor>> = {
  pdf: checked('pdf', async () => (await import('./pdf.ts')).extractPdf),
  docx: checked('docx', async () => (await import('./docx.ts')).extractDocx),
  xlsx: checked('xlsx', async () => (await import('./xlsx.ts')).extractXlsx),
  csv: checked('csv', async () => (await import('./csv.ts')).extractCsv),
  json: checked('json', async () => (await import('./json.ts')).extractJson),
  txt: checked('txt', async () => (await import('./plain-text.ts')).extractPlainText),
  md: checked('md', async () => (await import('./markdown.ts')).extractMarkdown),
}
