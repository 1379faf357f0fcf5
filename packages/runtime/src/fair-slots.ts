import { AppError } from '@cairn/contracts/errors'
import { clientLeft } from './client-left.ts'

export type FairSlotsOptions = {
  /** At once, in all. */
  readonly size: number
  /** At once, of one owner. */
  readonly perOwner: number
  /** That wait, of one owner; one more is AppError `limited`. */
  readonly waitingPerOwner: number
  /** That wait, in all; one more is AppError `unavailable`. */
  readonly waiting: number
}

export type FairSlots = {
  /**
   * Resolves with the function that gives the slot back; calling it again does nothing. AppError `invalid` once the signal is
   * aborted, also while waiting.
   */
  take(owner: string, signal: AbortSignal): Promise<() => void>
  /** Those that run, and those that wait. */
  counts(): { readonly running: number; readonly waiting: number }
}

type Waiting = { readonly owner: string; readonly begin: () => void }

/** Slots of which no owner can take all, with a short queue that whoever has left is no longer in. */
export const createFairSlots = ({ size, perOwner, waitingPerOwner, waiting }: FairSlotsOptions): FairSlots => {
  const running = new Map<string, number>()
  let used = 0
  let queue: readonly Waiting[] = []
  const isFree = (owner: string) => used < size && (running.get(owner) ?? 0) < perOwner
  const change = (owner: string, by: number) => {
    used += by
    const count = (running.get(owner) ?? 0) + by
    if (count === 0) running.delete(owner)
    else running.set(owner, count)
  }
  const slotOf = (owner: string): (() => void) => {
    change(owner, 1)
    let isBack = false
    return () => {
      if (isBack) return
      isBack = true
      change(owner, -1)
      const next = queue.find((one) => isFree(one.owner))
      if (!next) return
      queue = queue.filter((one) => one !== next)
      next.begin()
    }
  }
  const wait = (owner: string, signal: AbortSignal): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const leave = () => {
        queue = queue.filter((one) => one !== me)
        reject(clientLeft())
      }
      const begin = () => {
        signal.removeEventListener('abort', leave)
        resolve(slotOf(owner))
      }
      const me = { owner, begin }
      signal.addEventListener('abort', leave, { once: true })
      queue = [...queue, me]
    })
  return {
    counts: () => ({ running: used, waiting: queue.length }),
    take: async (owner, signal) => {
      if (signal.aborted) throw clientLeft()
      if (isFree(owner)) return slotOf(owner)
      if (queue.filter((one) => one.owner === owner).length >= waitingPerOwner)
        throw new AppError('limited', 'Too many structured answers of this account are being checked; retry in a moment.', {
          retryAfterSeconds: 2,
        })
      if (queue.length >= waiting)
        throw new AppError('unavailable', 'Too many structured answers are being checked; retry in a moment.', { retryAfterSeconds: 2 })
      return wait(owner, signal)
    },
  }
}
