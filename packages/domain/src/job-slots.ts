import { createHoldings } from './holdings.ts'
import type { Lane } from './metadata/records.ts'

const lanes: readonly Lane[] = ['short', 'long']

/**
 * Creates the slots of a pool: one per job that may run at once, and one more for short jobs only. No account gets all
 * of them, so a short job of another account finds a free slot. `size`: how many jobs of one account, and how many long
 * ones, may run at once.
 */
export const createJobSlots = (size: number) => {
  const running = createHoldings()
  const byLane = createHoldings()
  const isOpen = (lane: Lane) => running.total() <= size && (lane === 'short' || byLane.of('long') < size)
  return {
    /** Returns the lanes in which some job may be started. */
    lanes: (): readonly Lane[] => lanes.filter(isOpen),
    /** Whether a job of this account and lane may be started. */
    isFreeFor: (account: string, lane: Lane): boolean => isOpen(lane) && running.of(account) < size,
    /** Takes a slot. Returns the function that frees it; calling that again does nothing. */
    take: (account: string, lane: Lane): (() => void) => {
      const giveBack = [running.hold(account), byLane.hold(lane)]
      return () => {
        for (const one of giveBack) one()
      }
    },
    /** Returns the number of free slots, without the one for short jobs. */
    free: (): number => Math.max(0, size - running.total()),
  }
}

export type JobSlots = ReturnType<typeof createJobSlots>
