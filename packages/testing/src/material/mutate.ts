import type { FileType } from '@cairn/contracts/files/file-rules'
import { seededRandom } from '../seeded-random.ts'
import { byteMutations } from './mutate-bytes.ts'
import { emlMutations } from './mutate-eml.ts'
import { epubMutations } from './mutate-epub.ts'
import { htmlMutations } from './mutate-html.ts'
import { docxMutations, xlsxMutations } from './mutate-office.ts'
import { pdfMutations } from './mutate-pdf.ts'
import { pictureMutations } from './mutate-png.ts'
import { pptxMutations } from './mutate-pptx.ts'
import { textMutations } from './mutate-text.ts'
import { zipMutations } from './mutate-zip.ts'
import type { Mutated, MutateOptions, Mutations } from './mutation.ts'

const special: Readonly<Record<FileType, Mutations>> = {
  pdf: pdfMutations,
  docx: { ...zipMutations, ...docxMutations },
  xlsx: { ...zipMutations, ...xlsxMutations },
  ...textMutations,
  html: htmlMutations,
  pptx: { ...zipMutations, ...pptxMutations },
  eml: emlMutations,
  epub: epubMutations,
  png: pictureMutations,
}

/** Returns every kind of damage for this file type. */
export const mutationKinds = (type: FileType): readonly string[] => [
  ...Object.keys(byteMutations),
  ...Object.keys(special[type]),
]

/**
 * Damages a valid file: in one of four cases with a mutation for any file, otherwise with a mutation for its type. The
 * same seed damages the same file in the same way. Does not change `bytes`.
 */
export const mutate = (bytes: Buffer, type: FileType, seed: number, options: MutateOptions = {}): Mutated => {
  const random = seededRandom(seed)
  const kinds = Object.keys(random.chance(0.25) ? byteMutations : special[type])
  const drawn = random.pick(kinds)
  const expanded = random.pick([300_000_000, 1_000_000_000, 10_000_000_000])
  const {
    canaryFile = '/nonexistent/canary',
    canaryUrl = 'http://127.0.0.1:9/canary',
    hugeBytes = 20_000_000,
  } = options
  const kind = options.kind ?? drawn
  const change = byteMutations[kind] ?? special[type][kind]
  if (!change) throw new RangeError(`a ${type} file can't be spoilt by ${kind}`)
  const subject = {
    bytes,
    type,
    random,
    canaryFile,
    canaryUrl,
    hugeBytes,
    expandedBytes: options.expandedBytes ?? expanded,
  }
  return { bytes: change(subject), kind }
}
