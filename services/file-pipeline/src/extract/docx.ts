import iconv from 'iconv-lite'
import type { Extractor } from './block.ts'
import { blockWriter } from './block-writer.ts'
import { documentBlocks } from './docx-blocks.ts'
import { readDocument } from './docx-document.ts'
import { byteOrderMark } from './encoding.ts'
import { mainPart, officeProperties } from './office-part.ts'
import { unreadable } from './unreadable.ts'
import { type CheckedZip, checkZip, openZip } from './zip-check.ts'
import { storedZip } from './zip-stored.ts'

/**
 * Limits of the XML. mammoth holds a whole document in memory, each element at some kilobytes; the figures below are
 * measured.
 */
const maxTextBytes = 8 * 1024 * 1024
const bytesPerElement = 2300
const bytesPerByte = 20
const maxTreeBytes = 256 * 1024 * 1024

const tooLarge = () =>
  unreadable('too_large_to_process', 'The document has more text and layout than fits into memory.')

/** mammoth reads every part as UTF-8, but XML may be UTF-16 too. */
const asUtf8 = (part: Buffer): Buffer => {
  const mark = byteOrderMark(part)
  if (!mark || mark.name === 'utf-8') return part
  return Buffer.from(iconv.decode(part, mark.name).replace(/^(<\?xml[^>]*?) encoding=(?:"[^"]*"|'[^']*')/, '$1'))
}

/** Elements that mammoth does not know, and known ones of which it reads the same text. */
const alike: Readonly<Record<string, string>> = {
  cr: 'br',
  ptab: 'tab',
  bdo: 'smartTag',
  dir: 'smartTag',
  fldSimple: 'smartTag',
  ruby: 'smartTag',
  rubyBase: 'smartTag',
}
const unknownElement = /<(\/?(?:[\w.-]+:)?)(cr|ptab|bdo|dir|fldSimple|ruby|rubyBase)(?=[\s/>])/g

const withKnownElements = (part: Buffer): Buffer =>
  Buffer.from(
    part.toString('latin1').replace(unknownElement, (_, before: string, name: string) => `<${before}${alike[name]}`),
    'latin1',
  )

const countTags = (text: string): number => {
  let count = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) if (text.charAt(at + 1) !== '/') count++
  return count
}

/** Reads the parts that contain text, and no images, fonts or embedded files. */
const textParts = async (zip: CheckedZip, main: string): Promise<Map<string, Buffer>> => {
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const names = [...zip.entries.keys()].filter(
    (name) =>
      name === '[Content_Types].xml' ||
      name === '_rels/.rels' ||
      name === main ||
      (name.startsWith(folder) &&
        /^(?:_rels\/)?(?:document|styles|numbering|footnotes|endnotes)\d*\.xml(?:\.rels)?$/.test(
          name.slice(folder.length),
        )),
  )
  const bytes = names.reduce((sum, name) => sum + (zip.entries.get(name)?.uncompressedSize ?? 0), 0)
  if (bytes > maxTextBytes) throw tooLarge()
  const parts = new Map<string, Buffer>()
  for (const name of names) {
    const chunks: Buffer[] = []
    for await (const chunk of zip.read(name)) chunks.push(chunk)
    parts.set(name, withKnownElements(asUtf8(Buffer.concat(chunks))))
  }
  return parts
}

/** Yields headings, paragraphs, lists and tables. Reads no images and follows no links. */
export const extractDocx: Extractor = async function* (path, options) {
  const writer = blockWriter(options)
  const zip = await openZip(path)
  try {
    const main = await mainPart(zip)
    let elements = 0
    await checkZip(zip, (name, text) => {
      if (name === main) elements += countTags(text)
    })
    const size = zip.entries.get(main)?.uncompressedSize ?? 0
    if (elements * bytesPerElement + size * bytesPerByte > maxTreeBytes) throw tooLarge()
    const parts = await textParts(zip, main)
    const properties = await officeProperties(zip)
    let document: Awaited<ReturnType<typeof readDocument>>
    try {
      document = await readDocument(storedZip(parts))
    } catch (error) {
      throw unreadable('damaged', 'The document is not built as a Word document is.', { cause: error })
    }
    if (Object.keys(properties).length > 0) yield { event: 'properties', properties }
    if (document) for (const part of documentBlocks(document)) yield* writer.block({ ...part, at: {} })
    writer.end()
  } finally {
    zip.close()
  }
}
