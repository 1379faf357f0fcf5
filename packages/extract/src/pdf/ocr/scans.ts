import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { median } from '@cairn/domain/text/median'
import type { ExtractEvent } from '../../block.ts'
import type { Style } from '../characters/characters.ts'
import { isDiskOrMemoryError } from '../document/errors.ts'
import { openPdf } from '../document/pdfium.ts'
import type { PdfSource } from '../document/source.ts'
import { layOutWords, type Part } from '../lines/layout.ts'
import { boxOfSeen } from '../places.ts'
import type { Word } from '../words/words.ts'
import { type GrayImage, grayPng, type Turn, turned } from './gray-png.ts'
import type { PageReader, SeenWord } from './ocr.ts'
import { drawScan, type PageImage, pointsPerInch } from './render.ts'
import { denseStrip, edgesIn, eraseRules, isLevel, leveled, removeShadows, slantOf, whiten } from './straighten.ts'

export type Scan = { readonly parts: readonly Part[]; readonly words: number; readonly confidence: number }

/** 0 to 100. A rotated strip has about 50, a clean scan 95. */
const goodConfidence = 75
/** Share of edge pixels outside of the words found, above which the page may contain more words. */
const minRest = 0.015
/** Fewer words in a strip make its confidence meaningless. */
const minWords = 4
const turns: readonly Turn[] = [0, 1, 3, 2]

/**
 * Memory of pictures and pdfium lies outside V8's heap, so it does not trigger garbage collection. The second
 * collection frees what pending tasks still held. The child runs with `--expose-gc`.
 */
export const collectGarbage = async (): Promise<void> => {
  globalThis.gc?.()
  await setImmediate()
  globalThis.gc?.()
}

type Seen = {
  readonly words: readonly SeenWord[]
  readonly image: Omit<PageImage, 'pixels'>
  /** The picture was leveled by this angle, then rotated by `turn`. */
  readonly degrees: number
  readonly turn: Turn
}

/** Converts to points of the page, and levels slightly slanted lines. */
const toWords = ({ words: seen, image, degrees, turn }: Seen): Word[] => {
  const scale = pointsPerInch / image.dpi
  const slopes = seen.flatMap((word, index) => {
    const next = seen[index + 1]
    return next && next.x0 > word.x0 && Math.abs(next.y - word.y) < word.size / 2
      ? [(next.y - word.y) / (next.x0 - word.x0)]
      : []
  })
  const slope = median(slopes)
  const usual = median(seen.map(({ size }) => size)) || 1
  return seen.map(({ text, x0, x1, y, size }, index) => {
    // Measured line heights of one font differ because of letter shapes and specks.
    const points = Math.max(1, (Math.abs(size / usual - 1) < 0.35 ? usual : size) * scale)
    const style: Style = { font: '', size: points, isBold: false, isItalic: false, color: 0, mode: 0 }
    const box = boxOfSeen({ x0, x1, y, size: points / scale }, image, { degrees, turn })
    return { text, x0: x0 * scale, x1: x1 * scale, y: (y - slope * x0) * scale, style, index, box }
  })
}

type Stored = Omit<PageImage, 'pixels'> & { readonly path: string }

/** pdfium and Tesseract run alternately: each needs up to half of the process's memory. */
export const createScans = (source: PdfSource, reader: PageReader) => {
  /** Pixels are in files; undefined for a blank page. */
  const rendered = new Map<number, Stored | undefined | Error>()
  /** Tried first: a scanner rotates all pages alike. */
  let lastTurn: Turn = 0
  let folder: string | undefined

  /** Opens pdfium anew, as its memory never shrinks. A function, so that no variable keeps the document. */
  const render = async (page: number): Promise<Stored | undefined> => {
    const document = await openPdf(source)
    try {
      const image = drawScan(document, page)
      if (!image) return undefined
      folder ??= mkdtempSync(join(tmpdir(), 'cairn-pages-'))
      const { pixels, ...shape } = image
      const path = join(folder, `${page}.gray`)
      writeFileSync(path, pixels)
      return { ...shape, path }
    } finally {
      document.close()
    }
  }
  const readAt = (image: GrayImage, turn: Turn, dpi: number) => reader.read(grayPng(turned(image, turn), dpi))
  /** Rotations, best first, by OCR of a strip: a few lines are as conclusive as the page. */
  const findTurns = async (image: PageImage, isSideways: boolean | undefined): Promise<readonly Turn[]> => {
    const likely = turns.filter((turn) => isSideways === undefined || (turn % 2 === 1) === isSideways)
    const tried: { readonly turn: Turn; readonly confidence: number }[] = []
    // The other rotations come last: tables and lines of equal length may look like lines of the other direction.
    for (const turn of new Set([...likely.filter((turn) => turn === lastTurn), ...likely, ...turns])) {
      const { words, confidence } = await readAt(denseStrip(image, turn % 2 === 1), turn, image.dpi)
      if (confidence >= goodConfidence && words.length >= minWords) return [turn]
      tried.push({ turn, confidence: words.length >= minWords ? confidence : 0 })
    }
    return tried.toSorted((a, b) => b.confidence - a.confidence).map(({ turn }) => turn)
  }

  /** At low confidence, also tries the second rotation and keeps the better result. */
  const readTurned = async (image: PageImage, [first = 0, second]: readonly Turn[]) => {
    const upright = turned(image, first)
    const seen = await reader.read(grayPng(upright, image.dpi))
    if (seen.confidence >= goodConfidence) lastTurn = first
    if (seen.confidence >= goodConfidence || second === undefined) return { upright, turn: first, ...seen }
    const other = await readAt(image, second, image.dpi)
    return other.confidence > seen.confidence
      ? { upright: turned(image, second), turn: second, ...other }
      : { upright, turn: first, ...seen }
  }

  const readStraightened = async (image: PageImage): Promise<Omit<Seen, 'image'> & { readonly confidence: number }> => {
    removeShadows(image)
    const { degrees, isSideways } = slantOf(image)
    const level = { ...leveled(image, degrees), dpi: image.dpi }
    eraseRules(level)
    const { upright, turn, words, confidence } = await readTurned(level, await findTurns(level, isSideways))
    const before = edgesIn(upright)
    for (const { x0, x1, y, size } of words)
      whiten(upright, { x0: x0 - size * 0.2, x1: x1 + size * 0.2, y0: y - size * 1.2, y1: y + size * 0.4 })
    const how = { degrees: isLevel(degrees) ? 0 : degrees, turn, confidence }
    if (confidence < goodConfidence || edgesIn(upright) < before * minRest) return { words, ...how }
    // Tesseract skips parts of tables that it mistakes for pictures.
    const rest = await reader.read(grayPng(upright, image.dpi), true)
    return { words: [...words, ...rest.words], ...how }
  }

  return {
    /** Yields `heartbeat` after each page. */
    async *render(pages: readonly number[], heartbeat: ExtractEvent): AsyncGenerator<ExtractEvent, void> {
      await reader.rest()
      for (const page of pages) {
        const stored = await render(page).catch((error: Error) => {
          if (isDiskOrMemoryError(error)) throw error
          return error
        })
        rendered.set(page, stored)
        await collectGarbage()
        yield heartbeat
      }
    },
    has: (page: number): boolean => rendered.has(page),
    /** Resolves to undefined if the page is blank or was not rendered. Throws if rendering failed. */
    async read(page: number): Promise<Scan | undefined> {
      const stored = rendered.get(page)
      rendered.delete(page)
      if (stored instanceof Error) throw stored
      if (stored === undefined) return undefined
      const { path, ...shape } = stored
      const { confidence, ...seen } = await readStraightened({ ...shape, pixels: readFileSync(path) })
      rmSync(path)
      return { parts: layOutWords(toWords({ ...seen, image: shape })), words: seen.words.length, confidence }
    },
    async close() {
      await reader.close()
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type Scans = ReturnType<typeof createScans>
