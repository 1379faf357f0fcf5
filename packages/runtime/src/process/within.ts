import { AppError } from '@cairn/contracts/errors'
import type { Clock } from '@cairn/domain/ports/clock'

/** Rejects with `unavailable` after `ms`. The call itself is not canceled. */
export const within = async <T>(
  clock: Pick<Clock, 'delay'>,
  ms: number,
  message: string,
  call: Promise<T>,
): Promise<T> => {
  const answered = new AbortController()
  const late = clock.delay(ms, answered.signal).then((): never => {
    throw new AppError('unavailable', message)
  })
  late.catch(() => undefined)
  try {
    return await Promise.race([call, late])
  } finally {
    answered.abort()
  }
}
