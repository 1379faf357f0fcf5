import { requestLimitReached, tierNotDefined } from '@cairn/contracts/api/failures'
import { isTier, tierOf } from '@cairn/domain/accounts/tiers'
import type { Guard } from '@cairn/runtime/http/api-request'
import type { Caller } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import type { UsageMeter } from '../usage-meter.ts'

/** The calendar month in UTC. */
const monthAt = (at: number): { readonly lengthSeconds: number; readonly leftSeconds: number } => {
  const date = new Date(at)
  const start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
  return { lengthSeconds: (end - start) / 1_000, leftSeconds: Math.ceil((end - at) / 1_000) }
}

/** Published clients sleep this long before a retry: weeks would look like a hang. `RateLimit` has the true time. */
const maxRetryAfterSeconds = 5

/** Counts the request, or rejects it at the plan's limit, and states the remaining quota (RateLimit header fields). */
export const countUsage =
  ({ meter, tiers, clock }: Pick<GatewayPorts, 'tiers' | 'clock'> & { readonly meter: UsageMeter }): Guard<Caller> =>
  async (request) => {
    const { caller } = request
    if (caller === undefined || caller === 'admin') return
    const { account, key } = caller
    if (!isTier(tiers, account.tier)) throw tierNotDefined(account.tier)
    const limit = tierOf(tiers, account.tier).requests
    const { allowed, current } = await meter.count({ accountId: account.id, keyId: key.id }, limit)
    if (limit === null) return
    const { lengthSeconds, leftSeconds } = monthAt(clock.now())
    request.setHeader('RateLimit-Policy', `"requests";q=${limit};w=${lengthSeconds}`)
    request.setHeader('RateLimit', `"requests";r=${Math.max(0, limit - current)};t=${leftSeconds}`)
    if (!allowed)
      throw requestLimitReached({
        tier: account.tier,
        currentUsage: current,
        limit,
        retryAfterSeconds: Math.min(leftSeconds, maxRetryAfterSeconds),
      })
  }
