import * as z from 'zod'
import { setting, wholeNumber } from './config.ts'

/** Settings of every process of the cluster. `port` serves health and metrics, and the API in the gateway. */
export const processConfig = {
  port: setting('PORT', wholeNumber({ min: 0, max: 65_535 }).default(3_000)),
  host: setting('CAIRN_HOST', z.string().default('::')),
  logLevel: setting('CAIRN_LOG_LEVEL', z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info')),
}
