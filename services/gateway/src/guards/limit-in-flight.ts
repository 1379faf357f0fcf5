import { AppError } from '@cairn/contracts/errors'
import type { Guard } from '@cairn/runtime/api-request'
import type { Caller } from '../call.ts'

const retryAfterSeconds = 1

/** Rejects a key's requests beyond so many at once. A request counts until its answer is sent. */
export const limitInFlight = (most: number): Guard<Caller> => {
  const inFlight = new Map<string, number>()
  return async (request) => {
    const { caller } = request
    if (caller === undefined || caller === 'admin') return
    const { id } = caller.key
    const before = inFlight.get(id) ?? 0
    if (before >= most)
      throw new AppError(
        'limited',
        `At most ${most} requests of an API key are served at once; retry when earlier ones are answered.`,
        {
          retryAfterSeconds,
        },
      )
    inFlight.set(id, before + 1)
    request.onEnd(() => {
      const left = (inFlight.get(id) ?? 1) - 1
      if (left === 0) inFlight.delete(id)
      else inFlight.set(id, left)
    })
  }
}
