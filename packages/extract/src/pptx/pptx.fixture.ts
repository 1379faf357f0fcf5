import {
  pptxEntries,
  relation,
  relationsPart,
  run,
  type Slide,
  shapesPart,
  slideParagraph,
  textShape,
} from '@cairn/testing/material/create-pptx'
import { zip } from '@cairn/testing/material/zip-writer'
import { type Parts, type Read, readFile } from '../read-file.fixture.ts'

export { relation, relationsPart, run, shapesPart, slideParagraph as paragraph, textShape }

export const titled = (text: string): string => textShape(slideParagraph(run(text)), '<p:ph type="title"/>')
/** Returns the XML of a text box at a position in millimeters. */
export const box = (text: string, x: number, y: number, width = 100, height = 10): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="3" name="Box"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="${x * 36_000}" y="${y * 36_000}"/><a:ext cx="${width * 36_000}" cy="${height * 36_000}"/></a:xfrm></p:spPr><p:txBody>${slideParagraph(run(text))}</p:txBody></p:sp>`

/** Builds a presentation; `parts` adds or replaces parts. */
export const pptx = (slides: readonly Slide[], parts: Parts = {}): Buffer =>
  zip([
    ...pptxEntries(slides, 'Deck').filter(({ name }) => !Object.hasOwn(parts, name)),
    ...Object.entries(parts).map(([name, data]) => ({ name, data })),
  ])

export const readPptx = (slides: readonly (Slide | string)[], parts: Parts = {}): Promise<Read> =>
  readFile(
    'pptx',
    pptx(
      slides.map((slide) => (typeof slide === 'string' ? { body: slide } : slide)),
      parts,
    ),
  )
