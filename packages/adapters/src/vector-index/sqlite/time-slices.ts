import { AppError } from '@cairn/contracts/errors'
import { createOwnerQueue } from '@cairn/contracts/flow/owner-queue'

/**
 * Lets other work of the thread run during a long operation, which begins with `await slices.next()` and repeatedly
 * calls `if (slices.isOver()) await slices.next()`. `next` rejects with the reason of the operation's signal once the
 * signal is aborted, and with `unavailable` if the operation has taken too long.
 */
export type TimeSlices = { isOver(): boolean; next(): Promise<void> }

/**
 * Creates the turns of a thread. One slice runs at a time; owners take turns, and the operations of one owner take
 * turns too. An operation therefore waits for one slice of each other owner, however many operations the other owners
 * have.
 */
export const createSliceTurns = (sliceMs: number) => {
  const waiting = createOwnerQueue<() => void>()
  let isRunning = false

  const runNext = (): void => {
    const begin = waiting.take()
    if (!begin) {
      isRunning = false
      return
    }
    begin()
    setImmediate(runNext)
  }

  return (
    owner: string,
    {
      signal,
      maxMs = Number.POSITIVE_INFINITY,
    }: {
      readonly signal?: AbortSignal
      /** Time limit of the operation in milliseconds, waiting included. */
      readonly maxMs?: number
    } = {},
  ): TimeSlices => {
    const startedAt = performance.now()
    let end = startedAt
    const begin = (): void => {
      signal?.throwIfAborted()
      const now = performance.now()
      if (now - startedAt > maxMs)
        throw new AppError('unavailable', `The index was read for more than ${maxMs / 1_000} s; retry later.`, {
          retryAfterSeconds: 5,
        })
      end = now + sliceMs
    }
    return {
      isOver: () => performance.now() >= end,
      next: async () => {
        await new Promise<void>((resolve) => {
          waiting.add(owner, resolve)
          if (isRunning) return
          isRunning = true
          setImmediate(runNext)
        })
        begin()
      },
    }
  }
}
