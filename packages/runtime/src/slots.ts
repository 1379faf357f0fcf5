import { AppError } from '@cairn/contracts/errors'
import { clientLeft } from './client-left.ts'

type Waiting = { readonly owner: string; readonly begin: () => void }

export type Slots = {
  /**
   * Resolves, once there is a slot, to the function that gives it back, which may be called again. AppError `unavailable` after the longest
   * wait, `clientLeft` when the signal aborts.
   */
  take(owner: string, signal: AbortSignal): Promise<() => void>
}

/** So many at once in all and of each owner; the others wait, and the first whose owner has a slot left is next. */
export const createSlots = (options: {
  readonly total: number
  readonly perOwner: number
  readonly longestWaitMs: number /** To who has waited for too long. */
  readonly message: string
}): Slots => {
  const { total, perOwner, longestWaitMs, message } = options
  const taken = new Map<string, number>()
  const waiting: Waiting[] = []
  let all = 0

  const isFree = (owner: string) => all < total && (taken.get(owner) ?? 0) < perOwner
  const change = (owner: string, by: number) => {
    all += by
    const count = (taken.get(owner) ?? 0) + by
    if (count === 0) taken.delete(owner)
    else taken.set(owner, count)
  }
  const giveBack = (owner: string) => {
    change(owner, -1)
    const next = waiting.findIndex((one) => isFree(one.owner))
    const [begun] = next < 0 ? [] : waiting.splice(next, 1)
    begun?.begin()
  }
  const wait = (owner: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const me: Waiting = {
        owner,
        begin: () => {
          change(owner, 1)
          settle(resolve)
        },
      }
      const leave = (error: AppError) => {
        waiting.splice(waiting.indexOf(me), 1)
        settle(() => reject(error))
      }
      const gone = () => leave(clientLeft())
      const settle = (outcome: () => void) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', gone)
        outcome()
      }
      const late = () => leave(new AppError('unavailable', message, { retryAfterSeconds: 1 }))
      const timer = setTimeout(late, longestWaitMs)
      signal.addEventListener('abort', gone, { once: true })
      waiting.push(me)
    })

  return {
    take: async (owner, signal) => {
      if (signal.aborted) throw clientLeft()
      if (isFree(owner)) change(owner, 1)
      else await wait(owner, signal)
      let isBack = false
      return () => {
        if (!isBack) giveBack(owner)
        isBack = true
      }
    },
  }
}
