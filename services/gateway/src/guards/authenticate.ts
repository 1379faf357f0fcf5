import { hash, timingSafeEqual } from 'node:crypto'
import { forbidden, subscriptionExpired, unauthenticated } from '@cairn/contracts/api/failures'
import { isAppError } from '@cairn/contracts/errors'
import type { Operation } from '@cairn/contracts/http/operation'
import type { Account, ApiKey } from '@cairn/domain/accounts/record'
import { type ParsedKey, parseApiKey, secretMatches } from '@cairn/runtime/http/api-key'
import type { GuardedRequest } from '@cairn/runtime/http/api-request'
import type { Caller } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import type { Gate, Readable } from '../gate.ts'

export type AuthDeps = Pick<GatewayPorts, 'store' | 'clock' | 'log'> & {
  /** For the HMACs of stored secrets. */
  readonly hmacKey: Uint8Array
  readonly gate: Gate
}

type KeyOf = (request: Pick<GuardedRequest<Caller>, 'header'>) => string | undefined

/** A cached key is read again, so that a revoked one is rejected within 5 s in every process. */
const freshMs = 3_000
const usedEveryMs = 60_000
/** A flood of invented ids must not fill memory. */
const maxCached = 10_000

type CachedKey = {
  readonly key: ApiKey
  readonly account: Account
  readonly readAt: number
  /** SHA-256 of the secret that matched in this read. */
  matched?: Buffer
}

/** The HMAC costs more than all other checks: of a secret that matched, only its SHA-256 is compared. */
const isSecret = (hmacKey: Uint8Array, cached: CachedKey, sent: ParsedKey): boolean => {
  const digest = hash('sha256', sent.secret, 'buffer')
  if (cached.matched && timingSafeEqual(cached.matched, digest)) return true
  if (!secretMatches(hmacKey, sent, cached.key.hmac)) return false
  cached.matched = digest
  return true
}

/** Reads a key's records at most every 3 s. */
export const createAuthentication = ({ store, clock, hmacKey, log, gate }: AuthDeps) => {
  const cache = new Map<string, Promise<CachedKey | undefined>>()
  const used = new Map<string, number>()

  const read = async (keyId: string): Promise<CachedKey | undefined> => {
    const readAt = clock.monotonic()
    const key = await store.keys.get(keyId)
    const account = key && (await store.accounts.get(key.accountId))
    return account && { key, account, readAt }
  }
  const lookUp = async (keyId: string): Promise<CachedKey | undefined> => {
    // Requests share the result or failure of a read; one after the other, they would wait longer and longer.
    const last = cache.get(keyId)
    const kept = await last
    if (kept && clock.monotonic() - kept.readAt < freshMs) return kept
    // Only the first of concurrent requests that find the entry outdated reads the key again.
    const next = cache.get(keyId)
    if (next && next !== last) return next
    if (cache.size >= maxCached) cache.clear()
    const reading = read(keyId)
    cache.set(keyId, reading)
    const found = await reading.catch((error: unknown) => {
      cache.delete(keyId)
      throw error
    })
    if (!found) cache.delete(keyId)
    return found
  }
  const recordUse = (keyId: string) => {
    const at = clock.monotonic()
    if (at - (used.get(keyId) ?? Number.NEGATIVE_INFINITY) < usedEveryMs) return
    used.set(keyId, at)
    store.keys
      .used(keyId, clock.now())
      .catch((error: unknown) => log.warn({ err: error }, "key's last use not recorded"))
  }
  const check = ({ key, account }: CachedKey, operation: Operation) => {
    if (key.state === 'revoked' || (key.expiresAt !== null && key.expiresAt <= clock.now()))
      throw unauthenticated('invalidKey')
    if (key.state === 'disabled') throw unauthenticated('disabledKey')
    if (key.state === 'inactive') throw forbidden('inactiveKey')
    if (operation.auth === 'key' && !key.scopes.includes(operation.scope)) throw forbidden('insufficientScope')
    if (account.subscriptionEndsAt !== null && account.subscriptionEndsAt <= clock.now())
      throw subscriptionExpired(account.tier, account.subscriptionEndsAt)
  }

  return {
    /** Rejects with 401, then 403, as in docs/api-notes.md; checks the subscription, too. */
    guard:
      (keyOf: KeyOf = ({ header }) => header('x-api-key')) =>
      async (request: GuardedRequest<Caller>): Promise<void> => {
        const sent = keyOf(request)
        if (sent === undefined || sent === '') throw unauthenticated('missingKey')
        const parsed = parseApiKey(sent)
        if (!parsed) throw unauthenticated('invalidKey')
        const found = await lookUp(parsed.keyId)
        if (!found) throw unauthenticated('unknownKeyId')
        if (!isSecret(hmacKey, found, parsed)) throw unauthenticated('invalidKey')
        check(found, request.operation)
        const { account, key } = found
        recordUse(key.id)
        request.caller = { account, key, readable: gate(account) }
      },
    /** Checks an admitted key again, for long-running requests. Undefined: it is no longer accepted. */
    readableBy: async (keyId: string, operation: Operation): Promise<Readable | undefined> => {
      const found = await lookUp(keyId)
      if (!found) return undefined
      try {
        check(found, operation)
        return gate(found.account)
      } catch (error) {
        if (isAppError(error)) return undefined
        throw error
      }
    },
  }
}

export type Authentication = ReturnType<typeof createAuthentication>
