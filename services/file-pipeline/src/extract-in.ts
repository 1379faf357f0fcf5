import { stat } from 'node:fs/promises'
import { runExtractor } from '@cairn/extract/child/run-extractor'
import type { ReadingLimits } from './config.ts'
import type { Extract } from './deps.ts'

const megabyte = 1024 ** 2
/** Enough to start the process and to read a few pages with OCR. */
const minMinutes = 5
/** A megabyte has ten to twenty scanned pages, the slowest content. */
const minutesPerMegabyte = 3

/** A small file that keeps the parser busy must release its slot soon. */
export const readingMs = (sizeBytes: number, maxMinutes: number): number =>
  Math.min(maxMinutes, minMinutes + (minutesPerMegabyte * sizeBytes) / megabyte) * 60_000

/** Reads each file in a separate process. */
export const extractIn = ({
  memoryMegabytes,
  minutes,
  ocrLanguages,
  hiddenText = 'leave-out',
}: ReadingLimits): Extract =>
  async function* (request, options) {
    const { size } = await stat(request.path)
    yield* runExtractor(
      { ...request, options: { languages: ocrLanguages, hiddenText, ...request.options } },
      { ...options, memoryBytes: memoryMegabytes * megabyte, limitMs: readingMs(size, minutes) },
    )
  }
