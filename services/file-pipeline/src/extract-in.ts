import { stat } from 'node:fs/promises'
import type { ReadingLimits } from './config.ts'
import type { Extract } from './deps.ts'
import { runExtractor } from './extract/run-extractor.ts'

const megabyte = 1024 ** 2
/** For whatever has to be started, and for the OCR of a few pages. */
const leastMinutes = 5
/** Ten to twenty scanned pages, the slowest there is, are a megabyte. */
const minutesPerMegabyte = 3

/** How long reading a file of this size may take, in milliseconds: a small one that keeps the parser busy gives its slot back soon. */
export const readingMs = (sizeBytes: number, mostMinutes: number): number =>
  Math.min(mostMinutes, leastMinutes + (minutesPerMegabyte * sizeBytes) / megabyte) * 60_000

/** Reads files in processes of their own. */
export const extractIn = ({ memoryMegabytes, minutes, ocrLanguages }: ReadingLimits): Extract =>
  async function* (request, options) {
    const { size } = await stat(request.path)
    yield* runExtractor(
      { ...request, options: { languages: ocrLanguages, ...request.options } },
      { ...options, memoryBytes: memoryMegabytes * megabyte, limitMs: readingMs(size, minutes) },
    )
  }
