import { hash, timingSafeEqual } from 'node:crypto'
import { forbidden, subscriptionExpired, unauthenticated } from '@cairn/contracts/failures'
import type { Clock } from '@cairn/ports/clock/port'
import type { Metadata } from '@cairn/ports/metadata/port'
import type { Account, ApiKey } from '@cairn/ports/metadata/records'
import { type ParsedKey, parseApiKey, secretMatches } from '@cairn/runtime/api-key'
import type { Guard } from '@cairn/runtime/api-request'
import type { Logger } from '@cairn/runtime/logger'
import type { Caller } from '../call.ts'

export type AuthDeps = {
  readonly metadata: Metadata
  readonly clock: Clock
  /** Key of the HMAC under which secrets are stored. */
  readonly hmacKey: Uint8Array
  readonly log: Logger
}

/** Age at which a cached key is read again: a revoked one is refused within 5 s in every process. */
const freshMs = 3_000
const usedEveryMs = 60_000
/** A flood of invented ids must not fill memory. */
const maxKnown = 10_000

type Known = {
  readonly key: ApiKey
  readonly account: Account
  readonly readAt: number
  /** HMAC of the secret that matched the key as it was read. */
  matched?: Buffer
}

/**
 * Compares the secret. The HMAC, which costs more than the other checks together, is computed once per reading of the
 * key.
 */
const isSecret = (hmacKey: Uint8Array, known: Known, given: ParsedKey): boolean => {
  const digest = hash('sha256', given.secret, 'buffer')
  if (known.matched && timingSafeEqual(known.matched, digest)) return true
  if (!secretMatches(hmacKey, given, known.key.hmac)) return false
  known.matched = digest
  return true
}

/**
 * Answers 401, then 403, in the order and with the texts of docs/api-notes.md; checks the subscription too. Reads a
 * key's records at most every 3 s.
 */
export const authenticate = ({ metadata, clock, hmacKey, log }: AuthDeps): Guard<Caller> => {
  const known = new Map<string, Promise<Known | undefined>>()
  const used = new Map<string, number>()

  const read = async (keyId: string): Promise<Known | undefined> => {
    const readAt = clock.monotonic()
    const key = await metadata.keys.get(keyId)
    const account = key && (await metadata.accounts.get(key.accountId))
    return account && { key, account, readAt }
  }
  const lookUp = async (keyId: string): Promise<Known | undefined> => {
    // Requests that arrive during a read share its result, also a failure: one after the other they would wait ever
    // longer.
    const last = known.get(keyId)
    const kept = await last
    if (kept && clock.monotonic() - kept.readAt < freshMs) return kept
    // Of the requests that find it outdated at once, the first reads it again.
    const next = known.get(keyId)
    if (next && next !== last) return next
    if (known.size >= maxKnown) known.clear()
    const reading = read(keyId)
    known.set(keyId, reading)
    const found = await reading.catch((error: unknown) => {
      known.delete(keyId)
      throw error
    })
    if (!found) known.delete(keyId)
    return found
  }
  const noteUse = (keyId: string) => {
    const at = clock.monotonic()
    if (at - (used.get(keyId) ?? Number.NEGATIVE_INFINITY) < usedEveryMs) return
    used.set(keyId, at)
    metadata.keys
      .used(keyId, clock.now())
      .catch((error: unknown) => log.warn({ err: error }, "key's last use not recorded"))
  }
  const checkKey = (known: Known, given: ParsedKey) => {
    const { key } = known
    if (!isSecret(hmacKey, known, given)) throw unauthenticated('invalidKey')
    if (key.state === 'revoked' || (key.expiresAt !== null && key.expiresAt <= clock.now()))
      throw unauthenticated('invalidKey')
    if (key.state === 'disabled') throw unauthenticated('disabledKey')
    if (key.state === 'inactive') throw forbidden('inactiveKey')
  }

  return async (request) => {
    const sent = request.header('x-api-key')
    if (sent === undefined || sent === '') throw unauthenticated('missingKey')
    const given = parseApiKey(sent)
    if (!given) throw unauthenticated('invalidKey')
    const found = await lookUp(given.keyId)
    if (!found) throw unauthenticated('unknownKeyId')
    checkKey(found, given)
    const { operation } = request
    if (operation.auth === 'key' && !found.key.scopes.includes(operation.scope)) throw forbidden('insufficientScope')
    const { account, key } = found
    if (account.subscriptionEndsAt !== null && account.subscriptionEndsAt <= clock.now())
      throw subscriptionExpired(account.tier, account.subscriptionEndsAt)
    noteUse(key.id)
    request.caller = { account, key }
  }
}
