/** A dependency, so that the simulator controls time. */
export interface Clock {
  /** Milliseconds since the epoch: for display, never for due times. */
  now(): number
  /** Milliseconds: for deadlines and durations. */
  monotonic(): number
  /** Resolves after `ms`, or at once when aborted; never rejects. */
  delay(ms: number, signal?: AbortSignal): Promise<void>
}
