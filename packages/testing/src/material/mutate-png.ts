import { crc32, deflateSync } from 'node:zlib'
import type { Mutations } from './mutation.ts'

const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

/** Writes a gray PNG whose header claims a size, with any pixels. */
const png = (width: number, height: number, pixels: Buffer): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Writes a TIFF of one directory with these fields and this successor. */
const tiff = (fields: readonly (readonly [tag: number, value: number])[], next: number): Buffer => {
  const directory = Buffer.alloc(14 + fields.length * 12)
  directory.write('II*\0', 'latin1')
  directory.writeUInt32LE(8, 4)
  directory.writeUInt16LE(fields.length, 8)
  for (const [index, [tag, value]] of fields.entries()) {
    const at = 10 + index * 12
    directory.writeUInt16LE(tag, at)
    directory.writeUInt16LE(4, at + 2)
    directory.writeUInt32LE(1, at + 4)
    directory.writeUInt32LE(value, at + 8)
  }
  directory.writeUInt32LE(next, directory.length - 4)
  return directory
}

const strip = [
  [258, 8],
  [259, 1],
  [262, 1],
  [273, 8],
  [277, 1],
  [279, 100],
] as const

export const pictureMutations: Mutations = {
  blank: () => png(400, 300, Buffer.alloc(401 * 300, 0xff)),
  'png-bomb': ({ expandedBytes }) => {
    const side = Math.ceil(Math.sqrt(expandedBytes))
    return png(side, side, Buffer.alloc(20_000_000))
  },
  'png-that-claims-less': () => png(10, 10, Buffer.alloc(50_000_000)),
  'png-without-pixels': () => png(400, 300, Buffer.alloc(0)),
  'tiff-that-claims-more': () => tiff([[256, 60_000], [257, 60_000], ...strip], 0),
  'tiff-in-a-circle': () => tiff([[256, 10], [257, 10], ...strip], 8),
  'tiff-without-fields': () => tiff([], 0),
  'tiff-that-ends': () => Buffer.from('II*\0\xff\xff\xff\x7f', 'latin1'),
  'jpeg-that-ends': () => Buffer.from('ffd8ffe000104a464946', 'hex'),
  'webp-that-ends': () => Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1'),
}
