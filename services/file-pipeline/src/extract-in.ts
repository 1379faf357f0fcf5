import type { Extract } from './deps.ts'
import { runExtractor } from './extract/run-extractor.ts'

export type ReadingLimits = {
  /** Resident memory, in MiB, of the process that reads one file. */
  readonly memoryMegabytes: number
  /** How long it may be waited for in all. A file made to keep us busy says something once a minute, and would hold a place for ever. */
  readonly minutes: number
  /** Of the OCR, where a file does not name its own. */
  readonly ocrLanguages: readonly string[]
}

/** Reads files in processes of their own. */
export const extractIn =
  ({ memoryMegabytes, minutes, ocrLanguages }: ReadingLimits): Extract =>
  (request, options) =>
    runExtractor(
      { ...request, options: { languages: ocrLanguages, ...request.options } },
      { ...options, memoryBytes: memoryMegabytes * 1024 ** 2, limitMs: minutes * 60_000 },
    )
