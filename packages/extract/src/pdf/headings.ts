import { type Page, readPage } from './characters/page.ts'
import { orError } from './document/errors.ts'
import type { PdfDocument } from './document/pdfium.ts'
import type { Part } from './lines/layout.ts'
import type { Line } from './lines/lines.ts'
import { emphasisOf, type Paragraph } from './lines/paragraphs.ts'
import { linesAtEdges, type RunningLines } from './lines/running.ts'
import { piecesOf } from './words/segments.ts'

export type Fonts = {
  /** Points. */
  readonly body: number
  readonly isBodyBold: boolean
  /** Largest first. */
  readonly larger: readonly number[]
}

/** Spread over the document. */
const sampledPages = 12
const maxHeading = 200
const maxHeadingLines = 3
const largerBy = 1.08

const numbered =
  /^(?:(?:chapter|section|part|appendix|article|annex|kapitel|abschnitt|chapitre|capítulo|artikel)\s+)?(\d{1,2}(?:\.\d{1,2})*\.?|[IVX]{1,5}\.|[A-Z]\.)\s+\p{Lu}/iu
/** Dots before a page number in a table of contents. */
const leaders = /(?:\. ?){4,}|…{2,}/
const endsSentence = /[.!?;,:…。，；]["'”’»)\]]*$/
const caption = /^(?:fig(?:ure|\.)?|table|tab\.|abb(?:ildung|\.)?|tabelle|tableau|tabla|source|note|quelle)\b/i
/** Begins with a capital and is not a sentence. */
const titleLike = /^\p{Lu}[^.!?;]{3,80}$/u
const hasLetters = /\p{L}{2}/u
const rounded = (size: number): number => Math.round(size * 2) / 2

/** What must be known about the whole document before its pages are read. */
export type Survey = {
  readonly fonts: Fonts
  readonly running: RunningLines
  /** Pages that need not be read again. */
  readonly pages: Map<number, Page>
}

/** Counts the characters of each font, and the lines at the page edges. */
export const survey = (document: PdfDocument): Survey => {
  const step = Math.max(1, Math.ceil(document.pages / sampledPages))
  const sizes = new Map<number, { all: number; bold: number }>()
  const pages = new Map<number, Page>()
  for (let number = 1; number <= document.pages; number += step) {
    // Its note follows later.
    const page = orError(() => readPage(document, number))
    if (page instanceof Error) continue
    pages.set(number, page)
    for (const { glyphs } of page.frames)
      for (const { style } of glyphs) {
        const size = rounded(style.size)
        const count = sizes.get(size) ?? { all: 0, bold: 0 }
        count.all += 1
        if (style.isBold) count.bold += 1
        sizes.set(size, count)
      }
  }
  const [body, counts] = [...sizes].sort(([, a], [, b]) => b.all - a.all)[0] ?? [12, { all: 0, bold: 0 }]
  const fonts = {
    body,
    isBodyBold: counts.bold > counts.all / 2,
    larger: [...sizes.keys()].filter((size) => size > body * largerBy).sort((a, b) => b - a),
  }
  return { fonts, running: linesAtEdges([...pages.values()]), pages }
}

const numberBefore = /^(?:\p{L}+\s+)?(?:\d{1,3}(?:\.\d{1,3})*|[IVXLC]{1,6}|[A-Z])[.):]?\s+/u

const isUpperCase = (text: string): boolean => text === text.toUpperCase() && text !== text.toLowerCase()

/** Returns 1 to 6; undefined for other text. */
const levelOf = ({ lines, text }: Paragraph, fonts: Fonts): number | undefined => {
  if (
    text.length > maxHeading ||
    lines.length > maxHeadingLines ||
    !hasLetters.test(text) ||
    caption.test(text) ||
    leaders.test(text)
  )
    return undefined
  const size = rounded(Math.max(...lines.map((line: Line) => line.size)))
  const isLarger = size > fonts.body * largerBy
  const emphasis = lines.map(emphasisOf)
  const isStrong =
    (emphasis.every((one) => one === 'bold') && !fonts.isBodyBold) ||
    (emphasis.length === 1 && emphasis[0] === 'italic' && titleLike.test(text))
  const number = numbered.exec(text)?.[1]
  if (endsSentence.test(text) && !(number !== undefined && (isLarger || isStrong))) return undefined
  const stands = isLarger || isStrong || (isUpperCase(text) && text.length > 4 && number !== undefined)
  if (!stands || size < fonts.body * 0.95) return undefined
  const depth = number?.match(/\d+/g)?.length
  if (depth !== undefined && depth > 1) return Math.min(6, depth)
  const rank = fonts.larger.indexOf(size)
  const bySize = rank >= 0 ? rank + 1 : fonts.larger.length + 1
  return Math.min(6, bySize, isLarger ? 5 : 6)
}

/** From this number on, lines or cells in headings of one level with nothing between them are labels of a diagram. */
const fewestLabels = 4

export const levelsOf = (parts: readonly Part[], fonts: Fonts): (number | undefined)[] => {
  const levels = parts.map((part) => ('paragraph' in part ? levelOf(part.paragraph, fonts) : undefined))
  for (let from = 0, to = 1; from < parts.length; from = to, to += 1) {
    while (to < parts.length && levels[to] === levels[from]) to += 1
    const run = parts.slice(from, to).flatMap((part) => ('paragraph' in part ? [part.paragraph] : []))
    const pieces = run.flatMap(({ lines }) => lines.flatMap((line) => piecesOf([line])))
    const areLabels = run.length > 2 || (run.length > 1 && pieces.length >= fewestLabels)
    if (areLabels && !run.some(({ text }) => numbered.test(text))) levels.fill(undefined, from, to)
  }
  return levels
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** The outline entry may lack the number of the heading. */
export const isTitle = (text: string, title: string): boolean => {
  const own = plain(title)
  return (
    own !== '' && (plain(text) === own || (text.length <= maxHeading && plain(text.replace(numberBefore, '')) === own))
  )
}
