import type { Handle, PdfDocument } from './pdfium.ts'

/** Maps PDF's coordinates of a page to those of the page as shown, in points, y down. */
export type ToShown = (x: number, y: number) => readonly [x: number, y: number]

/** Returns the map from PDF's coordinates of a page to those of the page as shown, y down. */
export const shownCoordinates = ({ pdfium, scratch }: PdfDocument, page: Handle): ToShown => {
  pdfium._FPDF_GetPageBoundingBox(page, scratch)
  const [left = 0, top = 0, right = 0, bottom = 0] = pdfium.HEAPF32.subarray(scratch >> 2, (scratch >> 2) + 4)
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
