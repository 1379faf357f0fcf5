import { createOwnerQueue } from '@cairn/contracts/flow/owner-queue'
import { clientLeft } from '../http/client-left.ts'
import { waitInQueue } from './wait-in-queue.ts'

/** Rounds of the event loop; a small request is answered in about three. */
const roundsBetween = 3

export type Turns = {
  /**
   * Resolves when the owner may occupy the event loop for a moment, to parse or check a large body. Owners take turns,
   * and small requests run in between. Throws AppError `invalid` once the signal is aborted.
   */
  take(owner: string, signal: AbortSignal): Promise<void>
}

export const createTurns = (): Turns => {
  const waiting = createOwnerQueue<() => void>()
  let isRunning = false
  const afterRounds = (rounds: number, then: () => void): void =>
    void setImmediate(() => (rounds <= 1 ? then() : afterRounds(rounds - 1, then)))
  const runNext = (): void => {
    const begin = waiting.take()
    if (!begin) {
      isRunning = false
      return
    }
    begin()
    afterRounds(roundsBetween, runNext)
  }
  return {
    take: async (owner, signal) => {
      if (signal.aborted) throw clientLeft()
      const { begun, begin } = waitInQueue<void>({ signal })
      waiting.add(owner, begin)
      if (!isRunning) setImmediate(runNext)
      isRunning = true
      return begun
    },
  }
}

/** Shared, because there is only one event loop. */
export const turns: Turns = createTurns()
