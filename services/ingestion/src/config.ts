import { engineConfig } from '@cairn/adapters/cluster-settings'
import { setting, wholeNumber } from '@cairn/contracts/settings'
import { embedderConfig } from '@cairn/runtime/config/embedder-config'
import { clusterProcessConfig } from '@cairn/runtime/config/process-config'
import * as z from 'zod'

export const ingestionConfig = z.object({
  ...clusterProcessConfig,
  ...engineConfig,
  ...embedderConfig,
  // Uploads, and batches of chunks of files.
  concurrency: setting('CAIRN_INGESTION_CONCURRENCY', wholeNumber({ min: 1, max: 64 }).default(4)),
  // One of the processes runs each audit.
  auditEveryMinutes: setting('CAIRN_AUDIT_EVERY_MINUTES', wholeNumber({ min: 1, max: 100_000 }).default(60)),
})
