import { AppError } from '@cairn/contracts/errors'

const outOfTime = (ms: number) =>
  new AppError('unavailable', `The metadata store did not answer within ${ms / 1_000} seconds.`, { retryAfterSeconds: 5 })

/** Rejects with AppError `unavailable` at the deadline, whatever the work waits for; the work is signaled, so that it starts nothing more. */
export const within = async <T>(ms: number, work: (isOver: () => boolean) => Promise<T>): Promise<T> => {
  let over = false
  const { promise: deadline, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    over = true
    reject(outOfTime(ms))
  }, ms)
  const working = work(() => over)
  // Failures after the deadline are not reported.
  working.catch(() => undefined)
  try {
    return await Promise.race([working, deadline])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Works on all of them, `atOnce` at a time; results in order. After a failure, or when it is over, nothing more is begun, and it
 * rejects when what had begun has ended.
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
