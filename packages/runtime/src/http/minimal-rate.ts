type RateOptions = {
  readonly windowMs: number
  readonly minBytesPerSecond: number
  /** Milliseconds of the first window. Default: `windowMs`. */
  readonly firstWindowMs?: number
  /** Bytes already moved when the watch begins. Default 0. */
  readonly fromBytes?: number
}

/**
 * Watches a minimum transfer rate. Each window is judged by itself: a few fast megabytes must not compensate for hours
 * of standstill.
 */
export const createRateWatch = ({
  windowMs,
  minBytesPerSecond,
  firstWindowMs = windowMs,
  fromBytes = 0,
}: RateOptions) => {
  let lengthMs = firstWindowMs
  let since = performance.now()
  let before = fromBytes
  const leftMs = () => since + lengthMs - performance.now()
  return {
    /** Milliseconds until the open window ends. */
    leftMs,
    /**
     * Takes the total of bytes moved so far. Returns whether too few bytes were moved in the window that just ended;
     * false while the window is open.
     */
    isTooSlow: (totalBytes: number): boolean => {
      if (leftMs() > 0) return false
      const isTooSlow = totalBytes - before < (lengthMs / 1_000) * minBytesPerSecond
      since = performance.now()
      before = totalBytes
      lengthMs = windowMs
      return isTooSlow
    },
  }
}

export type RateWatch = ReturnType<typeof createRateWatch>
