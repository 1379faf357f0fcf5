import { AppError } from '@cairn/contracts/errors'

const outOfTime = (ms: number) =>
  new AppError('unavailable', `The record store did not answer within ${ms / 1_000} seconds.`, {
    retryAfterSeconds: 5,
  })

/**
 * At the deadline, rejects with AppError `unavailable`, even if the work is still waiting; `isOver` then returns true,
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
  // Rejections after the deadline are not reported.
  working.catch(() => undefined)
  try {
    return await Promise.race([working, deadline])
  } finally {
    clearTimeout(timer)
  }
}
