import { crc32 } from 'node:zlib'

const localHeader = 0x04034b50
const directoryHeader = 0x02014b50
const directoryEnd = 0x06054b50

/** Uncompressed, so that a parser receives only checked content. */
export const storedZip = (parts: ReadonlyMap<string, Buffer>): Buffer => {
  const body: Buffer[] = []
  const directory: Buffer[] = []
  let index = 0
  for (const [name, bytes] of parts) {
    const nameBytes = Buffer.from(name)
    // Both headers share the 26 bytes from the version to the lengths of name and extra field.
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(0x0800, 2)
    shared.writeUInt32LE(crc32(bytes), 10)
    shared.writeUInt32LE(bytes.length, 14)
    shared.writeUInt32LE(bytes.length, 18)
    shared.writeUInt16LE(nameBytes.length, 22)
    const local = Buffer.alloc(4)
    local.writeUInt32LE(localHeader, 0)
    const entry = Buffer.alloc(6)
    entry.writeUInt32LE(directoryHeader, 0)
    entry.writeUInt16LE(20, 4)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(index, 10)
    body.push(local, shared, nameBytes, bytes)
    directory.push(entry, shared, rest, nameBytes)
    index += 30 + nameBytes.length + bytes.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(directoryEnd, 0)
  end.writeUInt16LE(parts.size, 8)
  end.writeUInt16LE(parts.size, 10)
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12,
  )
  end.writeUInt32LE(index, 16)
  return Buffer.concat([...body, ...directory, end])
}
