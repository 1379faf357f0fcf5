import { AppError } from '@cairn/contracts/errors'
import { createHoldings } from '@cairn/domain/jobs/holdings'
import { clientLeft } from '../http/client-left.ts'
import { waitInQueue } from './wait-in-queue.ts'

/** How many may run at once, of all owners and of one. A number left out is unlimited. */
export type SlotPolicy = {
  /** In messages: `structured answers are being checked`. */
  readonly what: string
  readonly size?: number
  readonly perOwner: number
  /** All owners; beyond it, AppError `unavailable`. */
  readonly waiting?: number
  /** Beyond it, AppError `limited`. */
  readonly waitingPerOwner?: number
  /** Then AppError `unavailable`. */
  readonly maxWaitMs?: number
  /** Message of `limited`. Default: made from `what`. */
  readonly refusal?: string
  /** Default 2. */
  readonly retryAfterSeconds?: number
}

type Waiting = { readonly owner: string; readonly begin: () => void }

const unlimited = Number.POSITIVE_INFINITY

/** Slots of which no owner can take all. A request that ends while it waits leaves the queue. */
export class FairSlots {
  readonly #policy: SlotPolicy
  readonly #running = createHoldings()
  #queue: readonly Waiting[] = []

  constructor(policy: SlotPolicy) {
    this.#policy = policy
  }

  counts(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running.total(), waiting: this.#queue.length }
  }

  /**
   * Returns the function that frees the slot; it may be called again. Throws AppError `invalid` once the signal is
   * aborted.
   */
  async take(owner: string, signal: AbortSignal): Promise<() => void> {
    const { waiting = unlimited, waitingPerOwner = unlimited } = this.#policy
    if (signal.aborted) throw clientLeft()
    if (this.#isFree(owner)) return this.#hold(owner)
    if (this.#queue.filter((one) => one.owner === owner).length >= waitingPerOwner) throw this.#ownerIsFull()
    if (this.#queue.length >= waiting) throw this.#isFull()
    return this.#wait(owner, signal)
  }

  /** Takes a slot at once, or throws AppError `limited`: for policies without a queue. */
  takeNow(owner: string): () => void {
    if (!this.#isFree(owner)) throw this.#ownerIsFull()
    return this.#hold(owner)
  }

  #isFree(owner: string): boolean {
    const { size = unlimited, perOwner } = this.#policy
    return this.#running.total() < size && this.#running.of(owner) < perOwner
  }

  #hold(owner: string): () => void {
    const giveBack = this.#running.hold(owner)
    let isFreed = false
    return () => {
      if (isFreed) return
      isFreed = true
      giveBack()
      const next = this.#queue.find((one) => this.#isFree(one.owner))
      if (!next) return
      this.#leave(next)
      next.begin()
    }
  }

  #wait(owner: string, signal: AbortSignal): Promise<() => void> {
    const { maxWaitMs } = this.#policy
    const leave = () => this.#leave(me)
    const { begun, begin } = waitInQueue<() => void>({ signal, leave, maxWaitMs, late: () => this.#isFull() })
    const me = { owner, begin: () => begin(this.#hold(owner)) }
    this.#queue = [...this.#queue, me]
    return begun
  }

  #leave(waiting: Waiting): void {
    this.#queue = this.#queue.filter((one) => one !== waiting)
  }

  #isFull(): AppError {
    const { what, retryAfterSeconds = 2 } = this.#policy
    return new AppError('unavailable', `Too many ${what}; retry in a moment.`, { retryAfterSeconds })
  }

  #ownerIsFull(): AppError {
    const { what, retryAfterSeconds = 2 } = this.#policy
    const { refusal = `Too many ${what} for this account; retry in a moment.` } = this.#policy
    return new AppError('limited', refusal, { retryAfterSeconds })
  }
}
