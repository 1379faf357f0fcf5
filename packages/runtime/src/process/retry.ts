import { isAppError } from '@cairn/contracts/errors'
import type { Clock } from '@cairn/domain/ports/clock'

const pausesMs = [200, 600]

/** Makes three attempts within about a second while the engine is `unavailable`. Wrap one call, not several. */
export const retryUnavailable = async <T>(clock: Clock, call: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call()
    } catch (error) {
      const pauseMs = pausesMs[attempt]
      if (pauseMs === undefined || signal?.aborted || !isAppError(error, 'unavailable')) throw error
      await clock.delay(pauseMs, signal)
    }
  }
}

/** Doubles 1 s per retry, up to 15 s; up to half is `random` (0 to 1), so that workers do not retry together. */
export const backoffMs = (retries: number, random: number): number => {
  const ms = Math.min(15_000, 1_000 * 2 ** Math.min(retries, 10))
  return Math.round(ms / 2 + (ms / 2) * random)
}
