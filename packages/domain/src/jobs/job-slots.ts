import { createHoldings } from './holdings.ts'
import type { Lane } from './record.ts'

const lanes: readonly Lane[] = ['short', 'long']

/**
 * Creates the slots of a pool: `size` slots for any job, and one more for short jobs only. One account, and long jobs
 * together, can hold at most `size` slots, so a short job of another account finds a free slot.
 */
export const createJobSlots = (size: number) => {
  const running = createHoldings()
  const byLane = createHoldings()
  const isOpen = (lane: Lane) => running.total() <= size && (lane === 'short' || byLane.of('long') < size)
  return {
    /** Returns the lanes in which a job may be started. */
    lanes: (): readonly Lane[] => lanes.filter(isOpen),
    /** Whether a job of this account and lane may be started. */
    isFreeFor: (account: string, lane: Lane): boolean => isOpen(lane) && running.of(account) < size,
    /** Takes a slot. Returns the function that frees it; calling that function again does nothing. */
    take: (account: string, lane: Lane): (() => void) => {
      const giveBack = [running.hold(account), byLane.hold(lane)]
      return () => {
        for (const one of giveBack) one()
      }
    },
    /** Returns the number of free slots, not counting the slot for short jobs. */
    free: (): number => Math.max(0, size - running.total()),
  }
}

export type JobSlots = ReturnType<typeof createJobSlots>
