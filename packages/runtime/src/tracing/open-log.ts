import { createLogger, type Logger, type LoggerOptions } from '../process/logger.ts'
import { openTracing } from './open-tracing.ts'
import type { Tracing } from './tracing.ts'
import type { TracingSettings } from './tracing-config.ts'

/** Lines have the ids of the active span; failed exports of spans are logged. */
export const openLog = async (
  settings: TracingSettings & { readonly logLevel: LoggerOptions['level'] },
  name: string,
): Promise<{ readonly log: Logger; readonly tracing: Tracing }> => {
  const tracing = await openTracing(settings, name)
  const facts = tracing.on ? tracing.ids : undefined
  const log = createLogger({ level: settings.logLevel, name, pretty: process.stdout.isTTY, facts })
  tracing.reportTo(log)
  return { log, tracing }
}
