import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { type Entry, fromRandomAccessReaderPromise, openPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import { isUnreadable, unreadable } from '../unreadable.ts'

const maxEntries = 10_000
/** Up to this unpacked size any ratio is allowed: tables of repeated values compress very well. */
const harmlessBytes = 32 * 1024 * 1024
const maxRatio = 100
const maxBytes = 4 * 1024 ** 3

export type CheckedZip = {
  readonly entries: ReadonlyMap<string, Entry>
  /** Yields at most as many bytes as the directory declares. Throws `PermanentError` if the part is missing. */
  readonly read: (name: string) => AsyncGenerator<Buffer>
  readonly close: () => void
}

const tooLarge = (what: string) =>
  unreadable('expands_too_large', `The file would take too much memory when it is unpacked: ${what}.`)

const asUnreadable = (error: unknown): unknown => {
  if (isUnreadable(error)) return error
  // The directory understates a size, so its sizes can't be trusted.
  if (error instanceof Error && /too many bytes in the stream/.test(error.message))
    return tooLarge('a part is larger than it claims')
  return unreadable('damaged', 'The archive inside the file is damaged.', { cause: error })
}

/** Shared compressed bytes can expand hugely although no single ratio is suspicious. */
const checkPlaces = (entries: readonly Entry[]): void => {
  const sorted = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)
  let end = 0
  for (const entry of sorted) {
    if (entry.relativeOffsetOfLocalHeader < end) throw tooLarge('parts of it overlap')
    // 30 bytes is the fixed part of a local header; its extra field only makes it longer.
    end = entry.relativeOffsetOfLocalHeader + 30 + entry.fileNameLength + entry.compressedSize
  }
}

const readDirectory = async (zip: ZipFile, packed: number): Promise<Map<string, Entry>> => {
  if (zip.entryCount > maxEntries) throw tooLarge(`it holds ${zip.entryCount} parts`)
  const all: Entry[] = []
  const entries = new Map<string, Entry>()
  let total = 0
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) throw unreadable('encrypted', 'The file is protected by a password.')
    all.push(entry)
    // Programs choose differently between parts of one name, so one might be checked and the other one read.
    if (entries.has(entry.fileName)) throw unreadable('damaged', 'The archive inside the file holds a part twice.')
    entries.set(entry.fileName, entry)
    total += entry.uncompressedSize
    if (total > maxBytes || (total > harmlessBytes && total > packed * maxRatio)) {
      throw tooLarge(`${packed} bytes claim to hold more than ${total}`)
    }
  }
  checkPlaces(all)
  return entries
}

/** Bytes in which the end of the archive is searched. */
const endBytes = 1024 * 1024
const endRecord = 22

/** Other bytes may follow the archive. Returns the file's size if no end is found. */
const archiveLength = async (path: string, size: number): Promise<number> => {
  const file = await open(path)
  try {
    const from = Math.max(0, size - endBytes)
    const bytes = Buffer.alloc(size - from)
    await file.read(bytes, 0, bytes.length, from)
    for (let at = bytes.length; at > 0; ) {
      at = bytes.subarray(0, at).lastIndexOf('PK\x05\x06')
      const end =
        at < 0 || at + endRecord > bytes.length ? size + 1 : from + at + endRecord + bytes.readUInt16LE(at + 20)
      if (end <= size) return end
    }
    return size
  } finally {
    await file.close()
  }
}

/** Only the constructor of yauzl's reader gives a file another length than its own. */
class FileRanges extends RandomAccessReader {
  readonly path: string
  constructor(path: string) {
    super()
    this.path = path
  }
  override _readStreamForRange(start: number, end: number): Readable {
    return createReadStream(this.path, { start, end: end - 1 })
  }
  override close(callback: (error: Error | null) => void): void {
    callback(null)
  }
}

/** Checks the directory: number, offsets and sizes of the parts. Parts that are archives are not opened. */
export const openZip = async (path: string): Promise<CheckedZip> => {
  const { size } = await stat(path)
  let zip: ZipFile
  try {
    const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true }
    const length = await archiveLength(path, size)
    zip = await (length < size
      ? fromRandomAccessReaderPromise(new FileRanges(path), length, options)
      : openPromise(path, options))
  } catch (error) {
    throw asUnreadable(error)
  }
  // An error of an abandoned stream must not crash the process.
  zip.on('error', () => undefined)
  try {
    const entries = await readDirectory(zip, size)
    return {
      entries,
      async *read(name) {
        const entry = entries.get(name)
        if (!entry) throw unreadable('damaged', 'A part the file speaks of is missing.')
        try {
          for await (const chunk of await zip.openReadStreamPromise(entry)) yield chunk
        } catch (error) {
          throw asUnreadable(error)
        }
      },
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw asUnreadable(error)
  }
}

const isXml = (name: string): boolean => /\.(?:xml|rels|vml)$/i.test(name)
const declarations = [/<!DOCTYPE/i, /<!ENTITY/i]

/** Longer than any text that is searched for. */
export const overlap = 64

/** `text` is Latin-1, of any encoding. */
const checkDeclarations = (text: string): void => {
  const plain = text.includes('\0') ? text.replaceAll('\0', '') : text
  if (declarations.some((declaration) => declaration.test(plain))) {
    throw unreadable('damaged', 'A part of the file declares a document type, which office files do not have.')
  }
}

/**
 * Unpacks every part once, for parsers that trust sizes and expand entities: afterwards the sizes are known to be
 * correct, and the XML to have no document type or entity declarations. Calls `onText` with the XML as Latin-1, each
 * piece preceded by the end of the previous one.
 */
export const checkZip = async (zip: CheckedZip, onText?: (name: string, text: string) => void): Promise<void> => {
  for (const name of zip.entries.keys()) {
    if (name.endsWith('/')) continue
    let tail = ''
    for await (const chunk of zip.read(name)) {
      if (!isXml(name)) continue
      const text = tail + chunk.toString('latin1')
      checkDeclarations(text)
      onText?.(name, text)
      tail = text.slice(-overlap)
    }
  }
}

export const entryName = ({ pathname }: URL): string => {
  const name = pathname.slice(1)
  try {
    return decodeURIComponent(name)
  } catch {
    // Not percent-encoded UTF-8: the name is taken literally.
    return name
  }
}
