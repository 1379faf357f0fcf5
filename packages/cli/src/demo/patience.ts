import { setTimeout as delay } from 'node:timers/promises'
import { CairnError } from '@cairn/client'

export type Patience = {
  /** For retries while the server responds 503 with `Retry-After`. */
  readonly giveUpAfterMs: number
  readonly pollEveryMs: number
  readonly signal: AbortSignal
}

const maxWaitMs = 5_000

const retryAfterSeconds = (error: unknown): number | undefined =>
  error instanceof CairnError && error.code === 'unavailable' ? error.retryAfterSeconds : undefined

/** Retries a 503 that has `Retry-After`, for example while the model loads, until `giveUpAfterMs`. */
export const patiently = async <T>(
  { giveUpAfterMs, pollEveryMs, signal }: Patience,
  run: () => Promise<T>,
): Promise<T> => {
  const until = performance.now() + giveUpAfterMs
  for (;;) {
    try {
      return await run()
    } catch (error) {
      const seconds = retryAfterSeconds(error)
      if (seconds === undefined || performance.now() >= until) throw error
      await delay(Math.max(pollEveryMs, Math.min(seconds * 1_000, maxWaitMs)), undefined, { signal })
    }
  }
}
