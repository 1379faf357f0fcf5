import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clusterConfig } from '@cairn/runtime/cluster-config'
import { setting, wholeNumber } from '@cairn/runtime/config'
import { embedderConfig } from '@cairn/runtime/embedder-config'
import { objectEventsConfig } from '@cairn/runtime/object-events-config'
import { s3Config } from '@cairn/runtime/s3-config'
import { tiersFileSetting } from '@cairn/runtime/tiers'
import * as z from 'zod'

/** Reading of files, in whatever process it is. */
export const fileSettings = {
  // Files read at once. Each may take the memory below, and its size on the scratch disk.
  fileConcurrency: setting('CAIRN_FILE_CONCURRENCY', wholeNumber({ min: 1, max: 64 }).default(2)),
  // Resident memory of the process that reads one file; what needs more is too large to process.
  fileMemoryMegabytes: setting('CAIRN_FILE_MEMORY_MB', wholeNumber({ min: 128, max: 16_384 }).default(256)),
  // Where files lie while they are read.
  scratchDir: setting('CAIRN_SCRATCH_DIR', z.string().min(1).default(join(tmpdir(), 'cairn'))),
}

export const filePipelineConfig = z.object({
  ...clusterConfig,
  ...embedderConfig,
  ...s3Config,
  ...objectEventsConfig,
  ...fileSettings,
  tiersFile: tiersFileSetting,
})
