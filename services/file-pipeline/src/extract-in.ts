import type { ReadingLimits } from './config.ts'
import type { Extract } from './deps.ts'
import { runExtractor } from './extract/run-extractor.ts'

/** Reads files in processes of their own. */
export const extractIn =
  ({ memoryMegabytes, minutes, ocrLanguages }: ReadingLimits): Extract =>
  (request, options) =>
    runExtractor(
      { ...request, options: { languages: ocrLanguages, ...request.options } },
      { ...options, memoryBytes: memoryMegabytes * 1024 ** 2, limitMs: minutes * 60_000 },
    )
