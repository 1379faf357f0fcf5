import { setTimeout as delay } from 'node:timers/promises'
import { isAppError } from '@cairn/contracts/errors'

export type Patience = {
  /** How long a server that says "later" is asked again. */
  readonly giveUpAfterMs: number
  /** Between two looks at something that is under way. */
  readonly pollEveryMs: number
  readonly signal: AbortSignal
}

const longestWaitMs = 5_000

/** Asks again while the server answers 503 with `Retry-After`: it does so until its model is there. */
export const patiently = async <T>({ giveUpAfterMs, pollEveryMs, signal }: Patience, ask: () => Promise<T>): Promise<T> => {
  const until = performance.now() + giveUpAfterMs
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!isAppError(error, 'unavailable') || error.retryAfterSeconds === undefined || performance.now() >= until) throw error
      await delay(Math.max(pollEveryMs, Math.min(error.retryAfterSeconds * 1_000, longestWaitMs)), undefined, { signal })
    }
  }
}
