import { isAppError } from '@cairn/contracts/errors'
import type { Clock } from '@cairn/domain/ports/clock'

const pausesMs = [200, 600]

/**
 * Retries one call to an engine while the engine is `unavailable`: three attempts within about a second. Wrap a single
 * call that may be repeated, never a sequence of calls.
 *
 *     const states = await retryUnavailable(clock, () => metadata.items.latestStates(namespaceId, ids))
 */
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

/**
 * Returns the delay before the next retry: 1 s, doubled per retry up to 15 s, with up to half of it random so that
 * workers do not retry together. `random` is 0 to 1.
 */
export const backoffMs = (retries: number, random: number): number => {
  const ms = Math.min(15_000, 1_000 * 2 ** Math.min(retries, 10))
  return Math.round(ms / 2 + (ms / 2) * random)
}
