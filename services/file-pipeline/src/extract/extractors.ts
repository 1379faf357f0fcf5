import type { FileType } from '@cairn/contracts/file-rules'
import type { Extractor } from './block.ts'
import { sniff } from './sniff.ts'

/** A parser is loaded only for a file of its type: a child reads one file, and most parsers are large. */
export const parsers: Readonly<Record<FileType, () => Promise<Extractor>>> = {
  pdf: async () => (await import('./pdf.ts')).extractPdf,
  docx: async () => (await import('./docx.ts')).extractDocx,
  xlsx: async () => (await import('./xlsx.ts')).extractXlsx,
  csv: async () => (await import('./csv.ts')).extractCsv,
  json: async () => (await import('./json.ts')).extractJson,
  txt: async () => (await import('./plain-text.ts')).extractPlainText,
  md: async () => (await import('./markdown.ts')).extractMarkdown,
}

const checked = (type: FileType): Extractor =>
  async function* (path, options) {
    await sniff(path, type)
    const extract = await parsers[type]()
    yield* extract(path, options)
  }

/** Extractor of each file type. Each first checks that the content matches the type. */
export const extractors: Readonly<Record<FileType, Extractor>> = {
  pdf: checked('pdf'),
  docx: checked('docx'),
  xlsx: checked('xlsx'),
  csv: checked('csv'),
  json: checked('json'),
  txt: checked('txt'),
  md: checked('md'),
}
