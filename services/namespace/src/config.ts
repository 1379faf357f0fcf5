import { clusterConfig } from '@cairn/runtime/cluster-config'
import { setting, wholeNumber } from '@cairn/runtime/config'
import * as z from 'zod'

export const namespaceConfig = z.object({
  ...clusterConfig,
  // How long records of finished uploads and deletions, and dead letters, are kept.
  jobRetentionDays: setting('CAIRN_JOB_RETENTION_DAYS', wholeNumber({ min: 1, max: 3_650 }).default(30)),
  // Every namespace's points and counts are compared with its items this often.
  auditEveryMinutes: setting('CAIRN_AUDIT_EVERY_MINUTES', wholeNumber({ min: 1, max: 100_000 }).default(60)),
})
