import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { AppError } from '@cairn/contracts/errors'
import type { Line } from 'tesseract.js'

/** Pixels of the picture, y down. */
export type SeenWord = {
  readonly text: string
  readonly x0: number
  readonly x1: number
  /** Baseline at the word. */
  readonly y: number
  readonly size: number
}

export type PageReader = {
  /**
   * `confidence` is the mean of the words, 0 to 100. The first call starts the engine. `isRest` searches for remaining
   * words anywhere and returns only lines of high confidence.
   */
  read(png: Buffer, isRest?: boolean): Promise<{ readonly words: readonly SeenWord[]; readonly confidence: number }>
  /** Accepts every form that Tesseract knows; returns a PNG. */
  gray(picture: Buffer): Promise<Buffer>
  /** Grows while the engine works: a page can take longer than the heartbeat timeout. */
  steps(): number
  /** Frees the engine's memory until the next page is read. */
  rest(): Promise<void>
  close(): Promise<void>
}

const { resolve } = createRequire(import.meta.url)

/** Data comes only from an installed package. */
const dataOf = (language: string): string => {
  try {
    // The language becomes part of a path.
    if (/^[a-z]{3}(?:_[a-z]+)*$/i.test(language))
      return resolve(`@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`)
  } catch {}
  throw new AppError(
    'invalid',
    `The OCR language '${language}' is not installed (package @tesseract.js-data/${language})`,
  )
}

/** tesseract.js requires one folder for all languages, but each package has its own. */
const folderOf = (files: readonly string[]): { readonly path: string; readonly remove: () => void } => {
  const [first = '', ...others] = files
  if (others.length === 0) return { path: dirname(first), remove: () => undefined }
  const path = mkdtempSync(join(tmpdir(), 'cairn-ocr-'))
  for (const [index, file] of files.entries())
    copyFileSync(file, join(path, file.slice(dirname(file).length + 1) || String(index)))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Throws AppError `invalid` if a language is not installed. */
export const checkLanguages = (languages: readonly string[]): void => {
  for (const language of languages) dataOf(language)
}

/** The line height includes ascenders and descenders. */
const fontShare = 0.75

/** 0 to 100, for lines found only in a second pass; specks and backgrounds at the edges have less. */
const minOfRest = 70

const wordsOf = ({ words, baseline, rowAttributes, bbox }: Line): SeenWord[] => {
  const slope = (baseline.y1 - baseline.y0) / Math.max(1, baseline.x1 - baseline.x0)
  const size = (rowAttributes.rowHeight > 0 ? rowAttributes.rowHeight : bbox.y1 - bbox.y0) * fontShare
  return words
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, bbox: { x0, x1 } }) => ({ text, x0, x1, y: baseline.y0 + slope * (x0 - baseline.x0), size }))
}

/** Throws AppError `invalid` if a language is not installed. */
export const createPageReader = (languages: readonly string[]): PageReader => {
  if (languages.length === 0) throw new Error('OCR needs a language')
  const files = [...new Set(languages)].map(dataOf)
  let steps = 0

  const start = async () => {
    const { default: tesseract } = await import('tesseract.js')
    const folder = folderOf(files)
    // If a language can't be loaded, only the error handler is called: the worker promise never settles.
    const failed = Promise.withResolvers<never>()
    failed.promise.catch(() => undefined)
    try {
      const worker = tesseract.createWorker([...new Set(languages)], tesseract.OEM.LSTM_ONLY, {
        langPath: folder.path,
        gzip: true,
        cacheMethod: 'none',
        logger: () => {
          steps += 1
        },
        errorHandler: (reason: unknown) => failed.reject(new Error(`OCR failed: ${String(reason)}`)),
      })
      const ready = await Promise.race([worker, failed.promise])
      return { worker: ready, modes: tesseract.PSM }
    } finally {
      folder.remove()
    }
  }
  let started: ReturnType<typeof start> | undefined
  const end = async () => {
    const running = await started?.catch(() => undefined)
    started = undefined
    await running?.worker.terminate()
  }

  return {
    async read(png, isRest = false) {
      started ??= start()
      const { worker, modes } = await started
      // AUTO finds columns; the default treats a page as one block of text.
      await worker.setParameters({ tessedit_pageseg_mode: isRest ? modes.SPARSE_TEXT : modes.AUTO })
      const { data } = await worker.recognize(png, {}, { blocks: true, text: false })
      const all = (data.blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))
      const lines = isRest ? all.filter(({ confidence }) => confidence >= minOfRest) : all
      // Tesseract also reads text that runs upwards, but with wrong positions: such a picture must be rotated first.
      const sideways = lines.filter(({ baseline: { x0, x1, y0, y1 } }) => Math.abs(y1 - y0) > Math.abs(x1 - x0)).length
      if (sideways > lines.length / 2) return { words: [], confidence: 0 }
      return { words: lines.flatMap(wordsOf), confidence: Math.min(100, Math.max(0, data.confidence)) }
    },
    async gray(picture) {
      started ??= start()
      const { worker, modes } = await started
      await worker.setParameters({ tessedit_pageseg_mode: modes.AUTO_ONLY })
      const { imageGrey } = (await worker.recognize(picture, {}, { text: false, imageGrey: true })).data
      return Buffer.from(String(imageGrey).replace(/^.*?,/, ''), 'base64')
    },
    steps: () => steps,
    rest: end,
    close: end,
  }
}
