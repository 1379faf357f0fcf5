import { createHash, timingSafeEqual } from 'node:crypto'
import { unauthenticated } from '@cairn/contracts/api/failures'
import type { Guard } from '@cairn/runtime/http/api-request'
import type { Caller } from '../call.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Without an admin key there are no admin routes. */
export const adminKey =
  (expected: string): Guard<Caller> =>
  (request) => {
    const sent = request.header('x-admin-key')
    if (sent === undefined || sent === '') throw unauthenticated('missingAdminKey')
    if (!timingSafeEqual(digest(sent), digest(expected))) throw unauthenticated('invalidAdminKey')
    request.caller = 'admin'
  }
