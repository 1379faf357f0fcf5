import { clusterConfig } from '@cairn/runtime/cluster-config'
import { setting, wholeNumber } from '@cairn/runtime/config'
import { s3Config } from '@cairn/runtime/s3-config'
import * as z from 'zod'

export const deletionConfig = z.object({
  ...clusterConfig,
  ...s3Config,
  // Concurrent deletions.
  concurrency: setting('CAIRN_DELETION_CONCURRENCY', wholeNumber({ min: 1, max: 64 }).default(2)),
})
