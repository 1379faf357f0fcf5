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

/** Settings of file processing, shared by all processes that include the pipeline. */
export const fileSettings = {
  // Number of files processed concurrently; one more file of up to 256 kB may run. Each file may take the memory below,
  // and its size on the scratch disk.
  fileConcurrency: setting('CAIRN_FILE_CONCURRENCY', wholeNumber({ min: 1, max: 64 }).default(2)),
  // Memory limit, in MiB of resident memory, of the process that reads one file. A file that needs more is rejected as
  // too large to process.
  fileMemoryMegabytes: setting('CAIRN_FILE_MEMORY_MB', wholeNumber({ min: 128, max: 16_384 }).default(256)),
  // Maximum minutes to read one file and to cut its text, without the time in which it waits for others: 5 plus 3 for
  // each MB, up to this many.
  fileMinutes: setting('CAIRN_FILE_MINUTES', wholeNumber({ min: 1, max: 1_440 }).default(60)),
  // Days after which an object that is unknown to the database is removed, if a sweep still finds it.
  orphanDays: setting('CAIRN_ORPHAN_DAYS', wholeNumber({ min: 1, max: 3_650 }).default(7)),
  // Days after which the object of a failed file is removed; until then the file can be retried.
  failedFileDays: setting('CAIRN_FAILED_FILE_DAYS', wholeNumber({ min: 1, max: 3_650 }).default(30)),
  // Languages of OCR when a file does not specify its own; each is a package, `@tesseract.js-data/deu`.
  ocrLanguages: setting('CAIRN_OCR_LANGUAGES', installedLanguages),
  // Text of a PDF or a web page that a human reader does not see, such as white text on white: left out with a note, or
  // kept with a mark.
  hiddenText: setting('CAIRN_HIDDEN_TEXT', z.enum(['leave-out', 'keep']).default('leave-out')),
  // Folder for files while they are processed.
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
  /** Limit of resident memory, in MiB, of the process that reads one file. */
  readonly memoryMegabytes: number
  /**
   * Maximum time to read a file; `extract-in.ts` shortens it by size. Without it, a hostile file could send an event
   * every minute and hold a slot forever.
   */
  readonly minutes: number
  /** Languages of OCR when a file does not specify its own. */
  readonly ocrLanguages: readonly string[]
  /** Treatment of hidden text; default `leave-out`. */
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
