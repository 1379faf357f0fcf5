import type { Guard } from '@cairn/runtime/http/api-request'
import { FairSlots } from '@cairn/runtime/throttles/fair-slots'
import type { Caller } from '../call.ts'
import { slots } from '../slots.ts'

/** Limits requests per API key. A request counts until its response is sent. */
export const limitInFlight = (max: number): Guard<Caller> => {
  const inFlight = new FairSlots(slots.requests(max))
  return ({ caller, onEnd }) => {
    if (caller !== undefined && caller !== 'admin') onEnd(inFlight.takeNow(caller.key.id))
  }
}
