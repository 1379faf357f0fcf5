import type { FileType } from '@cairn/contracts/file-rules'
import type { Extractor } from './block.ts'
import { sniff } from './sniff.ts'

/** Loads a parser only for a file of its type: a child reads one file, and most parsers are large. */
const checked = (type: FileType, load: () => Promise<Extractor>): Extractor =>
  async function* (path, options) {
    await sniff(path, type)
    const extract = await load()
    yield* extract(path, options)
  }

/** Extractor of each file type. Each first checks that the content matches the type. */
export const extractors: Readonly<Record<FileType, Extractor>> = {
  pdf: checked('pdf', async () => (await import('./pdf.ts')).extractPdf),
  docx: checked('docx', async () => (await import('./docx.ts')).extractDocx),
  xlsx: checked('xlsx', async () => (await import('./xlsx.ts')).extractXlsx),
  csv: checked('csv', async () => (await import('./csv.ts')).extractCsv),
  json: checked('json', async () => (await import('./json.ts')).extractJson),
  txt: checked('txt', async () => (await import('./plain-text.ts')).extractPlainText),
  md: checked('md', async () => (await import('./markdown.ts')).extractMarkdown),
}
