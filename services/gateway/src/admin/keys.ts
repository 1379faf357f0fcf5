import { notFound } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import type { ApiKey } from '@cairn/domain/accounts/record'
import { generateApiKey, hashSecret } from '@cairn/runtime/http/api-key'
import type { Endpoint } from '@cairn/runtime/http/api-request'
import { endpoint, type ResponseBody } from '@cairn/runtime/http/endpoint'
import type { Caller } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { iso, isoOrNull } from '../iso.ts'

const view = (key: ApiKey, at: number): ResponseBody<typeof operations.updateKey, 200> => ({
  key_id: key.id,
  account_id: key.accountId,
  name: key.name,
  scopes: key.scopes,
  state: key.state !== 'revoked' && key.expiresAt !== null && key.expiresAt <= at ? 'expired' : key.state,
  expires_at: isoOrNull(key.expiresAt),
  last_used_at: isoOrNull(key.lastUsedAt),
  created_at: iso(key.createdAt),
})

export const createKey = ({
  store,
  clock,
  hmacKey,
}: GatewayPorts & { readonly hmacKey: Uint8Array }): Endpoint<Caller> =>
  endpoint(operations.createKey, async ({ params, body }) => {
    const account = await store.accounts.get(params.account_id)
    if (!account) throw notFound('account')
    const { name, scopes, expires_at: expires } = body()
    const generated = generateApiKey()
    const at = clock.now()
    const key: ApiKey = {
      id: generated.keyId,
      accountId: account.id,
      name,
      hmac: hashSecret(hmacKey, generated),
      scopes,
      state: 'active',
      expiresAt: expires ? Date.parse(expires) : null,
      lastUsedAt: null,
      createdAt: at,
    }
    await store.keys.insert(key)
    return { status: 201, body: { api_key: generated.apiKey, ...view(key, at) } }
  })

export const listKeys = ({ store, clock }: GatewayPorts): Endpoint<Caller> =>
  endpoint(operations.listKeys, async ({ params }) => {
    const account = await store.accounts.get(params.account_id)
    if (!account) throw notFound('account')
    const keys = await store.keys.ofAccount(account.id)
    return { status: 200, body: { keys: keys.map((key) => view(key, clock.now())) } }
  })

export const updateKey = ({ store, clock }: GatewayPorts): Endpoint<Caller> =>
  endpoint(operations.updateKey, async ({ params, body }) => {
    const { state } = body()
    const key = await store.keys.setState(params.key_id, state)
    if (!key) throw notFound('key')
    return { status: 200, body: view(key, clock.now()) }
  })
