import { setImmediate } from 'node:timers/promises'

/** Counts the steps of an engine that have begun and not ended. */
export const stepsUnderWay = () => {
  let running = 0
  return {
    began: (): void => {
      running += 1
    },
    ended: (): void => {
      running -= 1
    },
    /**
     * Resolves once no step is in progress. Waits for a turn of the event loop first, because consecutive steps have
     * gaps.
     */
    quiet: async (): Promise<void> => {
      do await setImmediate()
      while (running > 0)
    },
  }
}
