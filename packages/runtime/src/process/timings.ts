/** Times of the stages of one request. The times of a stage that runs twice are added. */
export type Timings = {
  /** Runs `work` and adds its duration to `stage`, also when it fails. */
  time<T>(stage: string, work: () => Promise<T> | T): Promise<T>
  elapsedMs(): number
  /** Seconds by stage, to the microsecond, with `total` since the request arrived. */
  seconds(): Record<string, number>
}

/** Rounds to the microsecond. */
const toSeconds = (ms: number): number => Math.round(ms * 1_000) / 1e6

/** Converts milliseconds by stage to seconds. */
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
