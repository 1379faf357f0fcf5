import * as z from 'zod'
import { setting } from './config.ts'
import { listenConfig } from './listen-config.ts'

/** Settings of every process of the cluster. `port` serves health and metrics, and the API in the gateway. */
export const processConfig = {
  ...listenConfig({ port: 3_000 }),
  logLevel: setting('CAIRN_LOG_LEVEL', z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info')),
}
