import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { ExtractEvent } from '../block.ts'
import type { Style } from './characters.ts'
import { isOurs } from './errors.ts'
import { grayPng, type Turn, turned } from './gray-png.ts'
import { layOutWords, type Part } from './layout.ts'
import type { PageReader, SeenWord } from './ocr.ts'
import { openPdf } from './pdfium.ts'
import { boxOfSeen } from './places.ts'
import { drawScan, type PageImage } from './render.ts'
import type { PdfSource } from './source.ts'
import type { Word } from './words.ts'

export type Scan = { readonly parts: readonly Part[]; readonly words: number; readonly confidence: number }

/** Of 100. With less, a page may be turned: garbage has some 50, a clean scan 95. */
const goodConfidence = 75
const turns: readonly Turn[] = [0, 1, 3, 2]

/**
 * Frees the memory of pictures and of pdfium: it is outside V8's heap, so V8 does not collect it by itself. The child
 * runs with `--expose-gc`. The second collection frees what pending tasks still held during the first.
 */
export const collectGarbage = async (): Promise<void> => {
  globalThis.gc?.()
  await setImmediate()
  globalThis.gc?.()
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

type Seen = { readonly words: readonly SeenWord[]; readonly image: Omit<PageImage, 'pixels'>; readonly turn: Turn }

/** Returns seen words as those of a page, in points; the lines of a page turned a little become level. */
const toWords = ({ words: seen, image, turn }: Seen): Word[] => {
  const scale = 72 / image.dpi
  const slopes = seen.flatMap((word, index) => {
    const next = seen[index + 1]
    return next && next.x0 > word.x0 && Math.abs(next.y - word.y) < word.size / 2
      ? [(next.y - word.y) / (next.x0 - word.x0)]
      : []
  })
  const slope = median(slopes)
  const usual = median(seen.map(({ size }) => size)) || 1
  return seen.map(({ text, x0, x1, y, size }, index) => {
    // Heights of the lines of one font differ, by letters and by specks.
    const points = Math.max(1, (Math.abs(size / usual - 1) < 0.35 ? usual : size) * scale)
    const style: Style = { font: '', size: points, isBold: false, isItalic: false, color: 0, mode: 0 }
    const box = boxOfSeen({ x0, x1, y, size: points / scale }, image, turn)
    return { text, x0: x0 * scale, x1: x1 * scale, y: (y - slope * x0) * scale, style, index, box }
  })
}

type Stored = Omit<PageImage, 'pixels'> & { readonly path: string }

/** Reads pictures of pages. pdfium and Tesseract take turns: each needs up to half of the memory of the process. */
export const createScans = (source: PdfSource, reader: PageReader) => {
  /** By page, its picture without the pixels, which are in a file; undefined if it is blank. */
  let rendered = new Map<number, Stored | undefined | Error>()
  /** Turn of the last turned page: a scanner turns all of them. */
  let lastTurn: Turn = 0
  let folder: string | undefined

  /** Opens pdfium for one page, because its memory never shrinks; a separate function, so that no variable keeps it. */
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

  const readAt = async (image: PageImage, turn: Turn) => ({
    ...(await reader.read(grayPng(turned(image, turn), image.dpi))),
    turn,
  })

  /** Reads a picture as it is, or turned if it is read better then. */
  const readTurned = async (image: PageImage): ReturnType<typeof readAt> => {
    let best = await readAt(image, lastTurn)
    for (const turn of turns) {
      if (best.confidence >= goodConfidence) break
      if (turn === lastTurn) continue
      const other = await readAt(image, turn)
      if (other.confidence <= best.confidence) continue
      best = other
      if (other.confidence >= goodConfidence) lastTurn = turn
    }
    return best
  }

  return {
    /** Renders pages that `read` is going to read; yields `sign` after each. */
    async *render(pages: readonly number[], sign: ExtractEvent): AsyncGenerator<ExtractEvent, void> {
      await reader.rest()
      rendered = new Map()
      for (const page of pages) {
        const stored = await render(page).catch((error: Error) => {
          if (isOurs(error)) throw error
          return error
        })
        rendered.set(page, stored)
        await collectGarbage()
        yield sign
      }
    },
    /** Undefined if the page is blank or was not rendered. Throws if it could not be rendered. */
    async read(page: number): Promise<Scan | undefined> {
      const stored = rendered.get(page)
      if (stored instanceof Error) throw stored
      if (stored === undefined) return undefined
      const { path, ...shape } = stored
      const { words, confidence, turn } = await readTurned({ ...shape, pixels: readFileSync(path) })
      rmSync(path)
      return { parts: layOutWords(toWords({ words, image: shape, turn })), words: words.length, confidence }
    },
    async close() {
      await reader.close()
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}
