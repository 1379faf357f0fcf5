/** Stages of one request. A stage that runs twice is added up. */
export type Timings = {
  /** Adds the duration to `stage`, also when `work` fails. */
  time<T>(stage: string, work: () => Promise<T> | T): Promise<T>
  elapsedMs(): number
  /** Returns seconds to the microsecond, with `total` since the request arrived. */
  seconds(): Record<string, number>
}

const toSeconds = (ms: number): number => Math.round(ms * 1_000) / 1e6

export const secondsOf = (times: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(times).map(([stage, ms]) => [stage, toSeconds(ms)]))

export const createTimings = (clock: { monotonic(): number }): Timings => {
  const startedAt = clock.monotonic()
  const stages = new Map<string, number>()
  const elapsedMs = () => clock.monotonic() - startedAt
  return {
    time: async (stage, work) => {
      const from = clock.monotonic()
      try {
        return await work()
      } finally {
        stages.set(stage, (stages.get(stage) ?? 0) + clock.monotonic() - from)
      }
    },
    elapsedMs,
    seconds: () => ({ ...secondsOf(Object.fromEntries(stages)), total: toSeconds(elapsedMs()) }),
  }
}
