import { inflateRawSync } from 'node:zlib'
import { type ZipEntry, zip } from './zip-writer.ts'

/**
 * Returns the entries of a valid archive, to be written again with changes. Trusts its input, so it must not be used
 * for files from other sources.
 */
export const unzip = (bytes: Buffer): ZipEntry[] => {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  if (end === -1) throw new Error('not an archive')
  const entries: ZipEntry[] = []
  let index = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const method = bytes.readUInt16LE(index + 10)
    const size = bytes.readUInt32LE(index + 20)
    const nameLength = bytes.readUInt16LE(index + 28)
    const local = bytes.readUInt32LE(index + 42)
    const name = bytes.toString('utf8', index + 46, index + 46 + nameLength)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const content = bytes.subarray(start, start + size)
    entries.push({ name, data: method === 0 ? content : inflateRawSync(content) })
    index += 46 + nameLength + bytes.readUInt16LE(index + 30) + bytes.readUInt16LE(index + 32)
  }
  return entries
}

export const textOf = ({ data }: ZipEntry): string => (typeof data === 'string' ? data : Buffer.from(data).toString())

/** Rebuilds the archive with the named entry changed. */
export const withEntry = (bytes: Buffer, name: string, change: (entry: ZipEntry) => ZipEntry): Buffer =>
  zip(unzip(bytes).map((entry) => (entry.name === name ? change(entry) : entry)))

/** Rebuilds the archive with the text of the named part changed. */
export const withPart = (bytes: Buffer, name: string, change: (text: string) => string): Buffer =>
  withEntry(bytes, name, (entry) => ({ ...entry, data: change(textOf(entry)) }))
