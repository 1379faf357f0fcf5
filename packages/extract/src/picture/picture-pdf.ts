import { closeSync, openSync, writeSync } from 'node:fs'

/** As PDF stores it: entries of its dictionary, and bytes. */
export type PdfPicture = {
  readonly width: number
  readonly height: number
  readonly entries: string
  readonly bytes: Uint8Array
}

/** Counts a picture as 100 dpi, so that small letters of a screenshot are drawn larger for OCR. */
const pointsPerPixel = 0.72
/** Points of a page's side. */
const maxSide = 14_000

const [grayColor, rgbColor] = [0, 2]

/** Returns undefined for a PNG with transparency, palette or passes. PDF has PNG's compression, too. */
export const fromPng = (png: Buffer): PdfPicture | undefined => {
  const [bits, color, passes] = [png.readUInt8(24), png.readUInt8(25), png.readUInt8(28)]
  if (passes !== 0 || (color !== grayColor && color !== rgbColor)) return undefined
  const parts: Buffer[] = []
  for (let at = 8; at + 8 <= png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const [space, colors] = color === grayColor ? ['DeviceGray', 1] : ['DeviceRGB', 3]
  const parameters = `/Predictor 15 /Colors ${colors} /BitsPerComponent ${bits} /Columns ${width}`
  const entries = `/ColorSpace /${space} /BitsPerComponent ${bits} /Filter /FlateDecode /DecodeParms << ${parameters} >>`
  return { width, height, entries, bytes: Buffer.concat(parts) }
}

/** Writes one picture per page, to be read like a scan; undefined adds an empty page. */
export const createPicturePdf = (path: string) => {
  const file = openSync(path, 'w')
  let length = 0
  const offsets = new Map<number, number>()
  const write = (bytes: Uint8Array | string) => {
    length += writeSync(file, Buffer.from(bytes as string, 'latin1'))
  }
  const object = (number: number, dictionary: string, stream?: Uint8Array | string) => {
    offsets.set(number, length)
    write(`${number} 0 obj\n<< ${dictionary}${stream === undefined ? '' : ` /Length ${stream.length}`} >>\n`)
    if (stream !== undefined) {
      write('stream\n')
      write(stream)
      write('\nendstream\n')
    }
    write('endobj\n')
  }
  const pages: number[] = []
  write('%PDF-1.7\n')
  return {
    add: (picture: PdfPicture | undefined): void => {
      const { width, height, entries, bytes } = picture ?? { width: 100, height: 100, entries: '', bytes: undefined }
      const number = 3 + pages.length * 3
      pages.push(number)
      const scale = Math.min(pointsPerPixel, maxSide / Math.max(width, height))
      const [wide, high] = [Math.max(1, width * scale), Math.max(1, height * scale)]
      const resources = bytes ? `/XObject << /Im ${number + 2} 0 R >>` : ''
      object(
        number,
        `/Type /Page /Parent 2 0 R /MediaBox [0 0 ${wide} ${high}] /Resources << ${resources} >> /Contents ${number + 1} 0 R`,
      )
      object(number + 1, '', bytes ? `q ${wide} 0 0 ${high} 0 0 cm /Im Do Q` : '')
      if (bytes) object(number + 2, `/Subtype /Image /Width ${width} /Height ${height} ${entries}`, bytes)
    },
    end: (): void => {
      object(1, '/Type /Catalog /Pages 2 0 R')
      object(2, `/Type /Pages /Count ${pages.length} /Kids [${pages.map((number) => `${number} 0 R`).join(' ')}]`)
      const size = 3 + pages.length * 3
      const row = (number: number) =>
        `${String(offsets.get(number) ?? 0).padStart(10, '0')} 00000 ${offsets.has(number) ? 'n' : 'f'} \n`
      const start = length
      write(
        `xref\n0 ${size}\n0000000000 65535 f \n${Array.from({ length: size - 1 }, (_, index) => row(index + 1)).join('')}`,
      )
      write(`trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`)
      closeSync(file)
    },
  }
}
