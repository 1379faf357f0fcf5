import { makeCsv } from './make-csv.ts'
import { makeDocx } from './make-docx.ts'
import { makeJson } from './make-json.ts'
import { makeMarkdown } from './make-markdown.ts'
import { makePdf } from './make-pdf.ts'
import { makeText } from './make-text.ts'
import { makeXlsx } from './make-xlsx.ts'
import type { FileType, Make, MakeOptions, Material } from './material.ts'

const makers: Readonly<Record<FileType, Make>> = {
  pdf: makePdf,
  docx: makeDocx,
  xlsx: makeXlsx,
  csv: makeCsv,
  json: makeJson,
  md: makeMarkdown,
  txt: makeText,
}

/** Creates a valid file of this type with known content, the same for the same seed. */
export const make = (type: FileType, seed: number, options: MakeOptions = {}): Promise<Material> =>
  makers[type](seed, options)
