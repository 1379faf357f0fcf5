import { AppError } from '@cairn/contracts/errors'

const outOfTime = (ms: number) =>
  new AppError('unavailable', `The metadata store did not answer within ${ms / 1_000} seconds.`, {
    retryAfterSeconds: 5,
  })

/**
 * Rejects with AppError `unavailable` at the deadline, even if the work is still waiting. `isOver` then returns true,
 * so that the work starts nothing more.
 */
export const within = async <T>(ms: number, work: (isOver: () => boolean) => Promise<T>): Promise<T> => {
  let over = false
  const { promise: deadline, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    over = true
    reject(outOfTime(ms))
  }, ms)
  const working = work(() => over)
  // Handles rejections after the deadline; they are not reported.
  working.catch(() => undefined)
  try {
    return await Promise.race([working, deadline])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Works on all values, `atOnce` at a time, and returns the results in order. After a failure or the deadline it starts
 * nothing more, and rejects once the work in progress has ended.
 */
export const inParallel = async <T, R>(
  values: readonly T[],
  { atOnce, isOver }: { readonly atOnce: number; readonly isOver: () => boolean },
  work: (value: T) => Promise<R>,
): Promise<R[]> => {
  const results: R[] = []
  const failures: unknown[] = []
  const waiting = values.entries()
  const worker = async () => {
    for (const [index, value] of waiting) {
      if (isOver()) failures.push(new Error('the deadline has passed'))
      if (failures.length > 0) return
      try {
        results[index] = await work(value)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, values.length) }, worker))
  if (failures.length > 0) throw failures[0]
  return results
}
