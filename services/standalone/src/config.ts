import { setting, wholeNumber } from '@cairn/contracts/settings'
import { fileSettings } from '@cairn/file-pipeline/config'
import { gatewayConfig } from '@cairn/gateway/config'
import { answererConfig } from '@cairn/runtime/config/answerer-config'
import { embedderConfig } from '@cairn/runtime/config/embedder-config'
import { rerankerConfig } from '@cairn/runtime/config/reranker-config'
import { tracingConfig } from '@cairn/runtime/tracing/tracing-config'
import * as z from 'zod'

export const standaloneConfig = z.object({
  ...gatewayConfig.shape,
  ...embedderConfig,
  ...answererConfig,
  ...rerankerConfig,
  ...fileSettings,
  ...tracingConfig,
  // Files while they are processed. Default: a folder in the data directory.
  scratchDir: setting('CAIRN_SCRATCH_DIR', z.string().min(1).optional()),
  // Generated and kept in the data directory when unset.
  secret: gatewayConfig.shape.secret.optional().meta({ env: 'CAIRN_SECRET', secret: true }),
  // All durable data: stores, keys, the secret. Only one process at a time can use it.
  dataDir: setting('CAIRN_DATA_DIR', z.string().default('./data')),
  // Reserved for deletions, at most 5 % of the disk; files must leave the same amount above it. 0: no reserve.
  diskReserveMegabytes: setting('CAIRN_DISK_RESERVE_MB', wholeNumber({ min: 0, max: 1_000_000 }).default(64)),
  logLevel: setting('CAIRN_LOG_LEVEL', z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('warn')),
  ingestionConcurrency: setting('CAIRN_INGESTION_CONCURRENCY', wholeNumber({ min: 1, max: 64 }).default(4)),
  deletionConcurrency: setting('CAIRN_DELETION_CONCURRENCY', wholeNumber({ min: 1, max: 64 }).default(2)),
  // Records of finished uploads and deletions.
  jobRetentionDays: setting('CAIRN_JOB_RETENTION_DAYS', wholeNumber({ min: 1, max: 3_650 }).default(30)),
  // Every namespace's points and counts.
  auditEveryMinutes: setting('CAIRN_AUDIT_EVERY_MINUTES', wholeNumber({ min: 1, max: 100_000 }).default(60)),
})
