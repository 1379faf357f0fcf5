import { AppError } from '@cairn/contracts/errors'

/** A bounded number of places, given out in the order they were asked for. */
export type Slots = {
  readonly size: number
  free(): number
  /** Resolves once a place is free, without taking it. */
  whenFree(): Promise<void>
  /**
   * Resolves with the function that gives the place back; calling it again does nothing.
   * AppError `unavailable` once `signal` is aborted, also while waiting.
   */
  take(signal?: AbortSignal): Promise<() => void>
}

const ended = () => new AppError('unavailable', 'no more work is taken')

export const createSlots = (size: number): Slots => {
  let taken = 0
  const takers: (() => void)[] = []
  const watchers: (() => void)[] = []
  const giveBack = () => {
    // Handed over, not freed: between freeing and waking, somebody else could take it.
    const next = takers.shift()
    if (next) return next()
    taken -= 1
    for (const wake of watchers.splice(0)) wake()
  }
  const wait = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const taker = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        takers.splice(takers.indexOf(taker), 1)
        reject(ended())
      }
      signal?.addEventListener('abort', leave, { once: true })
      takers.push(taker)
    })
  return {
    size,
    free: () => size - taken,
    whenFree: async () => {
      while (taken >= size) await new Promise<void>((resolve) => watchers.push(resolve))
    },
    take: async (signal) => {
      if (signal?.aborted) throw ended()
      if (taken < size) taken += 1
      else await wait(signal)
      let given = false
      return () => {
        if (given) return
        given = true
        giveBack()
      }
    },
  }
}
