import type { Lane } from './metadata/records.ts'

/**
 * The slots of a pool: one per job that may run at once, and one more for short jobs only. No account gets all of them,
 * so a short job of another account finds a free slot.
 */
export type JobSlots = {
  /** Lanes in which some job may be started. */
  lanes(): readonly Lane[]
  /** Whether a job of this account and lane may be started. */
  isFreeFor(account: string, lane: Lane): boolean
  /** Takes a slot. Returns the function that frees it; calling that again does nothing. */
  take(account: string, lane: Lane): () => void
  /** Free slots, without the one for short jobs. */
  free(): number
}

const lanes: readonly Lane[] = ['short', 'long']

/** `size`: how many jobs of one account, and how many long ones, may run at once. */
export const createJobSlots = (size: number): JobSlots => {
  const running = new Map<string, number>()
  let all = 0
  let long = 0
  const change = (account: string, lane: Lane, by: number) => {
    all += by
    if (lane === 'long') long += by
    const count = (running.get(account) ?? 0) + by
    if (count === 0) running.delete(account)
    else running.set(account, count)
  }
  const isOpen = (lane: Lane) => all <= size && (lane === 'short' || long < size)
  return {
    lanes: () => lanes.filter(isOpen),
    isFreeFor: (account, lane) => isOpen(lane) && (running.get(account) ?? 0) < size,
    take: (account, lane) => {
      change(account, lane, 1)
      let isBack = false
      return () => {
        if (!isBack) change(account, lane, -1)
        isBack = true
      }
    },
    free: () => Math.max(0, size - all),
  }
}
