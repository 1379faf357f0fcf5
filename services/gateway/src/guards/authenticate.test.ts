import { authTexts } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { AppError } from '@cairn/contracts/errors'
import type { ApiKey } from '@cairn/domain/accounts/record'
import type { Clock } from '@cairn/domain/ports/clock'
import { account, mint, wallAt } from '@cairn/domain/protocol/scene.fixture'
import { generateApiKey, hashSecret } from '@cairn/runtime/http/api-key'
import { deriveKey } from '@cairn/runtime/process/derive-key'
import { createLogger } from '@cairn/runtime/process/logger'
import { failOnce, withFaults } from '@cairn/testing/faults'
import { guardedRequest } from '@cairn/testing/guarded-request'
import { createManualClock } from '@cairn/testing/manual-clock'
import { letRun } from '@cairn/testing/pass-time'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it } from 'vitest'
import type { Caller } from '../call.ts'
import { createGate } from '../gate.ts'
import { createAuthentication } from './authenticate.ts'

const hmacKey = deriveKey('a secret of an installation', 'api-key')
const log = createLogger({ level: 'silent', name: 'test' })

const setUp = async () => {
  const { clock, pass } = createManualClock(wallAt)
  const store = stepwiseStore({ now: clock.monotonic })
  const accountId = mint('acc')
  await store.accounts.insert(account(accountId))
  const key = async (change: Partial<ApiKey> = {}) => {
    const { apiKey, keyId, secret } = generateApiKey()
    const id = keyId
    await store.keys.insert({
      id,
      accountId,
      name: 'test',
      hmac: hashSecret(hmacKey, { keyId, secret }),
      scopes: ['read', 'write'],
      state: 'active',
      expiresAt: null,
      lastUsedAt: null,
      createdAt: wallAt,
      ...change,
    })
    return { apiKey, id }
  }
  const gate = createGate(store)
  const guard = (over = store) => createAuthentication({ store: over, clock, hmacKey, log, gate }).guard()
  const { readableBy } = createAuthentication({ store, clock, hmacKey, log, gate: createGate(store) })
  const check = guard()
  const enter = async (apiKey: string | undefined, by = check) => {
    const request = guardedRequest<Caller>(operations.search, apiKey === undefined ? {} : { 'x-api-key': apiKey })
    await by(request)
    return request.caller
  }
  return { store, accountId, key, guard, readableBy, enter, pass }
}

it('lets a good key in, as its account', async () => {
  const { key, enter, accountId } = await setUp()
  const { apiKey, id } = await key()
  expect(await enter(apiKey)).toMatchObject({ account: { id: accountId }, key: { id } })
})

it.each([
  ['no key', undefined, 'missingKey'],
  ['an empty key', '', 'missingKey'],
  ['what is no key', 'secret', 'invalidKey'],
  ['two keys at once', 'cairn_a_b, cairn_c_d', 'invalidKey'],
  ['10 KB', 'x'.repeat(10_000), 'invalidKey'],
  ['a key nobody was given', generateApiKey().apiKey, 'unknownKeyId'],
] as const)('answers 401 to %s', async (_, sent, text) => {
  const { enter } = await setUp()
  await expect(enter(sent)).rejects.toMatchObject({ code: 'unauthenticated', message: authTexts[text] })
})

it('answers 401 to a key whose secret is another', async () => {
  const { key, enter } = await setUp()
  const { apiKey } = await key({ hmac: hashSecret(hmacKey, generateApiKey()) })
  await expect(enter(apiKey)).rejects.toMatchObject({ code: 'unauthenticated', message: authTexts.invalidKey })
})

it.each([
  ['revoked', { state: 'revoked' }, 'unauthenticated', 'invalidKey'],
  ['expired', { expiresAt: wallAt }, 'unauthenticated', 'invalidKey'],
  ['disabled', { state: 'disabled' }, 'unauthenticated', 'disabledKey'],
  ['inactive', { state: 'inactive' }, 'forbidden', 'inactiveKey'],
  ['of too small a scope', { scopes: ['write'] }, 'forbidden', 'insufficientScope'],
] as const)('refuses a key that is %s', async (_, change, code, text) => {
  const { key, enter } = await setUp()
  const { apiKey } = await key(change as Partial<ApiKey>)
  await expect(enter(apiKey)).rejects.toMatchObject({ code, message: authTexts[text] })
})

it('looks at the key before the subscription: 401 and 403 come before 429', async () => {
  const { key, enter, store, accountId } = await setUp()
  await store.accounts.update(accountId, { subscriptionEndsAt: wallAt })
  await expect(enter((await key()).apiKey)).rejects.toMatchObject({
    code: 'limited',
    body: { error: 'Subscription expired' },
  })
  await expect(enter((await key({ state: 'disabled' })).apiKey)).rejects.toMatchObject({ code: 'unauthenticated' })
  await expect(enter((await key({ scopes: [] })).apiKey)).rejects.toMatchObject({ code: 'forbidden' })
})

it('knows of a revoked key within 5 s', async () => {
  const { key, enter, store, pass } = await setUp()
  const { apiKey, id } = await key()
  await enter(apiKey)
  await store.keys.setState(id, 'revoked')
  pass(5_000)
  await expect(enter(apiKey)).rejects.toMatchObject({ code: 'unauthenticated' })
})

it.each([
  ['revoked', { state: 'revoked' }],
  ['expired', { expiresAt: wallAt }],
  ['disabled', { state: 'disabled' }],
  ['of too small a scope', { scopes: ['write'] }],
] as const)('says of a key that is %s that it is not admitted any more', async (_, change) => {
  const { key, readableBy } = await setUp()
  expect(await readableBy((await key()).id, operations.getEvents)).toBeDefined()
  expect(await readableBy((await key(change as Partial<ApiKey>)).id, operations.getEvents)).toBeUndefined()
  expect(await readableBy('nobody', operations.getEvents)).toBeUndefined()
})

it('says within 5 s that a key is not admitted any more, and fails where it can not know', async () => {
  const { key, readableBy, store, accountId, pass } = await setUp()
  const [revoked, ended] = [await key(), await key()]
  for (const { id } of [revoked, ended]) expect(await readableBy(id, operations.getEvents)).toBeDefined()
  await store.keys.setState(revoked.id, 'revoked')
  pass(5_000)
  expect(await readableBy(revoked.id, operations.getEvents)).toBeUndefined()
  expect(await readableBy(ended.id, operations.getEvents)).toMatchObject({ accountId })
  await store.accounts.update(accountId, { subscriptionEndsAt: wallAt })
  pass(5_000)
  expect(await readableBy(ended.id, operations.getEvents)).toBeUndefined()
  const clock = { now: () => wallAt, monotonic: () => 0 } as Clock
  const away = withFaults(store, { keys: { get: failOnce() } })
  const failing = createAuthentication({ store: away, clock, hmacKey, log, gate: createGate(away) })
  await expect(failing.readableBy(ended.id, operations.getEvents)).rejects.toMatchObject({ code: 'unavailable' })
})

it('knows of an expiry at once, also of a key it has just seen', async () => {
  const { key, enter, pass } = await setUp()
  const { apiKey } = await key({ expiresAt: wallAt + 1_000 })
  await enter(apiKey)
  pass(1_000)
  await expect(enter(apiKey)).rejects.toMatchObject({ code: 'unauthenticated' })
})

it('reads the records of a key once for many calls', async () => {
  const { key, guard, enter, store, pass } = await setUp()
  const { apiKey } = await key()
  let reads = 0
  const counting = {
    ...store,
    keys: {
      ...store.keys,
      get: (id: string) => {
        reads += 1
        return store.keys.get(id)
      },
    },
  }
  const check = guard(counting)
  await enter(apiKey, check)
  await Promise.all(Array.from({ length: 50 }, () => enter(apiKey, check)))
  expect(reads).toBe(1)
  pass(3_000)
  await Promise.all(Array.from({ length: 50 }, () => enter(apiKey, check)))
  expect(reads).toBe(2)
})

it('has everyone who waits for one look share its failure', async () => {
  const { key, guard, enter, store } = await setUp()
  const { apiKey } = await key()
  let looks = 0
  const get = async () => {
    looks += 1
    await letRun()
    throw new AppError('unavailable', 'The record store is away.')
  }
  const check = guard({ ...store, keys: { ...store.keys, get } })
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => enter(apiKey, check)))
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
  expect(looks).toBe(1)
})

it('remembers neither a failed look nor an unknown key', async () => {
  const { key, guard, enter, store } = await setUp()
  const { apiKey, id } = await key()
  const failing = guard(withFaults(store, { keys: { get: failOnce() } }))
  await expect(enter(apiKey, failing)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await enter(apiKey, failing)).toMatchObject({ key: { id } })
  const late = generateApiKey()
  await expect(enter(late.apiKey)).rejects.toMatchObject({ message: authTexts.unknownKeyId })
  await store.keys.insert({
    ...((await store.keys.get(id)) as ApiKey),
    id: late.keyId,
    hmac: hashSecret(hmacKey, late),
  })
  expect(await enter(late.apiKey)).toMatchObject({ key: { id: late.keyId } })
})

it('notes once a minute that a key was used, and does not mind when it can not', async () => {
  const { key, enter, store, pass, guard } = await setUp()
  const { apiKey, id } = await key()
  const used = async () => (await store.keys.get(id))?.lastUsedAt
  await enter(apiKey)
  await letRun()
  expect(await used()).toBe(wallAt)
  pass(59_000)
  await enter(apiKey)
  await letRun()
  expect(await used()).toBe(wallAt)
  pass(1_000)
  await enter(apiKey)
  await letRun()
  expect(await used()).toBe(wallAt + 60_000)
  const unlucky = guard(withFaults(store, { keys: { used: failOnce() } }))
  expect(await enter(apiKey, unlucky)).toBeDefined()
})
