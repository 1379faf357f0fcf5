import type { ToShown } from '../document/coordinates.ts'
import type { Handle, PdfDocument } from '../document/pdfium.ts'

/** Points of the page as shown, y down. */
export type Box = { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number }

type Point = readonly [x: number, y: number]

export const boxAround = ([ax, ay]: Point, [bx, by]: Point): Box => ({
  x0: Math.min(ax, bx),
  y0: Math.min(ay, by),
  x1: Math.max(ax, bx),
  y1: Math.max(ay, by),
})

/** A straight line: `at` is its position, `from` and `to` its ends along the other axis. */
export type Rule = {
  readonly isHorizontal: boolean
  readonly at: number
  readonly from: number
  readonly to: number
}

/** `color` is 0xRRGGBB. */
export type Fill = { readonly box: Box; readonly color: number }

const maxObjects = 20_000
const maxSegments = 40_000
/** Each glyph is compared with each area. */
const maxFills = 2_000
const maxDepth = 8
/** Points. A thicker bar is an area; a shorter line is part of a drawing. */
const maxThickness = 3
const minLength = 4
const tolerance = 1

const pathType = 2
const imageType = 3
const formType = 5
const lineTo = 0
const moveTo = 2

/** Reads lines and edges of boxes, from which tables are built, filled areas, and pictures. */
export const readDrawings = (document: PdfDocument, page: Handle, shown: ToShown): Drawings => {
  const drawings = new Drawings(document)
  const { pdfium } = document
  const count = pdfium._FPDFPage_CountObjects(page)
  for (let index = 0; index < count; index += 1) drawings.read(pdfium._FPDFPage_GetObject(page, index), shown, 0)
  return drawings
}

class Drawings {
  readonly #document: PdfDocument
  readonly rules: Rule[] = []
  readonly fills: Fill[] = []
  readonly pictures: Box[] = []
  #objects = 0
  #segments = 0

  constructor(document: PdfDocument) {
    this.#document = document
  }

  get isCut(): boolean {
    return this.#objects > maxObjects || this.#segments >= maxSegments
  }

  /** Objects of a form have coordinates of their own, which `toPage` converts. */
  read(object: Handle, toPage: ToShown, depth: number): void {
    if (object === 0 || this.#objects++ > maxObjects) return
    const { pdfium } = this.#document
    const type = pdfium._FPDFPageObj_GetType(object)
    if (type === pathType) this.#readPath(object, toPage)
    else if (type === imageType) {
      const box = this.#boundsOf(object, toPage)
      if (box) this.pictures.push(box)
    } else if (type === formType && depth < maxDepth) {
      const matrix = this.#matrixOf(object)
      const inner: ToShown = (x, y) => toPage(...matrix(x, y))
      const count = pdfium._FPDFFormObj_CountObjects(object)
      for (let index = 0; index < count; index += 1)
        this.read(pdfium._FPDFFormObj_GetObject(object, index), inner, depth + 1)
    }
  }

  #boundsOf(object: Handle, toPage: ToShown): Box | undefined {
    const { pdfium, scratch, floats } = this.#document
    if (pdfium._FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return undefined
    const [left = 0, bottom = 0, right = 0, top = 0] = floats(4)
    return boxAround(toPage(left, bottom), toPage(right, top))
  }

  #matrixOf(object: Handle): ToShown {
    const { pdfium, scratch, floats } = this.#document
    pdfium._FPDFPageObj_GetMatrix(object, scratch)
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = floats(6)
    return (x, y) => [a * x + c * y + e, b * x + d * y + f]
  }

  #readPath(object: Handle, toPage: ToShown): void {
    const box = this.#boundsOf(object, toPage)
    if (!box) return
    const [width, height] = [box.x1 - box.x0, box.y1 - box.y0]
    if (Math.min(width, height) > maxThickness) {
      this.#readFill(object, box)
      this.#readSegments(object, toPage)
      return
    }
    const [cx, cy] = [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2]
    if (width > height) this.#addLine([box.x0, cy], [box.x1, cy])
    else this.#addLine([cx, box.y0], [cx, box.y1])
  }

  #readFill(object: Handle, box: Box): void {
    const { pdfium, scratch } = this.#document
    pdfium._FPDFPath_GetDrawMode(object, scratch, scratch + 4)
    if (pdfium.HEAP32[scratch >> 2] === 0 || this.fills.length >= maxFills) return
    pdfium._FPDFPageObj_GetFillColor(object, scratch, scratch + 4, scratch + 8, scratch + 12)
    const [red = 0, green = 0, blue = 0] = pdfium.HEAP32.subarray(scratch >> 2, (scratch >> 2) + 3)
    this.fills.push({ box, color: (red << 16) | (green << 8) | blue })
  }

  #readSegments(object: Handle, toPage: ToShown): void {
    const { pdfium, scratch, floats } = this.#document
    const matrix = this.#matrixOf(object)
    let at: Point = [0, 0]
    let start = at
    const count = Math.min(pdfium._FPDFPath_CountSegments(object), maxSegments - this.#segments)
    for (let index = 0; index < count; index += 1) {
      this.#segments += 1
      const segment = pdfium._FPDFPath_GetPathSegment(object, index)
      pdfium._FPDFPathSegment_GetPoint(segment, scratch, scratch + 4)
      const [x = 0, y = 0] = floats(2)
      const point = toPage(...matrix(x, y))
      const type = pdfium._FPDFPathSegment_GetType(segment)
      if (type === moveTo) start = point
      else if (type === lineTo) this.#addLine(at, point)
      at = point
      if (pdfium._FPDFPathSegment_GetClose(segment) === 1) this.#addLine(at, start)
    }
  }

  #addLine([ax, ay]: Point, [bx, by]: Point): void {
    if (Math.abs(ay - by) <= tolerance && Math.abs(ax - bx) >= minLength)
      this.rules.push({ isHorizontal: true, at: (ay + by) / 2, from: Math.min(ax, bx), to: Math.max(ax, bx) })
    else if (Math.abs(ax - bx) <= tolerance && Math.abs(ay - by) >= minLength)
      this.rules.push({ isHorizontal: false, at: (ax + bx) / 2, from: Math.min(ay, by), to: Math.max(ay, by) })
  }
}
