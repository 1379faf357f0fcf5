import { PDFiumLibrary } from '@hyzyla/pdfium'
import { createCanvas, ImageData } from '@napi-rs/canvas'
import type { Random } from '../seeded-random.ts'

export type ScanOptions = {
  /** Dots per inch. Default 200. */
  readonly dpi?: number
  /** Maximum rotation of the page in degrees, in either direction. Default 1. */
  readonly skew?: number
  /** Specks per 4,000 dots. Default 2. */
  readonly specks?: number
}

export type Scan = { readonly jpeg: Buffer; readonly width: number; readonly height: number }

/**
 * Renders pages of a PDF as a scanner would: rotated, with gray paper and specks, as JPEG. The text is drawn with
 * PDFium's built-in typefaces, so the same seed gives the same picture on machines with and without fonts.
 */
export const scanPages = async (file: Uint8Array, random: Random, options: ScanOptions = {}): Promise<Scan[]> => {
  const { dpi = 200, skew = 1, specks = 2 } = options
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(file)
    const scans: Scan[] = []
    for (const page of document.pages()) {
      // PDFium returns BGRA. Text is black on white, so the order of colors does not matter.
      const { data, width, height } = await page.render({ scale: dpi / 72, render: 'bitmap' })
      const flat = createCanvas(width, height)
      flat.getContext('2d').putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0)
      const canvas = createCanvas(width, height)
      const context = canvas.getContext('2d')
      context.fillStyle = 'rgb(244, 242, 238)'
      context.fillRect(0, 0, width, height)
      context.globalCompositeOperation = 'multiply'
      context.translate(width / 2, height / 2)
      context.rotate(((random.next() * 2 - 1) * skew * Math.PI) / 180)
      context.drawImage(flat, -width / 2, -height / 2)
      context.setTransform(1, 0, 0, 1, 0, 0)
      context.globalCompositeOperation = 'source-over'
      for (let speck = 0; speck < (width * height * specks) / 1_000 / 4; speck += 1) {
        const grey = 90 + random.below(165)
        context.fillStyle = `rgb(${grey},${grey},${grey})`
        context.fillRect(random.below(width), random.below(height), 1 + random.below(2), 1 + random.below(2))
      }
      scans.push({ jpeg: await canvas.encode('jpeg', 75), width, height })
    }
    document.destroy()
    return scans
  } finally {
    library.destroy()
  }
}
