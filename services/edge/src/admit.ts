import { createHash, timingSafeEqual } from 'node:crypto'
import { AppError } from '@cairn/contracts/errors'
import { unauthenticated } from '@cairn/contracts/failures'
import type { Guard } from '@cairn/runtime/api-request'
import { hostName, isLoopback } from '@cairn/runtime/own-address'

/** The admitted caller: the one user of the store. */
export type Caller = 'user'

const digest = (text: string) => createHash('sha256').update(text).digest()

/**
 * Rejects other host names when no key is configured. A web page can let its own name resolve to this machine, and then
 * call the store by that name (DNS rebinding).
 */
export const checkHost =
  (key: string | undefined): Guard<Caller> =>
  (request) => {
    if (key === undefined && !isLoopback(hostName(request.header('host') ?? '')))
      throw new AppError('forbidden', 'Forbidden: without a key the store answers only requests to localhost')
  }

/** Admits requests with the key; without a configured key, programs of this machine, behind `checkHost`. */
export const admit = (key: string | undefined): Guard<Caller> => {
  const expected = key === undefined ? undefined : digest(key)
  return (request) => {
    if (expected) {
      const sent = request.header('x-api-key')
      if (!sent) throw unauthenticated('missingKey')
      if (!timingSafeEqual(digest(sent), expected)) throw unauthenticated('invalidKey')
    }
    request.caller = 'user'
  }
}
