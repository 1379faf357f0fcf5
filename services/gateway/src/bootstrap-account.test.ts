import type { AppError } from '@cairn/contracts/errors'
import { account, wallAt } from '@cairn/domain/protocol/scene.fixture'
import { generateApiKey, parseApiKey, secretMatches } from '@cairn/runtime/http/api-key'
import { deriveKey } from '@cairn/runtime/process/derive-key'
import { createLogger } from '@cairn/runtime/process/logger'
import { failOnce, withFaults } from '@cairn/testing/faults'
import { createManualClock } from '@cairn/testing/manual-clock'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it, vi } from 'vitest'
import { bootstrapAccount, bootstrapOnceAvailable } from './bootstrap-account.ts'

const secret = 'a secret of an installation that nobody guesses'

const setUp = () => {
  const { clock } = createManualClock(wallAt)
  const store = stepwiseStore({ now: clock.monotonic })
  const { apiKey } = generateApiKey()
  const make = (over = store, key = apiKey) => bootstrapAccount({ store: over, clock, secret }, key)
  const state = async () => {
    const accounts = await store.accounts.page({ limit: 10 })
    const keys = await Promise.all(accounts.map(({ id }) => store.keys.ofAccount(id)))
    return { accounts, keys: keys.flat() }
  }
  return { store, apiKey, make, state }
}

it('makes one account of tier enterprise with a key that may do everything, and keeps no secret', async () => {
  const { make, state, apiKey } = setUp()
  expect(await make()).toBe(true)
  const { accounts, keys } = await state()
  expect(accounts).toMatchObject([{ tier: 'enterprise', subscriptionEndsAt: null, createdAt: wallAt }])
  expect(keys).toMatchObject([{ scopes: ['read', 'write', 'admin'], state: 'active', expiresAt: null }])
  const parsed = parseApiKey(apiKey)
  if (!parsed) throw new Error('not a key')
  expect(secretMatches(deriveKey(secret, 'api-key'), parsed, keys[0]?.hmac ?? '')).toBe(true)
  expect(JSON.stringify({ accounts, keys })).not.toContain(parsed.secret)
})

it('makes nothing at the next start, whatever key it is given', async () => {
  const { make, state, store } = setUp()
  await make()
  const before = await state()
  expect(await make()).toBe(false)
  expect(await make(store, generateApiKey().apiKey)).toBe(false)
  expect(await state()).toEqual(before)
})

it('makes nothing where somebody else made an account', async () => {
  const { make, store, state } = setUp()
  await store.accounts.insert(account('acc_other'))
  expect(await make()).toBe(false)
  expect((await state()).keys).toEqual([])
})

it('finishes at the next start what was cut off between account and key', async () => {
  const { make, store, state } = setUp()
  await expect(make(withFaults(store, { keys: { insert: failOnce() } }))).rejects.toMatchObject({
    code: 'unavailable',
  })
  expect((await state()).keys).toEqual([])
  expect(await make()).toBe(true)
  expect((await state()).keys).toHaveLength(1)
})

it('makes one account when two processes start at once', async () => {
  const { make, state } = setUp()
  const made = await Promise.all([make(), make(), make()])
  expect(made.filter(Boolean)).toHaveLength(1)
  const { accounts, keys } = await state()
  expect([accounts.length, keys.length]).toEqual([1, 1])
})

it('rejects a malformed key, and says how to get a well-formed one', async () => {
  const { make, store } = setUp()
  await expect(make(store, 'change-me')).rejects.toEqual(
    expect.objectContaining({
      code: 'invalid',
      message: expect.stringContaining('cairn keys generate'),
    } satisfies Partial<Record<keyof AppError, unknown>>),
  )
})

it('says that the key was created, also where the store was away at the start', async () => {
  const { store, apiKey, state } = setUp()
  const { clock, pass } = createManualClock(wallAt)
  const log = createLogger({ level: 'silent', name: 'test' })
  const { signal } = new AbortController()
  const onCreated = vi.fn()
  const away = withFaults(store, { accounts: { page: failOnce() } })
  await bootstrapOnceAvailable({ store: away, clock, secret, log, signal, onCreated }, apiKey)
  expect(onCreated).not.toHaveBeenCalled()
  pass(1_000)
  await expect.poll(() => onCreated.mock.calls.length).toBe(1)
  expect((await state()).keys).toHaveLength(1)
  await bootstrapOnceAvailable({ store, clock, secret, log, signal, onCreated }, apiKey)
  expect(onCreated).toHaveBeenCalledTimes(1)
})

it('stops waiting for the store when the process ends', async () => {
  const { store, apiKey, state } = setUp()
  const { clock, pass } = createManualClock(wallAt)
  const log = createLogger({ level: 'silent', name: 'test' })
  const stopped = new AbortController()
  const away = withFaults(store, { accounts: { page: failOnce() } })
  const deps = { store: away, clock, secret, log, signal: stopped.signal, onCreated: vi.fn() }
  await bootstrapOnceAvailable(deps, apiKey)
  stopped.abort()
  pass(5_000)
  expect((await state()).accounts).toEqual([])
})
