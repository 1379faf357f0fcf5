import { engineConfig } from '@cairn/adapters/cluster-settings'
import { setting, wholeNumber } from '@cairn/contracts/settings'
import { clusterProcessConfig } from '@cairn/runtime/config/process-config'
import * as z from 'zod'

export const namespaceConfig = z.object({
  ...clusterProcessConfig,
  ...engineConfig,
  // Records of finished uploads and deletions.
  jobRetentionDays: setting('CAIRN_JOB_RETENTION_DAYS', wholeNumber({ min: 1, max: 3_650 }).default(30)),
  // Every namespace's points and counts.
  auditEveryMinutes: setting('CAIRN_AUDIT_EVERY_MINUTES', wholeNumber({ min: 1, max: 100_000 }).default(60)),
})
