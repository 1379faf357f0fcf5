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
import { ImageReader, type SeenImage } from './image-reader.ts'
import type { PageReader } from './ocr.ts'
import { drawScan, type PageImage, pointsPerInch } from './render.ts'

export type Scan = { readonly parts: readonly Part[]; readonly words: number; readonly confidence: number }

/**
 * Memory of pictures and pdfium lies outside V8's heap, so it does not trigger garbage collection. The second
 * collection frees what pending tasks still held. The child runs with `--expose-gc`.
 */
export const collectGarbage = async (): Promise<void> => {
  globalThis.gc?.()
  await setImmediate()
  globalThis.gc?.()
}

/** Converts pixels to points of the upright picture (`box`: of the page), and levels slightly slanted lines. */
const toWords = ({ words: seen, degrees, turn }: SeenImage, image: Omit<PageImage, 'pixels'>): Word[] => {
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

/**
 * Renders pages into files and reads them. pdfium and Tesseract run alternately: each needs up to half of the process's
 * memory.
 */
export class Scans {
  readonly #source: PdfSource
  readonly #reader: PageReader
  readonly #images: ImageReader
  /** Undefined for a blank page. */
  readonly #rendered = new Map<number, Stored | undefined | Error>()
  #folder: string | undefined

  constructor(source: PdfSource, reader: PageReader) {
    this.#source = source
    this.#reader = reader
    this.#images = new ImageReader(reader)
  }

  /** Keeps a page's error until `read`; only errors of disk and memory end the rendering. */
  async *render(pages: readonly number[], heartbeat: ExtractEvent): AsyncGenerator<ExtractEvent, void> {
    await this.#reader.rest()
    for (const page of pages) {
      const stored = await this.#render(page).catch((error: Error) => {
        if (isDiskOrMemoryError(error)) throw error
        return error
      })
      this.#rendered.set(page, stored)
      await collectGarbage()
      yield heartbeat
    }
  }

  has(page: number): boolean {
    return this.#rendered.has(page)
  }

  /** Resolves to undefined if the page is blank or was not rendered. Throws if rendering failed. */
  async read(page: number): Promise<Scan | undefined> {
    const stored = this.#rendered.get(page)
    this.#rendered.delete(page)
    if (stored instanceof Error) throw stored
    if (stored === undefined) return undefined
    const { path, ...shape } = stored
    const seen = await this.#images.read({ ...shape, pixels: readFileSync(path) })
    rmSync(path)
    return { parts: layOutWords(toWords(seen, shape)), words: seen.words.length, confidence: seen.confidence }
  }

  async close(): Promise<void> {
    await this.#reader.close()
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Opens pdfium anew, as its memory never shrinks. A method, so that no variable keeps the document. */
  async #render(page: number): Promise<Stored | undefined> {
    const document = await openPdf(this.#source)
    try {
      const image = drawScan(document, page)
      if (!image) return undefined
      this.#folder ??= mkdtempSync(join(tmpdir(), 'cairn-pages-'))
      const { pixels, ...shape } = image
      const path = join(this.#folder, `${page}.gray`)
      writeFileSync(path, pixels)
      return { ...shape, path }
    } finally {
      document.close()
    }
  }
}
