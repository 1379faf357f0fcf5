import type { Clock } from '@cairn/domain/ports/clock'
import type { Logger } from '../process/logger.ts'

export type EveryOptions = {
  readonly clock: Pick<Clock, 'delay'>
  readonly log: Pick<Logger, 'debug' | 'warn'>
  /** No run begins once it is aborted. */
  readonly signal: AbortSignal
}

/**
 * Pauses `ms` before each run; no two run at once. Logs a failure and goes on. Resolves when the signal is aborted and
 * the last run has ended.
 */
export const every = async (
  ms: number,
  name: string,
  task: (signal: AbortSignal) => Promise<unknown>,
  { clock, log, signal }: EveryOptions,
): Promise<void> => {
  while (!signal.aborted) {
    await clock.delay(ms, signal)
    if (signal.aborted) return
    await task(signal).then(
      (result) => log.debug({ task: name, result }, 'task finished'),
      (error: unknown) => log.warn({ task: name, err: error }, 'task failed'),
    )
  }
}
