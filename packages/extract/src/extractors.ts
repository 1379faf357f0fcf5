import { type FileType, fileTypes } from '@cairn/contracts/files/file-rules'
import type { Extractor } from './block.ts'
import { sniff } from './sniff.ts'

/** Loaded only when needed: a child reads one file, and most parsers are large. */
export const parsers: Readonly<Record<FileType, () => Promise<Extractor>>> = {
  pdf: async () => (await import('./pdf/read.ts')).extractPdf,
  docx: async () => (await import('./docx/read.ts')).extractDocx,
  xlsx: async () => (await import('./xlsx/read.ts')).extractXlsx,
  csv: async () => (await import('./csv/read.ts')).extractCsv,
  json: async () => (await import('./json/read.ts')).extractJson,
  txt: async () => (await import('./txt/read.ts')).extractPlainText,
  md: async () => (await import('./markdown/read.ts')).extractMarkdown,
  html: async () => (await import('./html/read.ts')).extractHtml,
  pptx: async () => (await import('./pptx/read.ts')).extractPptx,
  eml: async () => (await import('./eml/read.ts')).extractEml,
  epub: async () => (await import('./epub/read.ts')).extractEpub,
  png: async () => (await import('./picture/read.ts')).extractPicture,
}

const checked = (type: FileType): Extractor =>
  async function* (path, options) {
    await sniff(path, type)
    const extract = await parsers[type]()
    yield* extract(path, options)
  }

/** Each first checks that the content matches the type. */
export const extractors = Object.fromEntries(fileTypes.map((type) => [type, checked(type)])) as Readonly<
  Record<FileType, Extractor>
>
