import { AppError } from '@cairn/contracts/errors'
import { createHoldings } from '@cairn/domain/jobs/holdings'
import type { Guard } from '@cairn/runtime/http/api-request'
import type { Caller } from '../call.ts'

const retryAfterSeconds = 1

/** Limits requests per API key. A request counts until its response is sent. */
export const limitInFlight = (max: number): Guard<Caller> => {
  const inFlight = createHoldings()
  return async ({ caller, onEnd }) => {
    if (caller === undefined || caller === 'admin') return
    const { id } = caller.key
    if (inFlight.of(id) < max) return onEnd(inFlight.hold(id))
    throw new AppError(
      'limited',
      `At most ${max} requests of an API key are served at once; retry when earlier ones are answered.`,
      { retryAfterSeconds },
    )
  }
}
