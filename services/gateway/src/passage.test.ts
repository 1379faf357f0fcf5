import { operations } from '@cairn/contracts/api/operations'
import { sendMcpMessage } from '@cairn/contracts/http/mcp'
import { defaultTiers } from '@cairn/domain/accounts/tiers'
import { createScene, wallAt } from '@cairn/domain/protocol/scene.fixture'
import { generateApiKey, hashSecret } from '@cairn/runtime/http/api-key'
import type { Endpoint, Route } from '@cairn/runtime/http/api-request'
import { createLogger } from '@cairn/runtime/process/logger'
import { createByteBudget } from '@cairn/runtime/throttles/byte-budget'
import { guardedRequest } from '@cairn/testing/guarded-request'
import { createManualClock } from '@cairn/testing/manual-clock'
import { stepwiseStore } from '@cairn/testing/stepwise-store'
import { expect, it } from 'vitest'
import type { Caller } from './call.ts'
import { createGate } from './gate.ts'
import { createPassage } from './passage.ts'
import { createResponseBudget } from './response-budget.ts'
import { UsageMeter } from './usage-meter.ts'

const hmacKey = new Uint8Array(32)
const endpointOf = (operation: Endpoint<Caller>['operation']): Endpoint<Caller> => ({
  operation,
  handle: () => ({ status: 200 }),
})

const setUp = async (requestsPerKey: number) => {
  const { clock } = createManualClock(wallAt)
  const store = stepwiseStore({ now: clock.monotonic })
  const { accountId } = await createScene(store)
  const { apiKey, keyId, secret } = generateApiKey()
  await store.keys.insert({
    id: keyId,
    accountId,
    name: 'test',
    hmac: hashSecret(hmacKey, { keyId, secret }),
    scopes: ['read'],
    state: 'active',
    expiresAt: null,
    lastUsedAt: null,
    createdAt: wallAt,
  })
  const log = createLogger({ level: 'silent', name: 'test' })
  const passage = createPassage({
    store,
    clock,
    log,
    ids: { next: (kind) => kind },
    gate: createGate(store),
    meter: new UsageMeter({ store, clock, log }),
    tiers: defaultTiers,
    hmacKey,
    responseKey: new Uint8Array(32),
    adminKey: undefined,
    corsOrigins: [],
    requestsPerKey,
    bodies: createByteBudget({ totalBytes: 1_000_000, ownerBytes: 1_000_000 }),
    responseBudget: createResponseBudget(),
  })
  /** Passes the guards before the body. */
  const enter = async ({ operation, guards }: Route<Caller>) => {
    const request = guardedRequest<Caller>(operation, { 'x-api-key': apiKey })
    for (const guard of guards.slice(0, 3)) await guard(request)
    return request
  }
  return { ...passage, enter }
}

it('serves the requests that an MCP message sends itself, even to a key with one request at a time', async () => {
  const { route, mcpRoute, enter } = await setUp(1)
  const [message, list] = [mcpRoute(endpointOf(sendMcpMessage)), route(endpointOf(operations.listNamespaces))]
  await enter(message)
  const request = await enter(list)
  await expect(enter(list)).rejects.toMatchObject({ code: 'limited' })
  await expect(enter(message)).rejects.toMatchObject({ code: 'limited' })
  request.end()
  await enter(list)
})
