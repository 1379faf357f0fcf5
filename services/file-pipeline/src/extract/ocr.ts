import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { AppError } from '@cairn/contracts/errors'

export type PageReader = {
  /** Reads a page; `confidence` is the mean of the words, 0 to 100. The first call starts the engine. */
  read(png: Buffer): Promise<{ readonly text: string; readonly confidence: number }>
  /** Counter that grows while the engine works. A page can take longer than the heartbeat timeout. */
  steps(): number
  /** Ends the engine, and gives its memory back, until the next page is read. */
  rest(): Promise<void>
  close(): Promise<void>
}

const { resolve } = createRequire(import.meta.url)

/** Returns the path of a language's data, which come only from an installed package. */
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

/** Returns one folder with all languages: tesseract.js requires that, but each package has its own folder. */
const folderOf = (files: readonly string[]): { readonly path: string; readonly remove: () => void } => {
  const [first = '', ...others] = files
  if (others.length === 0) return { path: dirname(first), remove: () => undefined }
  const path = mkdtempSync(join(tmpdir(), 'cairn-ocr-'))
  for (const [index, file] of files.entries())
    copyFileSync(file, join(path, file.slice(dirname(file).length + 1) || String(index)))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Throws AppError `invalid` with the first language that is not installed. */
export const checkLanguages = (languages: readonly string[]): void => {
  for (const language of languages) dataOf(language)
}

/** Creates a reader of page images. Throws AppError `invalid` if a language is not installed. */
export const createPageReader = (languages: readonly string[]): PageReader => {
  if (languages.length === 0) throw new Error('OCR needs a language')
  const files = [...new Set(languages)].map(dataOf)
  let steps = 0

  const start = async () => {
    const { default: tesseract } = await import('tesseract.js')
    const folder = folderOf(files)
    // A language that can't be loaded is only reported to the error handler: the worker promise would never settle.
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
      return await Promise.race([worker, failed.promise])
    } finally {
      folder.remove()
    }
  }
  let started: ReturnType<typeof start> | undefined
  const end = async () => {
    const worker = await started?.catch(() => undefined)
    started = undefined
    await worker?.terminate()
  }

  return {
    async read(png) {
      started ??= start()
      const { data } = await (await started).recognize(png, {}, { text: true })
      return { text: data.text, confidence: Math.min(100, Math.max(0, data.confidence)) }
    },
    steps: () => steps,
    rest: end,
    close: end,
  }
}
