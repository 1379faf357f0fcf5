export type PictureKind = 'png' | 'jpeg' | 'tiff' | 'webp'

/** Pixels. `components`: colors of a JPEG; `at`: a page's directory in a TIFF; `compression`: its number there. */
export type Shape = {
  readonly width: number
  readonly height: number
  readonly components?: number
  readonly at?: number
  readonly compression?: number
}

/** First bytes, in hexadecimal. */
const signatures: readonly (readonly [PictureKind, RegExp])[] = [
  ['png', /^89504e470d0a1a0a/],
  ['jpeg', /^ffd8ff/],
  ['tiff', /^(?:49492a00|4d4d002a)/],
  ['webp', /^52494646.{8}57454250/],
]

export const pictureKind = (head: Buffer): PictureKind | undefined =>
  signatures.find(([, signature]) => signature.test(head.toString('hex', 0, 12)))?.[0]

const jpegShape = (bytes: Buffer): Shape => {
  for (let at = 2; ; at += 2 + bytes.readUInt16BE(at + 2)) {
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at += 1
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff || marker === 0xda) throw new RangeError('the picture has no frame')
    if (marker < 0xc0 || marker > 0xcf || [0xc4, 0xc8, 0xcc].includes(marker)) continue
    return {
      height: bytes.readUInt16BE(at + 5),
      width: bytes.readUInt16BE(at + 7),
      components: bytes.readUInt8(at + 9),
    }
  }
}

const webpShape = (bytes: Buffer): Shape => {
  const form = bytes.toString('latin1', 12, 16)
  if (form === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (form === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  const packed = bytes.readUInt32LE(21)
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
}

const [widthTag, heightTag, compressionTag, shortType] = [256, 257, 259, 3]

/** Each page has a directory. One that refers back to an earlier one ends the list. */
const tiffShapes = (bytes: Buffer, maxPages: number): Shape[] => {
  const isLittle = bytes[0] === 0x49
  const u16 = (at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const u32 = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  const pages = new Map<number, Shape>()
  for (let at = u32(4); at > 0 && at < bytes.length - 2 && !pages.has(at) && pages.size < maxPages; ) {
    const end = at + 2 + u16(at) * 12
    const fieldOf = (tag: number): number => {
      for (let entry = at + 2; entry < end; entry += 12)
        if (u16(entry) === tag) return u16(entry + 2) === shortType ? u16(entry + 8) : u32(entry + 8)
      return 0
    }
    pages.set(at, { width: fieldOf(widthTag), height: fieldOf(heightTag), at, compression: fieldOf(compressionTag) })
    at = end + 4 <= bytes.length ? u32(end) : 0
  }
  return [...pages.values()]
}

/** Reads only headers. Throws RangeError if they are cut. */
export const shapesOf = (bytes: Buffer, kind: PictureKind, maxPages: number): readonly Shape[] => {
  if (kind === 'tiff') return tiffShapes(bytes, maxPages)
  if (kind === 'jpeg') return [jpegShape(bytes)]
  if (kind === 'webp') return [webpShape(bytes)]
  return [{ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }]
}
