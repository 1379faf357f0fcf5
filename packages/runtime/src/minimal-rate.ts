export type RateWatch = {
  /** Given what has been moved in all, in bytes: whether the window that has just ended had too little. False while it is open. */
  isTooSlow(totalBytes: number): boolean
  /** Milliseconds until the open window ends. */
  leftMs(): number
}

type RateOptions = {
  readonly windowMs: number
  readonly minBytesPerSecond: number
  /** Of the first window, milliseconds. Default: that of the others. */
  readonly firstWindowMs?: number
  /** What had been moved when the watch began. Default 0. */
  readonly fromBytes?: number
}

/**
 * Judges each window for itself: what was moved before it does not pay for a standstill in it, so that a few fast megabytes do not
 * buy hours.
 */
export const createRateWatch = ({ windowMs, minBytesPerSecond, firstWindowMs = windowMs, fromBytes = 0 }: RateOptions): RateWatch => {
  let lengthMs = firstWindowMs
  let since = performance.now()
  let before = fromBytes
  const leftMs = () => since + lengthMs - performance.now()
  return {
    leftMs,
    isTooSlow: (totalBytes) => {
      if (leftMs() > 0) return false
      const isTooSlow = totalBytes - before < (lengthMs / 1_000) * minBytesPerSecond
      since = performance.now()
      before = totalBytes
      lengthMs = windowMs
      return isTooSlow
    },
  }
}
