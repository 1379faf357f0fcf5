import { type GrayImage, grayPng, type Turn, turned } from './gray-png.ts'
import type { PageReader, SeenWord } from './ocr.ts'
import type { PageImage } from './render.ts'
import { denseStrip, edgesIn, eraseRules, isLevel, leveled, removeShadows, slantOf, whiten } from './straighten.ts'

/** 0 to 100. A rotated strip has about 50, a clean scan 95. */
const goodConfidence = 75
/** Share of edge pixels outside of the words found, above which the page may contain more words. */
const minRest = 0.015
/** Fewer words in a strip make its confidence meaningless. */
const minWords = 4
const turns: readonly Turn[] = [0, 1, 3, 2]

export type SeenImage = {
  readonly words: readonly SeenWord[]
  readonly confidence: number
  /** The picture was leveled by this angle, then rotated by `turn`. */
  readonly degrees: number
  readonly turn: Turn
}

/** Reads pictures of the pages of one document, in whichever direction their lines run. */
export class ImageReader {
  readonly #reader: PageReader
  /** Tried first: a scanner rotates all pages alike. */
  #lastTurn: Turn = 0

  constructor(reader: PageReader) {
    this.#reader = reader
  }

  /** Changes the pixels of the picture. */
  async read(image: PageImage): Promise<SeenImage> {
    removeShadows(image)
    const { degrees, isSideways } = slantOf(image)
    const level = { ...leveled(image, degrees), dpi: image.dpi }
    eraseRules(level)
    const { upright, turn, words, confidence } = await this.#readTurned(level, await this.#findTurns(level, isSideways))
    const before = edgesIn(upright)
    for (const { x0, x1, y, size } of words)
      whiten(upright, { x0: x0 - size * 0.2, x1: x1 + size * 0.2, y0: y - size * 1.2, y1: y + size * 0.4 })
    const how = { degrees: isLevel(degrees) ? 0 : degrees, turn, confidence }
    if (confidence < goodConfidence || edgesIn(upright) < before * minRest) return { words, ...how }
    // Tesseract skips parts of tables that it mistakes for pictures.
    const rest = await this.#reader.read(grayPng(upright, image.dpi), true)
    return { words: [...words, ...rest.words], ...how }
  }

  /** Rotations, best first, by OCR of a strip: a few lines are as conclusive as the page. */
  async #findTurns(image: PageImage, isSideways: boolean | undefined): Promise<readonly Turn[]> {
    const likely = turns.filter((turn) => isSideways === undefined || (turn % 2 === 1) === isSideways)
    const tried: { readonly turn: Turn; readonly confidence: number }[] = []
    // The other rotations come last: tables and lines of equal length may look like lines of the other direction.
    for (const turn of new Set([...likely.filter((turn) => turn === this.#lastTurn), ...likely, ...turns])) {
      const { words, confidence } = await this.#readAt(denseStrip(image, turn % 2 === 1), turn, image.dpi)
      if (confidence >= goodConfidence && words.length >= minWords) return [turn]
      tried.push({ turn, confidence: words.length >= minWords ? confidence : 0 })
    }
    return tried.toSorted((a, b) => b.confidence - a.confidence).map(({ turn }) => turn)
  }

  /** At low confidence, also tries the second rotation and keeps the better result. */
  async #readTurned(image: PageImage, [first = 0, second]: readonly Turn[]) {
    const upright = turned(image, first)
    const seen = await this.#reader.read(grayPng(upright, image.dpi))
    if (seen.confidence >= goodConfidence) this.#lastTurn = first
    if (seen.confidence >= goodConfidence || second === undefined) return { upright, turn: first, ...seen }
    const other = await this.#readAt(image, second, image.dpi)
    return other.confidence > seen.confidence
      ? { upright: turned(image, second), turn: second, ...other }
      : { upright, turn: first, ...seen }
  }

  #readAt(image: GrayImage, turn: Turn, dpi: number) {
    return this.#reader.read(grayPng(turned(image, turn), dpi))
  }
}
