import { createHoldings } from './holdings.ts'
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
  const running = createHoldings()
  const byLane = createHoldings()
  const isOpen = (lane: Lane) => running.total() <= size && (lane === 'short' || byLane.of('long') < size)
  return {
    lanes: () => lanes.filter(isOpen),
    isFreeFor: (account, lane) => isOpen(lane) && running.of(account) < size,
    take: (account, lane) => {
      const giveBack = [running.hold(account), byLane.hold(lane)]
      return () => {
        for (const one of giveBack) one()
      }
    },
    free: () => Math.max(0, size - running.total()),
  }
}
