import * as z from 'zod'
import { setting, wholeNumber } from './config.ts'

/** What every process of the cluster has; `port` is that of its health and metrics, and of the API for the gateway. */
export const processConfig = {
  port: setting('PORT', wholeNumber({ min: 0, max: 65_535 }).default(3_000)),
  host: setting('CAIRN_HOST', z.string().default('::')),
  logLevel: setting('CAIRN_LOG_LEVEL', z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info')),
}
