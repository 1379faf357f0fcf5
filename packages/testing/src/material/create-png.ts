import { createCanvas, loadImage } from '@napi-rs/canvas'
import { createPdf } from './create-pdf.ts'
import type { CreateMaterial } from './material.ts'

/** A page of one bit per pixel; rows begin at a byte. */
type Bilevel = { readonly width: number; readonly height: number; readonly bits: Buffer }

const decoded = async (jpeg: Buffer): Promise<Bilevel> => {
  const image = await loadImage(jpeg)
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  const { data, width, height } = context.getImageData(0, 0, image.width, image.height)
  const rowBytes = Math.ceil(width / 8)
  const bits = Buffer.alloc(rowBytes * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = y * rowBytes + (x >> 3)
      if ((data[(y * width + x) * 4] ?? 0) > 150) bits[at] = (bits[at] ?? 0) | (0x80 >> (x & 7))
    }
  return { width, height, bits }
}

const [short, long, uncompressed] = [3, 4, 1]

/** Writes pages as a TIFF, each in one strip. */
const writeTiff = (pages: readonly Bilevel[]): Buffer => {
  const parts: Buffer[] = [Buffer.from('II*\0\0\0\0\0', 'latin1')]
  let length = 8
  let link: { readonly part: Buffer; readonly at: number } = { part: parts[0] as Buffer, at: 4 }
  const add = (part: Buffer): number => {
    const at = length
    parts.push(part)
    length += part.length
    return at
  }
  for (const { width, height, bits } of pages) {
    const stripAt = add(bits)
    const fields = [
      [256, long, width],
      [257, long, height],
      [258, short, 1],
      [259, short, uncompressed],
      [262, short, 1],
      [273, long, stripAt],
      [277, short, 1],
      [278, long, height],
      [279, long, bits.length],
    ] as const
    const directory = Buffer.alloc(2 + fields.length * 12 + 4)
    directory.writeUInt16LE(fields.length)
    for (const [index, [tag, type, value]] of fields.entries()) {
      const at = 2 + index * 12
      directory.writeUInt16LE(tag, at)
      directory.writeUInt16LE(type, at + 2)
      directory.writeUInt32LE(1, at + 4)
      directory.writeUInt32LE(value, at + 8)
    }
    link.part.writeUInt32LE(add(directory), link.at)
    link = { part: directory, at: directory.length - 4 }
  }
  return Buffer.concat(parts)
}

/** Creates a scan: a JPEG of one page, or a TIFF of several. */
export const createPicture: CreateMaterial = async (seed, options = {}) => {
  const { bytes, truth } = await createPdf(seed, { ...options, scans: 'all' })
  const pictures = [
    ...bytes.toString('latin1').matchAll(/\/DCTDecode[^>]*>>\s*stream\r?\n([\s\S]*?)\r?\nendstream/g),
  ].map(([, jpeg]) => Buffer.from(jpeg as string, 'latin1'))
  const sentences = truth.sentences.map((sentence) => ({ ...sentence, headings: [] }))
  const known = { sentences, pages: truth.pages as number, scannedPages: truth.scannedPages as readonly number[] }
  const [first] = pictures
  if (pictures.length === 1 && first) return { bytes: first, truth: known }
  return { bytes: writeTiff(await Promise.all(pictures.map(decoded))), truth: known }
}
