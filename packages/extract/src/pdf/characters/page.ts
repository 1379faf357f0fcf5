import { intoFrame, shownCoordinates, type ToShown } from '../document/coordinates.ts'
import { type Link, readLinks } from '../document/links.ts'
import { type Handle, type PdfDocument, withPage } from '../document/pdfium.ts'
import { type Characters, type Drawn, readCharacters } from './characters.ts'
import { type Box, type Fill, type Rule, readDrawings } from './drawings.ts'

/** Points of the frame: x along the baseline, y down. `x1` is the end of the advance, `y` the baseline. */
export type Glyph = Pick<Drawn, 'text' | 'style' | 'afterBlank' | 'index'> & {
  readonly x0: number
  readonly x1: number
  readonly y: number
}

/** Text of one direction, rotated so that its baselines run to the right. */
export type Frame = {
  /** Clockwise rotation of the text on the page, in radians. */
  readonly angle: number
  readonly isVertical: boolean
  readonly glyphs: readonly Glyph[]
}

export type Page = {
  /** Points, as shown. */
  readonly width: number
  readonly height: number
  /** The one with most glyphs first. */
  readonly frames: readonly Frame[]
  /** Points of the page as shown. */
  readonly rules: readonly Rule[]
  readonly fills: readonly Fill[]
  readonly pictures: readonly Box[]
  /** Form fields, comments and links. */
  readonly annotations: number
  /** Neither drawn objects nor annotations. */
  readonly isEmpty: boolean
  /** More characters or drawn objects than are read. */
  readonly isCut: boolean
  readonly links: readonly Link[]
} & Pick<Characters, 'unmapped' | 'guessed'>

const eastAsian = /[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]/

/** Whether a character is above or below its neighbor in a column of vertical writing. */
const isDrawnDown = (before: Drawn | undefined, one: Drawn, after: Drawn | undefined): boolean => {
  if (!eastAsian.test(one.text)) return false
  const size = one.style.size
  const steps = [before && { from: before, to: one }, after && { from: one, to: after }].flatMap((step) => step ?? [])
  const down = steps.some(
    ({ from, to }) => Math.abs(to.x - from.x) < size * 0.2 && to.y - from.y > size * 0.5 && to.y - from.y < size * 1.6,
  )
  const along = steps.some(({ from, to }) => Math.abs(to.y - from.y) < size * 0.2 && Math.abs(to.x - from.x) < size * 2)
  return down && !along
}

const angleStep = 0.05
/** Ascent of East Asian characters above their origin, in font sizes. */
const verticalAscent = 0.88

const framesOf = () => {
  const groups = new Map<string, { angle: number; isVertical: boolean; glyphs: Glyph[]; turn: ToShown }>()
  return {
    group(angle: number, isVertical: boolean) {
      const steps = Math.round(angle / angleStep)
      const key = `${steps} ${isVertical}`
      let group = groups.get(key)
      if (!group) {
        // Vertical text advances downwards, and its columns follow each other from right to left.
        const around = isVertical ? angle + Math.PI / 2 : angle
        group = { angle: around, isVertical, glyphs: [], turn: intoFrame(around) }
        groups.set(key, group)
      }
      return group
    },
    frames: (): Frame[] =>
      [...groups.values()]
        .map(({ angle, isVertical, glyphs }) => ({ angle, isVertical, glyphs }))
        .sort((a, b) => b.glyphs.length - a.glyphs.length),
  }
}

const textType = 1
const flat = 0.01
const maxTextObjects = 20_000

/**
 * pdfium's text page omits text objects without width, such as a vertical column in a font that is not embedded.
 * Shearing gives them a width; their characters move by less than a point.
 */
const widenFlatTexts = ({ pdfium, scratch, floats }: PdfDocument, page: Handle): void => {
  const count = Math.min(maxTextObjects, pdfium._FPDFPage_CountObjects(page))
  for (let index = 0; index < count; index += 1) {
    const object = pdfium._FPDFPage_GetObject(page, index)
    if (pdfium._FPDFPageObj_GetType(object) !== textType) continue
    pdfium._FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12)
    const [left = 0, , right = 0] = floats(3)
    if (right - left < flat) pdfium._FPDFPageObj_Transform(object, 1, 0, 0.001, 1, 0, 0)
  }
}

/** Pages are numbered from 1. Throws if pdfium can't read the page. */
export const readPage = (document: PdfDocument, number: number): Page =>
  withPage(document, number, (page) => readLoaded(document, page))

/** Points (3.5 km). pdfium's text page takes memory for each point of width and height: gigabytes for a false size. */
const maxSide = 10_000_000

const readLoaded = (document: PdfDocument, page: Handle): Page => {
  const { pdfium } = document
  const [width, height] = [pdfium._FPDF_GetPageWidthF(page), pdfium._FPDF_GetPageHeightF(page)]
  if (!(width <= maxSide && height <= maxSide))
    throw new Error(`the page says that it is ${width} × ${height} points large`)
  widenFlatTexts(document, page)
  const text = pdfium._FPDFText_LoadPage(page)
  try {
    const shown = shownCoordinates(document, page)
    const frames = framesOf()
    const characters = readCharacters(document, text, shown)
    const { drawn, unmapped, guessed } = characters
    for (const [position, one] of drawn.entries()) {
      const isVertical = isDrawnDown(drawn[position - 1], one, drawn[position + 1])
      const { turn, glyphs } = frames.group(one.angle, isVertical)
      const [along, down] = turn(one.x, one.y)
      // In vertical writing, the origin of a character is its lower left corner.
      const x0 = isVertical ? along - one.style.size * verticalAscent : along
      const end = isVertical
        ? x0 + one.style.size
        : one.width > 0
          ? x0 + one.width
          : Math.max(...one.corners.map(([x, y]) => turn(x, y)[0]))
      const { text: character, style, afterBlank: isAfter, index } = one
      glyphs.push({ text: character, x0, x1: Math.max(end, x0 + 0.01), y: down, style, afterBlank: isAfter, index })
    }
    const annotations = Math.max(0, pdfium._FPDFPage_GetAnnotCount(page))
    const { rules, fills, pictures, isCut } = readDrawings(document, page, shown)
    return {
      width,
      height,
      frames: frames.frames(),
      rules,
      fills,
      pictures,
      annotations,
      isEmpty: pdfium._FPDFPage_CountObjects(page) === 0 && annotations === 0,
      isCut: isCut || characters.isCut,
      links: readLinks(document, page, shown),
      unmapped,
      guessed,
    }
  } finally {
    if (text !== 0) pdfium._FPDFText_ClosePage(text)
  }
}
