import { createHoldings } from './holdings.ts'
import type { Lane } from './record.ts'

const lanes: readonly Lane[] = ['short', 'long']

/**
 * `size` slots for any job, and one for short jobs: neither one account nor long jobs together can hold that one, so a
 * short job of another account finds a free slot.
 */
export const createJobSlots = (size: number) => {
  const running = createHoldings()
  const byLane = createHoldings()
  const isOpen = (lane: Lane) => running.total() <= size && (lane === 'short' || byLane.of('long') < size)
  return {
    /** Lanes in which a job may be started. */
    lanes: (): readonly Lane[] => lanes.filter(isOpen),
    isFreeFor: (account: string, lane: Lane): boolean => isOpen(lane) && running.of(account) < size,
    /** Returns the function that frees the slot; it may be called again. */
    take: (account: string, lane: Lane): (() => void) => {
      const giveBack = [running.hold(account), byLane.hold(lane)]
      return () => {
        for (const one of giveBack) one()
      }
    },
    /** Leaves out the slot for short jobs. */
    free: (): number => Math.max(0, size - running.total()),
  }
}

export type JobSlots = ReturnType<typeof createJobSlots>
