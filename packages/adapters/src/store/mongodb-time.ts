export type StoreTimeOptions = {
  /** Returns the server's time, in milliseconds since the epoch. */
  readonly sample: () => Promise<number>
  /** A monotonic clock, in milliseconds. */
  readonly monotonic?: () => number
  /** The wall clock of this machine, in milliseconds since the epoch. */
  readonly wall?: () => number
}

const sampleEveryMs = 60_000
/**
 * Milliseconds: if the wall clock advances this much more than the monotonic clock, the machine slept and the monotonic
 * clock stopped.
 */
const sleptMs = 1_000

/**
 * Returns a clock that follows the server's time, so that processes agree even if their machines' clocks differ. The
 * clock samples the server once a minute, advances by the monotonic clock in whole milliseconds, and never goes back.
 * Rejects when a due sample fails.
 */
export const storeTime = ({
  sample,
  monotonic = () => performance.now(),
  wall = Date.now,
}: StoreTimeOptions): (() => Promise<number>) => {
  let base: { readonly at: number; readonly takenAt: number; readonly wallAt: number } | undefined
  let sampling: Promise<void> | undefined
  let last = 0

  const take = async () => {
    const askedAt = monotonic()
    const at = await sample()
    // The server read its clock between request and response; the midpoint is the estimate.
    const takenAt = monotonic()
    base = { at: at + (takenAt - askedAt) / 2, takenAt, wallAt: wall() }
  }
  const isDue = () => {
    if (!base) return true
    const age = monotonic() - base.takenAt
    return age >= sampleEveryMs || Math.abs(wall() - base.wallAt - age) > sleptMs
  }
  return async () => {
    if (isDue()) {
      sampling ??= take().finally(() => {
        sampling = undefined
      })
      await sampling
    }
    if (base) last = Math.max(last, Math.floor(base.at + monotonic() - base.takenAt))
    return last
  }
}
