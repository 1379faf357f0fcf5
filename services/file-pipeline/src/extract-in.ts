import type { Extract } from './deps.ts'
import { runExtractor } from './extract/run-extractor.ts'

/** Reads files in processes of their own, each with so much resident memory. */
export const extractIn =
  (megabytes: number): Extract =>
  (request, options) =>
    runExtractor(request, { ...options, memoryBytes: megabytes * 1024 ** 2 })
