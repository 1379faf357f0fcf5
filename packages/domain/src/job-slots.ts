import type { Lane } from '@cairn/ports/metadata/port'

/**
 * The slots of a pool: as many as jobs may run at once, and one more that only short jobs get. No account has all of them, so that a
 * short job of another one finds a free slot.
 */
export type JobSlots = {
  /** Lanes of which some job may be started. */
  lanes(): readonly Lane[]
  /** Whether a job of this account and lane may be started. */
  isFreeFor(account: string, lane: Lane): boolean
  /** Returns the function that gives the slot back; calling it again does nothing. */
  take(account: string, lane: Lane): () => void
  /** Without the one for short jobs. */
  free(): number
}

const lanes: readonly Lane[] = ['short', 'long']

/** `size`: jobs at once, of one account and of long ones. */
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
