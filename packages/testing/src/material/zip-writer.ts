import { crc32, deflateRawSync } from 'node:zlib'

/** One file of an archive. `compressed` and the fields `claimed…` are written unchanged, even if they are wrong. */
export type ZipEntry = {
  readonly name: string
  readonly data: Uint8Array | string
  /** Whether the data is stored uncompressed. Default: deflated. */
  readonly stored?: boolean
  /** Bytes to store instead of `data` compressed. */
  readonly compressed?: Uint8Array
  readonly claimedSize?: number
  readonly claimedCompressedSize?: number
  readonly claimedCrc?: number
  /** Offset to write into the directory instead of the real offset. */
  readonly claimedOffset?: number
}

const fixedTime = 0x6000
const fixedDate = 0x5a21

const header = (signature: number, fields: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer => {
  const size = 4 + fields.reduce((sum, [, bytes]) => sum + bytes, 0)
  const bytes = Buffer.alloc(size)
  let index = bytes.writeUInt32LE(signature, 0)
  for (const [value, width] of fields)
    index = width === 2 ? bytes.writeUInt16LE(value & 0xffff, index) : bytes.writeUInt32LE(value >>> 0, index)
  return bytes
}

/** Creates a zip archive. Equal entries give equal bytes. Fields of `entries` may be wrong. */
export const zip = (
  entries: readonly ZipEntry[],
  { claimedEntries = entries.length }: { readonly claimedEntries?: number } = {},
): Buffer => {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const data = typeof entry.data === 'string' ? Buffer.from(entry.data) : entry.data
    const name = Buffer.from(entry.name)
    const content = entry.compressed ?? (entry.stored ? data : deflateRawSync(data))
    const common = [
      [0x0800, 2],
      [entry.stored ? 0 : 8, 2],
      [fixedTime, 2],
      [fixedDate, 2],
      [entry.claimedCrc ?? crc32(data), 4],
      [entry.claimedCompressedSize ?? content.length, 4],
      [entry.claimedSize ?? data.length, 4],
      [name.length, 2],
    ] as const
    const local = Buffer.concat([header(0x04034b50, [[20, 2], ...common, [0, 2]]), name, content])
    const central = [
      [20, 2],
      [20, 2],
      ...common,
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [entry.claimedOffset ?? offset, 4],
    ] as const
    directory.push(header(0x02014b50, central), name)
    parts.push(local)
    offset += local.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = [
    [0, 2],
    [0, 2],
    [claimedEntries, 2],
    [claimedEntries, 2],
    [size, 4],
    [offset, 4],
    [0, 2],
  ] as const
  return Buffer.concat([...parts, ...directory, header(0x06054b50, end)])
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (letter) => entities[letter] ?? letter)

export const xml = (body: string): string => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${body}`
