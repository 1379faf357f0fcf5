import { fileSettings } from '@cairn/file-pipeline/config'
import { gatewayConfig } from '@cairn/gateway/config'
import { answererConfig } from '@cairn/runtime/answerer-config'
import { setting, wholeNumber } from '@cairn/runtime/config'
import { embedderConfig } from '@cairn/runtime/embedder-config'
import { tracingConfig } from '@cairn/runtime/tracing/tracing-config'
import * as z from 'zod'

export const standaloneConfig = z.object({
  ...gatewayConfig.shape,
  ...embedderConfig,
  ...answererConfig,
  ...fileSettings,
  ...tracingConfig,
  // Where files lie while they are read; without it, in the data directory.
  scratchDir: setting('CAIRN_SCRATCH_DIR', z.string().min(1).optional()),
  // Where clients reach this process who are given an address for uploads.
  publicUrl: setting('CAIRN_PUBLIC_URL', z.url({ protocol: /^https?$/, error: 'not an http address' }).optional()),
  // Generated and kept in the data directory when unset.
  secret: gatewayConfig.shape.secret.optional().meta({ env: 'CAIRN_SECRET', secret: true }),
  // Everything that lasts: stores, keys, the secret. One process at a time.
  dataDir: setting('CAIRN_DATA_DIR', z.string().default('./data')),
  // Kept free for deletions on the disk of the data directory, of a small disk at most 5 %; as much again is kept from files. 0: nothing is.
  diskReserveMegabytes: setting('CAIRN_DISK_RESERVE_MB', wholeNumber({ min: 0, max: 1_000_000 }).default(64)),
  logLevel: setting('CAIRN_LOG_LEVEL', z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('warn')),
  // Uploads worked on at once.
  ingestionConcurrency: setting('CAIRN_INGESTION_CONCURRENCY', wholeNumber({ min: 1, max: 64 }).default(4)),
  deletionConcurrency: setting('CAIRN_DELETION_CONCURRENCY', wholeNumber({ min: 1, max: 64 }).default(2)),
  // How long records of finished uploads and deletions, and dead letters, are kept.
  jobRetentionDays: setting('CAIRN_JOB_RETENTION_DAYS', wholeNumber({ min: 1, max: 3_650 }).default(30)),
  // Every namespace's points and counts are compared with its items this often.
  auditEveryMinutes: setting('CAIRN_AUDIT_EVERY_MINUTES', wholeNumber({ min: 1, max: 100_000 }).default(60)),
})
