import { deflateSync } from 'node:zlib'

/** One byte a pixel: 0 is black. */
type Gray = { readonly width: number; readonly height: number; readonly pixels: Uint8Array }
type Page = { readonly compression: number; readonly bits: 1 | 8; readonly bytes: Uint8Array; readonly gray: Gray }

const fromBits = (bits: string): Buffer =>
  Buffer.from((bits.replaceAll(' ', '').match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)))

/** Bytes as LZW codes for themselves; a clear code keeps their width at 9 bits. */
const lzw = (bytes: Uint8Array): Buffer => {
  const codes = Array.from(bytes).flatMap((byte, index) => (index % 200 === 0 ? [256, byte] : [byte]))
  return fromBits([...codes, 257].map((code) => code.toString(2).padStart(9, '0')).join(''))
}

/** Runs of up to 128 equal bytes, each row for itself. */
const packBits = ({ width, pixels }: Gray): Buffer => {
  const packed: number[] = []
  for (let at = 0; at < pixels.length; ) {
    const rowEnd = (Math.floor(at / width) + 1) * width
    let length = 1
    while (at + length < rowEnd && length < 128 && pixels[at + length] === pixels[at]) length += 1
    packed.push(...(length === 1 ? [0] : [257 - length]), pixels[at] ?? 0)
    at += length
  }
  return Buffer.from(packed)
}

const whiteCodes = ['00110101', '000111', '0111', '1000', '1011', '1100', '1110', '1111']
const blackCodes = ['0000110111', '010', '11', '10', '011', '0011', '0010', '00011']

/** Runs of each row as pairs of a white and a black one, of at most 7 pixels each. */
const rowsOf = ({ width, height, pixels }: Gray): string[][] =>
  Array.from({ length: height }, (_, row) => {
    const isBlack = (x: number) => (pixels[row * width + x] ?? 255) < 128
    const pairs: string[] = []
    for (let x = 0; x < width; ) {
      const [from, runs] = [x, [0, 0]]
      while (x < width && !isBlack(x) && x - from < 7) x += 1
      runs[0] = x - from
      const middle = x
      while (x < width && isBlack(x) && x - middle < 7) x += 1
      runs[1] = x - middle
      pairs.push(`${whiteCodes[runs[0]]} ${blackCodes[runs[1]]}`)
    }
    return pairs
  })
/** A row without reference to the one before; it ends with its last pixel, not with a run of none. */
const plainRow = (pairs: readonly string[]): string => pairs.join('').replace(/ 0000110111$/, '')
const endOfLine = '000000000001'

const encoders = {
  uncompressed: (gray: Gray) => ({ compression: 1, bits: 8, bytes: gray.pixels }),
  'CCITT RLE': (gray: Gray) => ({
    compression: 2,
    bits: 1,
    bytes: Buffer.concat(rowsOf(gray).map((pairs) => fromBits(plainRow(pairs)))),
  }),
  'CCITT T.4': (gray: Gray) => ({
    compression: 3,
    bits: 1,
    bytes: fromBits(
      rowsOf(gray)
        .map((pairs) => endOfLine + plainRow(pairs))
        .join(''),
    ),
  }),
  'CCITT T.6': (gray: Gray) => ({
    compression: 4,
    bits: 1,
    bytes: fromBits(
      rowsOf(gray)
        .map((pairs) => pairs.map((pair) => `001${pair}`).join(''))
        .join('') +
        endOfLine +
        endOfLine,
    ),
  }),
  LZW: (gray: Gray) => ({ compression: 5, bits: 8, bytes: lzw(gray.pixels) }),
  PackBits: (gray: Gray) => ({ compression: 32_773, bits: 8, bytes: packBits(gray) }),
  Deflate: (gray: Gray) => ({ compression: 8, bits: 8, bytes: deflateSync(gray.pixels) }),
  JPEG: (_: Gray) => ({ compression: 7, bits: 8, bytes: Buffer.from('ffd8ffd9', 'hex') }),
} as const satisfies Record<string, (gray: Gray) => Omit<Page, 'gray'>>

export type TiffCompression = keyof typeof encoders

/** Writes a TIFF whose pages have a picture each, in one strip. A picture on more than one page is written once. */
export const createTiff = (pages: readonly (readonly [TiffCompression, Gray])[]): Buffer => {
  const parts: Buffer[] = []
  let length = 8
  const add = (bytes: Uint8Array): number => {
    const part = Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)])
    parts.push(part)
    length += part.length
    return length - part.length
  }
  const strips = new Map<Gray, Page & { readonly at: number }>()
  for (const [compression, gray] of pages) {
    const strip = encoders[compression](gray)
    if (!strips.has(gray)) strips.set(gray, { ...strip, gray, at: add(strip.bytes) })
  }
  const first = length
  for (const [index, [, gray]] of pages.entries()) {
    const { compression, bits, bytes, at } = strips.get(gray) as Page & { readonly at: number }
    const entries = [
      [256, gray.width],
      [257, gray.height],
      [258, bits],
      [259, compression],
      // A zero is white in pictures of one bit a pixel.
      [262, bits === 1 ? 0 : 1],
      [273, at],
      [277, 1],
      [278, gray.height],
      [279, bytes.length],
    ] as const
    const directory = Buffer.alloc(2 + entries.length * 12 + 4)
    directory.writeUInt16LE(entries.length, 0)
    for (const [place, [tag, value]] of entries.entries()) {
      directory.writeUInt16LE(tag, 2 + place * 12)
      directory.writeUInt16LE(4, 4 + place * 12)
      directory.writeUInt32LE(1, 6 + place * 12)
      directory.writeUInt32LE(value, 10 + place * 12)
    }
    if (index < pages.length - 1) directory.writeUInt32LE(length + directory.length, directory.length - 4)
    add(directory)
  }
  const header = Buffer.from('49492a0000000000', 'hex')
  header.writeUInt32LE(first, 4)
  return Buffer.concat([header, ...parts])
}
