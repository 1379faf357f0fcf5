import type { Clock } from '@cairn/domain/ports/clock'

export type ManualClock = {
  readonly clock: Clock
  /** Advances both clocks and resolves the delays that end meanwhile. */
  pass(ms: number): void
  /** Returns the number of pending delays. */
  waiting(): number
}

/** Creates a clock that advances only when the test calls `pass`. */
export const createManualClock = (startMs = Date.UTC(2026, 0, 1)): ManualClock => {
  let passedMs = 0
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>()
  const delay: Clock['delay'] = (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const wake = () => {
        sleepers.delete(sleeper)
        resolve()
      }
      const sleeper = { until: passedMs + ms, wake }
      sleepers.add(sleeper)
      signal?.addEventListener('abort', wake, { once: true })
    })
  return {
    clock: { now: () => startMs + passedMs, monotonic: () => passedMs, delay },
    pass: (ms) => {
      passedMs += ms
      for (const { until, wake } of [...sleepers].sort((left, right) => left.until - right.until))
        if (until <= passedMs) wake()
    },
    waiting: () => sleepers.size,
  }
}
