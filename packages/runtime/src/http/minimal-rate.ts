type RateOptions = {
  readonly windowMs: number
  readonly minBytesPerSecond: number
  /** Default: `windowMs`. */
  readonly firstWindowMs?: number
  /** Already moved when the watch begins. Default 0. */
  readonly fromBytes?: number
}

/** Judges each window by itself: a few fast megabytes must not compensate for hours of standstill. */
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
    /** Time until the open window ends. */
    leftMs,
    /** Returns whether the window just ended moved too few of the bytes so far; false while it is open. */
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
