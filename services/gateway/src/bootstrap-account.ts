import { AppError, isAppError } from '@cairn/contracts/errors'
import type { Clock } from '@cairn/domain/ports/clock'
import type { Store } from '@cairn/domain/store'
import { hashSecret, parseApiKey } from '@cairn/runtime/http/api-key'
import { deriveKey } from '@cairn/runtime/process/derive-key'
import type { Logger } from '@cairn/runtime/process/logger'

type Deps = { readonly store: Store; readonly clock: Clock; readonly secret: string }

const retryEveryMs = 1_000
/** Fixed, so that two processes that start at once create one account. */
const accountId = 'acc_first'

/** Creates the first account with this key, or completes an interrupted call; true if this call created the key. */
export const bootstrapAccount = async ({ store, clock, secret }: Deps, apiKey: string): Promise<boolean> => {
  const parsed = parseApiKey(apiKey)
  if (!parsed)
    throw new AppError('invalid', 'The first API key is malformed; `cairn keys generate` prints a well-formed one.')
  const [other] = await store.accounts.page({ limit: 1 })
  if (other && (other.id !== accountId || (await store.keys.ofAccount(accountId)).length > 0)) return false
  const createdAt = clock.now()
  try {
    if (!other)
      await store.accounts.insert({
        id: accountId,
        name: 'default',
        tier: 'enterprise',
        subscriptionEndsAt: null,
        createdAt,
      })
    const hmac = hashSecret(deriveKey(secret, 'api-key'), parsed)
    await store.keys.insert({
      id: parsed.keyId,
      accountId,
      name: 'first',
      hmac,
      scopes: ['read', 'write', 'admin'],
      state: 'active',
      expiresAt: null,
      lastUsedAt: null,
      createdAt,
    })
    return true
  } catch (error) {
    if (isAppError(error, 'conflict')) return false
    throw error
  }
}

/** Retries until the store is available; awaits only the first attempt, as processes start in any order. */
export const bootstrapOnceAvailable = async (
  deps: Deps & { readonly log: Logger; readonly signal: AbortSignal; readonly onCreated: () => void },
  apiKey: string,
): Promise<void> => {
  const { clock, log, signal, onCreated } = deps
  const attempt = async () => {
    if (await bootstrapAccount(deps, apiKey)) onCreated()
  }
  const repeat = async () => {
    for (;;) {
      await clock.delay(retryEveryMs, signal)
      if (signal.aborted) return
      try {
        return await attempt()
      } catch (error) {
        log.warn({ err: error }, 'first account not created yet')
      }
    }
  }
  try {
    await attempt()
  } catch (error) {
    if (!isAppError(error, 'unavailable')) throw error
    log.warn({ err: error }, 'first account not created yet')
    void repeat()
  }
}
