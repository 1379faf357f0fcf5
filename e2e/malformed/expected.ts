import type { FileType } from '@cairn/contracts/files/file-rules'
import type { Case } from './cases.ts'
import { expectedEml } from './expected-eml.ts'
import { expectedEpub } from './expected-epub.ts'
import { expectedDocx, expectedPptx, expectedXlsx } from './expected-office.ts'
import { expectedPdf } from './expected-pdf.ts'
import { expectedPicture } from './expected-png.ts'
import { expectedCsv, expectedHtml, expectedJson, expectedMarkdown, expectedText } from './expected-text.ts'
import type { Expected, ExpectedByKind } from './outcomes.ts'

const tables: Readonly<Record<FileType, ExpectedByKind>> = {
  pdf: expectedPdf,
  docx: expectedDocx,
  xlsx: expectedXlsx,
  csv: expectedCsv,
  json: expectedJson,
  md: expectedMarkdown,
  txt: expectedText,
  html: expectedHtml,
  pptx: expectedPptx,
  eml: expectedEml,
  epub: expectedEpub,
  png: expectedPicture,
}

/** Returns the allowed outcomes of a file of this type with this mutation. Throws if none are defined. */
export const expectedOf = ({ type, kind }: Pick<Case, 'type' | 'kind'>): Expected => {
  const expected = tables[type][kind]
  if (expected) return expected
  throw new RangeError(`it is not said how a ${type} file may end that was spoilt by ${kind}`)
}
