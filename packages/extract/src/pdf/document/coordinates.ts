import type { Handle, PdfDocument } from './pdfium.ts'

/** Maps PDF coordinates to the page as shown, in points, y down. */
export type ToShown = (x: number, y: number) => readonly [x: number, y: number]

export const shownCoordinates = ({ pdfium, scratch, floats }: PdfDocument, page: Handle): ToShown => {
  pdfium._FPDF_GetPageBoundingBox(page, scratch)
  const [left = 0, top = 0, right = 0, bottom = 0] = floats(4)
  switch (pdfium._FPDFPage_GetRotation(page)) {
    case 1:
      return (x, y) => [y - bottom, x - left]
    case 2:
      return (x, y) => [right - x, y - bottom]
    case 3:
      return (x, y) => [top - y, right - x]
    default:
      return (x, y) => [x - left, top - y]
  }
}

/** Maps the page as shown to a frame whose text runs at `angle`, clockwise in radians. */
export const intoFrame = (angle: number): ToShown => {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  return (x, y) => [x * cos + y * sin, y * cos - x * sin]
}

export const fromFrame = (angle: number): ToShown => intoFrame(-angle)
