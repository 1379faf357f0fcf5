import { AppError } from '@cairn/contracts/errors'
import { createHoldings } from '@cairn/domain/jobs/holdings'
import { clientLeft } from '../http/client-left.ts'
import { waitInQueue } from './wait-in-queue.ts'

type FairSlotsOptions = {
  /** All owners together. */
  readonly size: number
  readonly perOwner: number
  /** Beyond it, AppError `limited`. Default: unlimited. */
  readonly waitingPerOwner?: number
  /** All owners; beyond it, AppError `unavailable`. Default: unlimited. */
  readonly waiting?: number
  /** Then AppError `unavailable`. Default: unlimited. */
  readonly maxWaitMs?: number
  /** For error messages: `structured answers are being checked`. */
  readonly what: string
}

type Waiting = { readonly owner: string; readonly begin: () => void }

/** Creates slots of which no owner can take all. A request that ends while it waits leaves the queue. */
export const createFairSlots = (options: FairSlotsOptions) => {
  const {
    size,
    perOwner,
    waitingPerOwner = Number.POSITIVE_INFINITY,
    waiting = Number.POSITIVE_INFINITY,
    maxWaitMs,
    what,
  } = options
  const retry = { retryAfterSeconds: 2 }
  const full = () => new AppError('unavailable', `Too many ${what}; retry in a moment.`, retry)
  const running = createHoldings()
  let queue: readonly Waiting[] = []
  const isFree = (owner: string) => running.total() < size && running.of(owner) < perOwner
  const slotOf = (owner: string): (() => void) => {
    const giveBack = running.hold(owner)
    let isFreed = false
    return () => {
      if (isFreed) return
      isFreed = true
      giveBack()
      const next = queue.find((one) => isFree(one.owner))
      if (!next) return
      queue = queue.filter((one) => one !== next)
      next.begin()
    }
  }
  const wait = (owner: string, signal: AbortSignal): Promise<() => void> => {
    const leave = () => {
      queue = queue.filter((one) => one !== me)
    }
    const { begun, begin } = waitInQueue<() => void>({ signal, leave, maxWaitMs, late: full })
    const me = { owner, begin: () => begin(slotOf(owner)) }
    queue = [...queue, me]
    return begun
  }
  return {
    counts: () => ({ running: running.total(), waiting: queue.length }),
    /** Returns the function that frees the slot, once. Throws AppError `invalid` once the signal is aborted. */
    take: async (owner: string, signal: AbortSignal): Promise<() => void> => {
      if (signal.aborted) throw clientLeft()
      if (isFree(owner)) return slotOf(owner)
      if (queue.filter((one) => one.owner === owner).length >= waitingPerOwner)
        throw new AppError('limited', `Too many ${what} for this account; retry in a moment.`, retry)
      if (queue.length >= waiting) throw full()
      return wait(owner, signal)
    },
  }
}
