/** Time, handed in so that the simulator can own it. */
export interface Clock {
  /** Wall time, milliseconds since the epoch: for what people read, never for due times. */
  now(): number
  /** Milliseconds that only ever go forward: for deadlines and durations. */
  monotonic(): number
  /** Resolves after `ms`, or at once when `signal` is aborted (it never rejects). */
  delay(ms: number, signal?: AbortSignal): Promise<void>
}
