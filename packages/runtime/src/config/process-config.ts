import { type ConfigRule, setting } from '@cairn/contracts/settings'
import * as z from 'zod'
import { tracingConfig, tracingRule } from '../tracing/tracing-config.ts'
import { embedderRule } from './embedder-config.ts'
import { listenConfig } from './listen-config.ts'

/** `port` serves health and metrics; in the gateway, it also serves the API. */
export const processConfig = {
  ...listenConfig({ port: 3_000 }),
  logLevel: setting('CAIRN_LOG_LEVEL', z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info')),
}

/** Excludes the settings of engines. */
export const clusterProcessConfig = { ...processConfig, ...tracingConfig }

/** Models and traces have settings that must be set together. */
export const processRules: readonly ConfigRule[] = [embedderRule, tracingRule]
