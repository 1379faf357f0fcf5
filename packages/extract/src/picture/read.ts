import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExtractEvent, Extractor } from '../block.ts'
import { isDiskOrMemoryError } from '../pdf/document/errors.ts'
import { createPageReader, type PageReader } from '../pdf/ocr/ocr.ts'
import { extractPdf } from '../pdf/read.ts'
import { unreadable } from '../unreadable.ts'
import { createPicturePdf, fromPng, type PdfPicture } from './picture-pdf.ts'
import { pictureKind, type Shape, shapesOf } from './shape.ts'

/** The file is held in memory several times while it is decoded. */
const maxBytes = 64 * 1024 * 1024
/** Checked before a page is decoded. */
const maxPixels = 50_000_000
const maxPages = 1_000

/** PDF stores JPEGs as they are. */
const fromJpeg = (bytes: Buffer, { width, height, components = 3 }: Shape): PdfPicture => {
  const [space, decode] =
    components === 1
      ? ['DeviceGray', '']
      : components === 4
        ? ['DeviceCMYK', '/Decode [1 0 1 0 1 0 1 0]']
        : ['DeviceRGB', '']
  return { width, height, entries: `/ColorSpace /${space} /BitsPerComponent 8 /Filter /DCTDecode ${decode}`, bytes }
}

const readShapes = (bytes: Buffer) => {
  const kind = pictureKind(bytes)
  if (!kind) throw unreadable('content_mismatch', 'The file is no picture.')
  try {
    return { kind, shapes: shapesOf(bytes, kind, maxPages + 1) }
  } catch (error) {
    throw unreadable('damaged', 'The header of the picture is incomplete.', { cause: error })
  }
}

/** Tesseract does not decode these. */
const refusedCompressions: Readonly<Record<number, string>> = { 6: 'JPEG', 7: 'JPEG', 8: 'Deflate', 32946: 'Deflate' }
const refusal = ({ compression = 0 }: Shape): string => {
  const name = refusedCompressions[compression]
  return name
    ? ` TIFF with ${name} compression is not read: save it uncompressed, or with LZW, PackBits or CCITT compression.`
    : ''
}

/** `at` is the directory of a TIFF's page. Undefined if the picture can't be decoded. */
const decode = async (bytes: Buffer, { at }: Shape, reader: PageReader): Promise<PdfPicture | undefined> => {
  if (at !== undefined && bytes[0] === 0x49) bytes.writeUInt32LE(at, 4)
  else if (at !== undefined) bytes.writeUInt32BE(at, 4)
  const png = await reader.gray(bytes).catch((error: unknown) => {
    if (isDiskOrMemoryError(error)) throw error
    return undefined
  })
  return png && fromPng(png)
}

/**
 * Converts a picture to a PDF, which is read like a scan. Tesseract decodes what PDF can't hold: WebP, some PNGs, and
 * each page of a TIFF, after the header is set to the page's directory.
 */
export const extractPicture: Extractor = async function* (path, options) {
  const { size } = statSync(path)
  if (size === 0) throw unreadable('empty_file', 'The file is empty.')
  if (size > maxBytes) throw unreadable('too_large_to_process', 'The picture has more than 64 MiB.')
  let bytes: Buffer | undefined = readFileSync(path)
  const { kind, shapes: found } = readShapes(bytes)
  const shapes = found.slice(0, maxPages)
  if (shapes.length === 0) throw unreadable('damaged', 'The picture has no pages.')
  const large = shapes.find(({ width, height }) => width * height > maxPixels)
  if (large) {
    const message = `The picture has ${large.width} × ${large.height} pixels; at most ${maxPixels / 1_000_000} million are read.`
    throw unreadable('expands_too_large', message)
  }
  const folder = mkdtempSync(join(tmpdir(), 'cairn-picture-'))
  const file = join(folder, 'pages.pdf')
  const pdf = createPicturePdf(file)
  const reader = createPageReader(options.languages ?? ['eng'])
  const notes: ExtractEvent[] = []
  try {
    for (const [index, shape] of shapes.entries()) {
      const page = index + 1
      // Pages of an earlier run keep their numbers.
      if (page < (options.from?.page ?? 1)) {
        pdf.add(undefined)
        continue
      }
      const asIs = kind === 'jpeg' ? fromJpeg(bytes, shape) : kind === 'png' ? fromPng(bytes) : undefined
      const picture = asIs ?? (await decode(bytes, shape, reader))
      if (!picture) {
        const message = `Page ${page} could not be read.${refusal(shape)}`
        notes.push({ event: 'note', code: 'page_unreadable', message, at: { page } })
      }
      pdf.add(picture)
      yield { event: 'progress', page, pages: shapes.length }
    }
    bytes = undefined
    pdf.end()
    if (notes.length === shapes.length)
      throw unreadable('damaged', `The picture can't be decoded.${shapes[0] ? refusal(shapes[0]) : ''}`)
    yield* notes
    if (found.length > maxPages)
      yield { event: 'note', code: 'truncated', message: `At most ${maxPages} pages of a picture are read.`, at: {} }
    await reader.close()
    yield* extractPdf(file, options)
  } finally {
    await reader.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
