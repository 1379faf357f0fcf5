import { crc32, deflateSync } from 'node:zlib'

/** One byte per pixel, row by row from the top; 0 is black. */
export type GrayImage = { readonly width: number; readonly height: number; readonly pixels: Uint8Array }

/** Clockwise quarter turns. */
export type Turn = 0 | 1 | 2 | 3

export const turned = ({ width, height, pixels }: GrayImage, turn: Turn): GrayImage => {
  if (turn === 0) return { width, height, pixels }
  const [wide, high] = turn === 2 ? [width, height] : [height, width]
  const result = new Uint8Array(pixels.length)
  // Source index of the first pixel, and source distance between neighbors in a row and in a column.
  const [first, along, down] = (
    {
      1: [(height - 1) * width, -width, 1],
      2: [pixels.length - 1, -1, -width],
      3: [width - 1, width, -1],
    } as const
  )[turn]
  for (let y = 0, to = 0; y < high; y += 1)
    for (let x = 0, from = first + y * down; x < wide; x += 1, to += 1, from += along) result[to] = pixels[from]!
  return { width: wide, height: high, pixels: result }
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const metresPerInch = 0.0254

const chunk = (type: string, data: Uint8Array): Buffer => {
  const written = Buffer.alloc(data.length + 12)
  written.writeUInt32BE(data.length, 0)
  written.write(type, 4, 'latin1')
  written.set(data, 8)
  written.writeUInt32BE(crc32(written.subarray(4, data.length + 8)), data.length + 8)
  return written
}

/** Compression reduces the mostly white page images to a twentieth; they are copied several times. */
export const grayPng = ({ width, height, pixels }: GrayImage, dpi: number): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  const density = Buffer.alloc(9)
  density.writeUInt32BE(Math.round(dpi / metresPerInch), 0)
  density.writeUInt32BE(Math.round(dpi / metresPerInch), 4)
  density[8] = 1
  // Each row begins with its filter type; 0 is no filter.
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('pHYs', density),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
