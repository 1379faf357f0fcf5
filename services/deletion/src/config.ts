import { engineConfig } from '@cairn/adapters/cluster-settings'
import { s3Config } from '@cairn/adapters/file-store/s3/settings'
import { setting, wholeNumber } from '@cairn/contracts/settings'
import { clusterProcessConfig } from '@cairn/runtime/config/process-config'
import * as z from 'zod'

export const deletionConfig = z.object({
  ...clusterProcessConfig,
  ...engineConfig,
  ...s3Config,
  concurrency: setting('CAIRN_DELETION_CONCURRENCY', wholeNumber({ min: 1, max: 64 }).default(2)),
})
