import { type PdfDocument, withPage } from '../document/pdfium.ts'
import type { GrayImage } from './gray-png.ts'

export type PageImage = GrayImage & { readonly dpi: number }

export const pointsPerInch = 72
const targetDpi = 200
/**
 * An A4 page at 200 dpi has 3.9 million; larger pages get a lower resolution (A3: 176 dpi). Each million costs about 6
 * MB, and with this limit the whole process stays below its 256 MiB.
 */
const maxPixels = 6_000_000
const maxSide = 30_000
/** Pixels of the preview that shows whether a page is blank: specks of dust disappear in it. */
const glancePixels = 120_000
/** 0 to 255. JPEG textures of scanned empty sheets have less. */
const minContrast = 12

const grayFormat = 1
const white = 0xffffffff
const withAnnotations = 0x01
const inGray = 0x08

const isBlank = ({ width, height, pixels }: GrayImage): boolean => {
  const side = Math.max(1, Math.round(Math.sqrt((width * height) / glancePixels)))
  const columns = Math.ceil(width / side)
  let low = 255
  let high = 0
  for (let top = 0; top < height; top += side) {
    const rows = Math.min(side, height - top)
    const sums = new Uint32Array(columns)
    for (let y = top; y < top + rows; y += 1)
      for (let x = 0; x < width; x += 1) sums[(x / side) | 0]! += pixels[y * width + x]!
    for (let column = 0; column < columns; column += 1) {
      const mean = sums[column]! / (rows * Math.min(side, width - column * side))
      low = Math.min(low, mean)
      high = Math.max(high, mean)
    }
  }
  return high - low < minContrast
}

/** Pages are numbered from 1. Throws if the page can't be drawn. */
export const drawPage = (document: PdfDocument, number: number, atMostDpi = targetDpi): PageImage =>
  withPage(document, number, (page) => {
    const { pdfium } = document
    const [widthPoints, heightPoints] = [pdfium._FPDF_GetPageWidthF(page), pdfium._FPDF_GetPageHeightF(page)]
    if (!(widthPoints > 0 && heightPoints > 0)) throw new Error('the page has no size')
    const dpi = Math.min(atMostDpi, pointsPerInch * Math.sqrt(maxPixels / (widthPoints * heightPoints)))
    const pixels = (length: number) => Math.max(1, Math.min(maxSide, Math.round((length * dpi) / pointsPerInch)))
    const [width, height] = [pixels(widthPoints), pixels(heightPoints)]
    const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, grayFormat, 0, 0)
    if (bitmap === 0) throw new Error('out of memory for the picture of the page')
    try {
      pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white)
      pdfium._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, withAnnotations | inGray)
      document.check()
      const [buffer, stride] = [pdfium._FPDFBitmap_GetBuffer(bitmap), pdfium._FPDFBitmap_GetStride(bitmap)]
      const gray = new Uint8Array(width * height)
      for (let y = 0; y < height; y += 1)
        gray.set(pdfium.HEAPU8.subarray(buffer + y * stride, buffer + y * stride + width), y * width)
      return { width, height, pixels: gray, dpi }
    } finally {
      pdfium._FPDFBitmap_Destroy(bitmap)
    }
  })

export const drawScan = (document: PdfDocument, number: number): PageImage | undefined => {
  const image = drawPage(document, number)
  return isBlank(image) ? undefined : image
}
