import { findHidden, isInvisible } from '../characters/hidden.ts'
import { type Frame, type Page, readPage } from '../characters/page.ts'
import type { Survey } from '../headings.ts'
import { layOut, type Part } from '../lines/layout.ts'
import { isRunning, linesAtEdges } from '../lines/running.ts'
import type { PageSize } from '../places.ts'
import { orError } from './errors.ts'
import type { PdfDocument } from './pdfium.ts'
import { fieldAndAnnotationTexts } from './typed.ts'
import { xfaTexts } from './xfa.ts'

export type Content = {
  /** In reading order. */
  readonly parts: readonly Part[]
  /** As shown, in points. */
  readonly size: PageSize
  /** Headers and footers that other pages share, apart from their numbers. */
  readonly running: readonly string[]
  /** Form fields and annotations; undefined if they can't be read. */
  readonly typed: readonly string[] | undefined
  /** Whether enough characters are known; if not, OCR reads the page. */
  readonly isUsable: boolean
  readonly glyphs: number
  /** Characters without a mapping to Unicode, or whose code pdfium used. */
  readonly unmapped: number
  readonly hidden: string
  /** Neither drawn objects nor annotations. */
  readonly isEmpty: boolean
  readonly isCut: boolean
  /** Most of the text is an invisible OCR layer of another program over a scan. */
  readonly isOcrLayer: boolean
  /** The largest picture's, 0 to 1. */
  readonly pictureShare: number
}

/** Pages with a larger share are read by OCR. */
const maxUnmapped = 0.3

const pictureShareOf = ({ width, height, pictures }: Page): number =>
  Math.max(
    0,
    ...pictures.map(({ x0, x1, y0, y1 }) => {
      const [w, h] = [Math.min(width, x1) - Math.max(0, x0), Math.min(height, y1) - Math.max(0, y0)]
      return (Math.max(0, w) * Math.max(0, h)) / Math.max(1, width * height)
    }),
  )

/** `end` is exclusive. An unreadable page is returned as an Error. */
export const readContents = (
  document: PdfDocument,
  first: number,
  end: number,
  survey: Survey,
): Map<number, Content | Error> => {
  const read = new Map<number, { page: Page; hidden: string; shown: readonly Frame[]; share: number } | Error>()
  for (let number = first; number < end; number += 1) {
    read.set(
      number,
      orError(() => {
        const page = survey.pages.get(number) ?? readPage(document, number)
        survey.pages.delete(number)
        const share = pictureShareOf(page)
        const { shown, hidden } = findHidden(document, number, page, share)
        return { page, hidden, shown, share }
      }),
    )
  }
  const pages = [...read.values()].flatMap((one) => (one instanceof Error ? [] : [{ ...one.page, frames: one.shown }]))
  const running = linesAtEdges(pages, survey.running)
  return new Map(
    [...read].map(([number, one]): readonly [number, Content | Error] => {
      if (one instanceof Error) return [number, one]
      const { page, hidden, shown, share } = one
      const laid = orError(() => layOut({ ...page, frames: shown }, (line) => isRunning(running, page, line)))
      if (laid instanceof Error) return [number, laid]
      const glyphs = shown.reduce((sum, frame) => sum + frame.glyphs.length, 0)
      const unmapped = page.unmapped + page.guessed
      // A form that consists only of XFA has one page, which asks for another program.
      const typed = orError(() => {
        const { texts, isCut } =
          page.annotations > 0 ? fieldAndAnnotationTexts(document, number) : { texts: [], isCut: false }
        return { texts: [...texts, ...(number === 1 ? xfaTexts(document) : [])], isCut }
      })
      return [
        number,
        {
          parts: laid.parts,
          size: { width: page.width, height: page.height },
          running: laid.running,
          typed: typed instanceof Error ? undefined : typed.texts,
          isUsable: laid.parts.length > 0 && unmapped <= (glyphs + page.unmapped) * maxUnmapped,
          glyphs,
          unmapped,
          hidden,
          isEmpty: page.isEmpty,
          isCut: page.isCut || (!(typed instanceof Error) && typed.isCut),
          isOcrLayer:
            glyphs > 0 && shown.reduce((sum, frame) => sum + frame.glyphs.filter(isInvisible).length, 0) > glyphs / 2,
          pictureShare: share,
        },
      ]
    }),
  )
}
