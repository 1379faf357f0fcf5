import { AppError } from '@cairn/contracts/errors'
import type { Guard } from '@cairn/runtime/api-request'
import type { Caller } from '../call.ts'
import { createPlaces } from '../places.ts'

const retryAfterSeconds = 1

/** Rejects a key's requests beyond so many at once. A request counts until its answer is sent. */
export const limitInFlight = (most: number): Guard<Caller> => {
  const places = createPlaces(most)
  return async ({ caller, onEnd }) => {
    if (caller === undefined || caller === 'admin' || places.take(caller.key.id, onEnd)) return
    throw new AppError(
      'limited',
      `At most ${most} requests of an API key are served at once; retry when earlier ones are answered.`,
      { retryAfterSeconds },
    )
  }
}
