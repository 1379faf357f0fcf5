import { createHash, timingSafeEqual } from 'node:crypto'
import { unauthenticated } from '@cairn/contracts/api/failures'
import { AppError } from '@cairn/contracts/errors'
import type { Guard } from '@cairn/runtime/http/api-request'
import { hostName, isLoopback } from '@cairn/runtime/http/own-address'

/** The store's only user. */
export type Caller = 'user'

const digest = (text: string) => createHash('sha256').update(text).digest()

/**
 * Without a key, rejects host names other than localhost: a web page can make its own domain resolve to this machine,
 * and call the store under that name (DNS rebinding).
 */
export const checkHost =
  (key: string | undefined): Guard<Caller> =>
  (request) => {
    if (key === undefined && !isLoopback(hostName(request.header('host') ?? '')))
      throw new AppError('forbidden', 'Forbidden: without a key the store answers only requests to localhost')
  }

/** Without a key, admits every request; `checkHost` must then run first. */
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
