import type { FileType } from '@cairn/contracts/files/file-rules'
import { createCsv } from './create-csv.ts'
import { createDocx } from './create-docx.ts'
import { createEml } from './create-eml.ts'
import { createEpub } from './create-epub.ts'
import { createHtml } from './create-html.ts'
import { createJson } from './create-json.ts'
import { createMarkdown } from './create-markdown.ts'
import { createPdf } from './create-pdf.ts'
import { createPicture } from './create-png.ts'
import { createPptx } from './create-pptx.ts'
import { createText } from './create-text.ts'
import { createXlsx } from './create-xlsx.ts'
import type { CreateMaterial, Material, MaterialOptions } from './material.ts'

const creators: Readonly<Record<FileType, CreateMaterial>> = {
  pdf: createPdf,
  docx: createDocx,
  xlsx: createXlsx,
  csv: createCsv,
  json: createJson,
  md: createMarkdown,
  html: createHtml,
  epub: createEpub,
  txt: createText,
  pptx: createPptx,
  eml: createEml,
  png: createPicture,
}

/** Creates a valid file of this type with known content. Equal seeds give equal files. */
export const createMaterial = (type: FileType, seed: number, options: MaterialOptions = {}): Promise<Material> =>
  creators[type](seed, options)
