import { type ConfigRule, commaList, secret, setting, wholeNumber } from '@cairn/contracts/settings'
import { answererConfig } from '@cairn/runtime/config/answerer-config'
import { listenConfig } from '@cairn/runtime/config/listen-config'
import { isLoopback } from '@cairn/runtime/http/own-address'
import * as z from 'zod'

export const edgeConfig = z.object({
  ...listenConfig({ port: 8_080 }),
  // Every client must send it as x-api-key. Unset: only programs of this machine are admitted.
  key: secret('CAIRN_EDGE_KEY', z.string().min(16, 'must be at least 16 characters').optional()),
  // Folder of the store's file, or the file itself.
  dataDir: setting('CAIRN_DATA_DIR', z.string().default('./data')),
  file: setting('CAIRN_EDGE_DATA', z.string().min(1).optional()),
  maxItems: setting('CAIRN_EDGE_MAX_ITEMS', wholeNumber({ min: 1, max: 100_000 }).default(10_000)),
  // Published clients send a whole catalog in one request: 10,000 vectors of 1,536 dimensions are 300 MB of JSON.
  maxUploadMegabytes: setting('CAIRN_EDGE_MAX_UPLOAD_MB', wholeNumber({ min: 1, max: 500 }).default(400)),
  // None by default: any page open on this machine could read the store.
  corsOrigins: setting('CAIRN_EDGE_CORS_ORIGINS', commaList().default([])),
  logLevel: setting('CAIRN_LOG_LEVEL', z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info')),
  ...answererConfig,
})

export type EdgeConfig = z.output<typeof edgeConfig>

export const edgeRule: ConfigRule = ({ host, key }) =>
  typeof host !== 'string' || isLoopback(host) || key !== undefined
    ? []
    : ['CAIRN_EDGE_KEY: is required where CAIRN_HOST is more than this machine']
