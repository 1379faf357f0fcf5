export type StoreTimeOptions = {
  /** Asks the server for its time, in milliseconds since the epoch. */
  readonly sample: () => Promise<number>
  /** Milliseconds that only go forward. */
  readonly monotonic?: () => number
  /** This machine's time of day. */
  readonly wall?: () => number
}

const sampleEveryMs = 60_000
/** The time of day ran on by so much more than the monotonic clock: the machine slept, and that clock with it. */
const sleptMs = 1_000

/**
 * The server's time, sampled once a minute and carried on by the monotonic clock, so that processes agree though their clocks do
 * not. In whole milliseconds; it stands still rather than go back. Rejects when a sample that is due can't be had.
 */
export const storeTime = ({ sample, monotonic = () => performance.now(), wall = Date.now }: StoreTimeOptions): (() => Promise<number>) => {
  let base: { readonly at: number; readonly takenAt: number; readonly wallAt: number } | undefined
  let sampling: Promise<void> | undefined
  let last = 0

  const take = async () => {
    const askedAt = monotonic()
    const at = await sample()
    // The server looked at its clock somewhere between the question and the answer.
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
