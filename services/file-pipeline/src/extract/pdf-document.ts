import { getResolvedPDFJS } from 'unpdf'
import type { PDFDocumentProxy } from 'unpdf/pdfjs'
import type { FileProperties } from './block.ts'
import { pdfDataFactory } from './pdf-data.ts'
import type { PdfSource } from './pdf-source.ts'
import { unreadable } from './unreadable.ts'

export type OpenDocument = {
  readonly document: PDFDocumentProxy
  /** Bytes read so far. pdf.js keeps all of them until the document is closed, also those of pictures. */
  readonly bytesRead: () => number
  readonly close: () => Promise<void>
}

const rangeBytes = 256 * 1024
const maxProperty = 2_000

/**
 * Opens the file with pdf.js, which fetches nothing: it reads character maps and fonts from its package, and bytes of
 * the file from `source`. This build of pdf.js contains no code for scripts in a document. Throws `Unreadable` for a file that
 * is encrypted or damaged.
 */
export const openDocument = async (source: PdfSource): Promise<OpenDocument> => {
  const pdfjs = await getResolvedPDFJS()
  let failure: unknown
  let bytes = 0

  class FileRange extends pdfjs.PDFDataRangeTransport {
    override requestDataRange(begin: number, end: number): void {
      const chunk = new Uint8Array(Math.min(end, source.size) - begin)
      bytes += chunk.length
      try {
        source.read(chunk, begin)
        this.onDataRange(begin, chunk)
      } catch (error) {
        failure = error
        void task.destroy()
      }
    }
  }

  const task = pdfjs.getDocument({
    range: new FileRange(source.size, null),
    rangeChunkSize: rangeBytes,
    disableAutoFetch: true,
    disableStream: true,
    useSystemFonts: false,
    disableFontFace: true,
    enableXfa: false,
    useWorkerFetch: false,
    useWasm: false,
    BinaryDataFactory: pdfDataFactory(),
    cMapPacked: true,
    // Images are not needed here, and decoding one can use all memory.
    maxImageSize: 1,
    verbosity: pdfjs.VerbosityLevel.ERRORS,
  })
  try {
    return { document: await task.promise, bytesRead: () => bytes, close: () => task.destroy() }
  } catch (error) {
    await task.destroy()
    if (failure !== undefined) throw failure
    if (error instanceof Error && error.name === 'PasswordException') {
      throw unreadable('encrypted', 'The file opens only with a password.', { cause: error })
    }
    throw unreadable('damaged', 'The file is not a PDF that can be read.', { cause: error })
  }
}

const text = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined
  const plain = value
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, maxProperty)
    .toWellFormed()
  return plain === '' ? undefined : plain
}

/** Returns a PDF date as RFC 3339: `D:20240131093000+01'00'`, where everything after the year is optional. */
const time = (value: unknown): string | undefined => {
  const found =
    typeof value === 'string' && /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z|([+-]\d\d)'?(\d\d)?)?/.exec(value)
  if (!found) return undefined
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', zone, zoneMinutes = '00'] = found
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone ? `${zone}:${zoneMinutes}` : 'Z'}`)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** Returns the document's properties; empty if there are none or if they are unreadable. */
export const readProperties = async (document: PDFDocumentProxy): Promise<FileProperties> => {
  const { info } = await document.getMetadata().catch(() => ({ info: {} }))
  const fields: Readonly<Record<string, unknown>> = { ...info }
  const properties = {
    title: text(fields['Title']),
    author: text(fields['Author']),
    subject: text(fields['Subject']),
    keywords: text(fields['Keywords']),
    created: time(fields['CreationDate']),
    modified: time(fields['ModDate']),
  }
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined))
}
