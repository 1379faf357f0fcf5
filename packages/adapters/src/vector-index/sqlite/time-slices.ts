import { AppError } from '@cairn/contracts/errors'
import { createOwnerQueue } from '@cairn/contracts/flow/owner-queue'

/**
 * Lets other work of the thread run during a long operation, which begins with `await slices.next()` and repeatedly
 * calls `if (slices.isOver()) await slices.next()`. `next` rejects with the reason of the operation's signal, and with
 * `unavailable` if the operation has taken too long.
 */
export type TimeSlices = { isOver(): boolean; next(): Promise<void> }

/**
 * One slice runs at a time. Owners take turns, as do the operations of one owner: an operation waits for one slice of
 * each other owner, however many operations that has.
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
      /** For the operation, waiting included. */
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
