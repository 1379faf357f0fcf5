import type { Frame, Glyph, Page } from './page.ts'
import type { PdfDocument } from './pdfium.ts'
import { drawPage, type PageImage } from './render.ts'

/** In points; smaller text can't be read. */
const leastSize = 1
const invisible = 3
/** Brightness, 0 to 255, from which text may have the color of its ground: most grounds are white. */
const brightFrom = 225
/** Of 255. Text with less contrast can't be seen. */
const leastContrast = 20
const dpi = 72
/** A picture over this share of the page with invisible text is a scan with the text that OCR found. */
const scanShare = 0.5

const brightness = (color: number): number =>
  ((color >> 16) & 0xff) * 0.3 + ((color >> 8) & 0xff) * 0.59 + (color & 0xff) * 0.11

export const isInvisible = ({ style }: Glyph): boolean => style.mode === invisible

const isBright = ({ style }: Glyph): boolean => style.mode !== invisible && brightness(style.color) >= brightFrom

/** Returns where a glyph is on the page as shown. */
const placeOf = ({ angle }: Frame, { x0, x1, y, style }: Glyph) => {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const corner = (along: number, down: number) => [along * cos - down * sin, along * sin + down * cos] as const
  const [ax, ay] = corner(x0, y - style.size * 0.7)
  const [bx, by] = corner(x1, y)
  return { x0: Math.min(ax, bx), x1: Math.max(ax, bx), y0: Math.min(ay, by), y1: Math.max(ay, by) }
}

const contrastIn = (image: PageImage, box: ReturnType<typeof placeOf>): number => {
  const scale = image.dpi / 72
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

/**
 * Parts the text of a page into what a reader sees and what not: invisible, tiny or outside the page, or of the color of
 * its ground. The invisible text of a scan is what OCR found in it, and counts as seen.
 */
export const findHidden = (
  document: PdfDocument,
  number: number,
  page: Page,
  pictureShare: number,
): { readonly shown: readonly Frame[]; readonly hidden: string } => {
  let image: PageImage | undefined
  const isHidden = (frame: Frame, glyph: Glyph): boolean => {
    if (isInvisible(glyph) && pictureShare < scanShare) return true
    if (glyph.style.size < leastSize) return true
    const box = placeOf(frame, glyph)
    if (box.x1 < 0 || box.y1 < 0 || box.x0 > page.width || box.y0 > page.height) return true
    if (!isBright(glyph)) return false
    image ??= drawPage(document, number, dpi)
    return contrastIn(image, box) < leastContrast
  }
  const hidden: Glyph[] = []
  const shown = page.frames.map((frame) => ({
    ...frame,
    glyphs: frame.glyphs.filter((glyph) => {
      if (!isHidden(frame, glyph)) return true
      hidden.push(glyph)
      return false
    }),
  }))
  if (hidden.length === 0) return { shown: page.frames, hidden: '' }
  return { shown, hidden: hidden.map(({ text, afterBlank }) => (afterBlank ? ` ${text}` : text)).join('') }
}
