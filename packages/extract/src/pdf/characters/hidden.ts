import { fromFrame, type ToShown } from '../document/coordinates.ts'
import type { PdfDocument } from '../document/pdfium.ts'
import { drawPage, type PageImage, pointsPerInch } from '../ocr/render.ts'
import { type Box, boxAround, type Fill } from './drawings.ts'
import type { Frame, Glyph, Page } from './page.ts'

/** Points. */
const minSize = 1
const invisible = 3
/** 0 to 255. Brighter text may match its background, because most backgrounds are white. */
const brightFrom = 225
/** 0 to 255; with less, text can't be seen. */
const minContrast = 20
const dpi = pointsPerInch
/** A picture with this share of the page and invisible text is a scan with an OCR layer. */
const scanShare = 0.5

const brightness = (color: number): number =>
  ((color >> 16) & 0xff) * 0.3 + ((color >> 8) & 0xff) * 0.59 + (color & 0xff) * 0.11

export const isInvisible = ({ style }: Glyph): boolean => style.mode === invisible

const isNear = (one: number, other: number): boolean =>
  [16, 8, 0].every((shift) => Math.abs(((one >> shift) & 0xff) - ((other >> shift) & 0xff)) < minContrast)

/** Only doubtful: the rendered page decides, because another area may lie on top. */
const isDoubtful = ({ style }: Glyph, { x0, y0, x1, y1 }: Box, fills: readonly Fill[]): boolean => {
  if (style.mode === invisible) return false
  if (brightness(style.color) >= brightFrom) return true
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2]
  return fills.some(
    ({ box, color }) => x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1 && isNear(color, style.color),
  )
}

const placeOf = (toPage: ToShown, { x0, x1, y, style }: Glyph): Box =>
  boxAround(toPage(x0, y - style.size * 0.7), toPage(x1, y))

const contrastIn = (image: PageImage, box: Box): number => {
  const scale = image.dpi / pointsPerInch
  let low = 255
  let high = 0
  for (let y = Math.max(0, Math.floor(box.y0 * scale)); y <= Math.min(image.height - 1, box.y1 * scale); y += 1)
    for (let x = Math.max(0, Math.floor(box.x0 * scale)); x <= Math.min(image.width - 1, box.x1 * scale); x += 1) {
      const value = image.pixels[y * image.width + x] as number
      low = Math.min(low, value)
      high = Math.max(high, value)
    }
  return high - low
}

/** Hides text that is invisible (except a scan's OCR layer), tiny, off the page, or in its background's color. */
export const findHidden = (
  document: PdfDocument,
  number: number,
  page: Page,
  pictureShare: number,
): { readonly shown: readonly Frame[]; readonly hidden: string } => {
  let image: PageImage | undefined
  const isHidden = (toPage: ToShown, glyph: Glyph): boolean => {
    if (isInvisible(glyph) && pictureShare < scanShare) return true
    if (glyph.style.size < minSize) return true
    const box = placeOf(toPage, glyph)
    if (box.x1 < 0 || box.y1 < 0 || box.x0 > page.width || box.y0 > page.height) return true
    if (!isDoubtful(glyph, box, page.fills)) return false
    image ??= drawPage(document, number, dpi)
    return contrastIn(image, box) < minContrast
  }
  const hidden: Glyph[] = []
  const shown = page.frames.map((frame) => {
    const toPage = fromFrame(frame.angle)
    const glyphs = frame.glyphs.filter((glyph) => {
      if (!isHidden(toPage, glyph)) return true
      hidden.push(glyph)
      return false
    })
    return { ...frame, glyphs }
  })
  if (hidden.length === 0) return { shown: page.frames, hidden: '' }
  return { shown, hidden: hidden.map(({ text, afterBlank }) => (afterBlank ? ` ${text}` : text)).join('') }
}
