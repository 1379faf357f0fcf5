/** Provides time, as a dependency, so that the simulator can control it. */
export interface Clock {
  /** Returns wall-clock time in milliseconds since the epoch: for display, never for due times. */
  now(): number
  /** Returns monotonic milliseconds: for deadlines and durations. */
  monotonic(): number
  /** Resolves after `ms`, or at once when `signal` is aborted; it never rejects. */
  delay(ms: number, signal?: AbortSignal): Promise<void>
}
