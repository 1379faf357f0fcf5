import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { engineConfig } from '@cairn/adapters/cluster-settings'
import { objectEventsConfig } from '@cairn/adapters/file-store/s3/object-events-settings'
import { s3Config } from '@cairn/adapters/file-store/s3/settings'
import { commaList, setting, wholeNumber } from '@cairn/contracts/settings'
import type { HiddenText } from '@cairn/extract/block'
import { checkLanguages } from '@cairn/extract/pdf/ocr/ocr'
import { embedderConfig } from '@cairn/runtime/config/embedder-config'
import { clusterProcessConfig } from '@cairn/runtime/config/process-config'
import { tiersFileSetting } from '@cairn/runtime/config/tiers-config'
import * as z from 'zod'

const installedLanguages = commaList()
  .default(['eng'])
  .superRefine((languages, context) => {
    try {
      checkLanguages(languages)
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
    }
  })

/** Shared by all processes that include the pipeline. */
export const fileSettings = {
  // Files processed at once, plus one of up to 256 kB. Each may take the memory below, and its size on the scratch
  // disk.
  fileConcurrency: setting('CAIRN_FILE_CONCURRENCY', wholeNumber({ min: 1, max: 64 }).default(2)),
  // MiB of resident memory of the process that reads one file. A file that needs more is rejected as too large to
  // process.
  fileMemoryMegabytes: setting('CAIRN_FILE_MEMORY_MB', wholeNumber({ min: 128, max: 16_384 }).default(256)),
  // Limit for reading a file and cutting its text, without waiting for others: 5 plus 3 for each MB, up to this.
  fileMinutes: setting('CAIRN_FILE_MINUTES', wholeNumber({ min: 1, max: 1_440 }).default(60)),
  // An object unknown to the database is removed after this time, if a sweep still finds it.
  orphanDays: setting('CAIRN_ORPHAN_DAYS', wholeNumber({ min: 1, max: 3_650 }).default(7)),
  // The object of a failed file is removed after this time; until then the file can be retried.
  failedFileDays: setting('CAIRN_FAILED_FILE_DAYS', wholeNumber({ min: 1, max: 3_650 }).default(30)),
  // Used when a file does not specify its own; each is a package, `@tesseract.js-data/deu`.
  ocrLanguages: setting('CAIRN_OCR_LANGUAGES', installedLanguages),
  // Text of a PDF or a web page that a human reader does not see, such as white text on white: left out with a note, or
  // kept with a mark.
  hiddenText: setting('CAIRN_HIDDEN_TEXT', z.enum(['leave-out', 'keep']).default('leave-out')),
  scratchDir: setting('CAIRN_SCRATCH_DIR', z.string().min(1).default(join(tmpdir(), 'cairn'))),
}

export const filePipelineConfig = z.object({
  ...clusterProcessConfig,
  ...engineConfig,
  ...embedderConfig,
  ...s3Config,
  ...objectEventsConfig,
  ...fileSettings,
  tiersFile: tiersFileSetting,
})

export type ReadingLimits = {
  /** MiB of resident memory of the process that reads one file. */
  readonly memoryMegabytes: number
  /** `extract-in.ts` shortens it by size. A hostile file could send an event every minute and hold a slot forever. */
  readonly minutes: number
  /** Used when a file does not specify its own. */
  readonly ocrLanguages: readonly string[]
  /** Default `leave-out`. */
  readonly hiddenText?: HiddenText
}

type FileConfig = {
  readonly fileMemoryMegabytes: number
  readonly fileMinutes: number
  readonly ocrLanguages: readonly string[]
  readonly hiddenText: HiddenText
}

export const readingLimits = (config: FileConfig): ReadingLimits => ({
  memoryMegabytes: config.fileMemoryMegabytes,
  minutes: config.fileMinutes,
  ocrLanguages: config.ocrLanguages,
  hiddenText: config.hiddenText,
})
