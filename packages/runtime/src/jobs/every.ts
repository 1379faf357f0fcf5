import type { Clock } from '@cairn/domain/ports/clock'
import type { Logger } from '../process/logger.ts'

export type EveryOptions = {
  readonly clock: Pick<Clock, 'delay'>
  readonly log: Pick<Logger, 'debug' | 'warn'>
  /** Passed to each run. Once the signal is aborted, no other run begins. */
  readonly signal: AbortSignal
}

/**
 * Runs a task again and again, with a pause of `ms` before each run, so that no two run at once. A failure is logged and
 * does not stop the repetition. Resolves when the signal is aborted and the last run has ended.
 *
 *     const running = every(5_000, 'sweep', sweep, { clock, log, signal: stopped.signal })
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
