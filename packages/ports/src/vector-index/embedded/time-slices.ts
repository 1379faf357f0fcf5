import { AppError } from '@cairn/contracts/errors'

/**
 * Lets other work of the thread run during a long operation, which begins with `next()` and goes on with
 * `if (slices.isOver()) await slices.next()`. `next` rejects with the reason of the operation's signal once that is
 * aborted, and with `unavailable` when the operation has taken too long.
 */
export type TimeSlices = { isOver(): boolean; next(): Promise<void> }

/**
 * Creates the turns of a thread. One slice runs at a time; owners take turns, and so do the operations of one owner. So
 * an operation waits for one slice of each other owner, however many operations those have.
 */
export const createSliceTurns = (sliceMs: number) => {
  const waiting = new Map<string, (() => void)[]>()
  let isRunning = false

  const runNext = (): void => {
    const [next] = waiting
    if (!next) {
      isRunning = false
      return
    }
    const [owner, queue] = next
    // Moves the owner to the end of the order.
    waiting.delete(owner)
    const begin = queue.shift()
    if (queue.length > 0) waiting.set(owner, queue)
    begin?.()
    setImmediate(runNext)
  }

  return (
    owner: string,
    {
      signal,
      longestMs = Number.POSITIVE_INFINITY,
    }: {
      readonly signal?: AbortSignal
      /** Longest time of the operation, its waiting included. */
      readonly longestMs?: number
    } = {},
  ): TimeSlices => {
    const startedAt = performance.now()
    let end = startedAt
    const begin = (): void => {
      signal?.throwIfAborted()
      const now = performance.now()
      if (now - startedAt > longestMs)
        throw new AppError('unavailable', `The index was read for more than ${longestMs / 1_000} s; retry later.`, {
          retryAfterSeconds: 5,
        })
      end = now + sliceMs
    }
    return {
      isOver: () => performance.now() >= end,
      next: async () => {
        await new Promise<void>((resolve) => {
          const queue = waiting.get(owner)
          if (queue) queue.push(resolve)
          else waiting.set(owner, [resolve])
          if (isRunning) return
          isRunning = true
          setImmediate(runNext)
        })
        begin()
      },
    }
  }
}
