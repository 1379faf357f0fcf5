export type StoreTimeOptions = {
  /** The server's time, in milliseconds since the epoch. */
  readonly sample: () => Promise<number>
  readonly monotonic?: () => number
  readonly wall?: () => number
}

const sampleEveryMs = 60_000
/** If the wall clock gains this much on the monotonic clock, the machine slept and the monotonic clock stopped. */
const sleptMs = 1_000

/**
 * Follows the server's time, so that processes agree even if their machines' clocks differ: sampled once a minute,
 * advanced by the monotonic clock in whole milliseconds, never back. Rejects when a due sample fails.
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
