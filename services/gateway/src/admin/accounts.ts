import { notFound } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { AppError } from '@cairn/contracts/errors'
import { pagesOf } from '@cairn/contracts/flow/pages-of'
import { type Account, shownCount } from '@cairn/domain/accounts/record'
import { type Tiers, tierOf } from '@cairn/domain/accounts/tiers'
import type { Endpoint } from '@cairn/runtime/http/api-request'
import { endpoint, type ResponseBody } from '@cairn/runtime/http/endpoint'
import type { Caller } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { iso, isoOrNull } from '../iso.ts'
import { readUsageHistory } from '../usage/usage-history.ts'
import { periodOf } from '../usage-meter.ts'

const shownCounts = ({ counts: { namespaces, documents, vectors } }: Account) => ({
  namespaces: shownCount(namespaces),
  documents: shownCount(documents),
  vectors: shownCount(vectors),
})

const view = (account: Account, at: number): ResponseBody<typeof operations.updateAccount, 200> => ({
  account_id: account.id,
  name: account.name,
  tier: account.tier,
  status: account.subscriptionEndsAt !== null && account.subscriptionEndsAt <= at ? 'expired' : 'active',
  subscription_ends_at: isoOrNull(account.subscriptionEndsAt),
  ...shownCounts(account),
  created_at: iso(account.createdAt),
})

const knownTier = (tiers: Tiers, tier: string): string => {
  if (Object.hasOwn(tiers, tier)) return tier
  throw new AppError('invalid', `tier must be one of ${Object.keys(tiers).join(', ')}`, {
    body: { details: { field: 'tier', requirement: 'must be the name of a tier' } },
  })
}

export const createAccount = ({ store, ids, clock, tiers }: GatewayPorts): Endpoint<Caller> =>
  endpoint(operations.createAccount, async ({ body }) => {
    const { name, tier } = body()
    const at = clock.now()
    const account = await store.accounts.insert({
      id: ids.next('acc'),
      name,
      tier: knownTier(tiers, tier),
      subscriptionEndsAt: null,
      createdAt: at,
    })
    return { status: 201, body: view(account, at) }
  })

export const listTiers = ({ tiers }: Pick<GatewayPorts, 'tiers'>): Endpoint<Caller> =>
  endpoint(operations.listTiers, async () => ({
    status: 200,
    body: {
      tiers: Object.entries(tiers).map(([name, { openUploads, ...limits }]) => ({
        name,
        ...limits,
        open_uploads: openUploads,
      })),
    },
  }))

const pageSize = 500

export const listAccounts = ({ store, clock }: GatewayPorts): Endpoint<Caller> =>
  endpoint(operations.listAccounts, async () => {
    const pages = await Array.fromAsync(pagesOf(pageSize, store.accounts.page, ({ id }) => id))
    return { status: 200, body: { accounts: pages.flat().map((account) => view(account, clock.now())) } }
  })

export const updateAccount = ({ store, clock, tiers }: GatewayPorts): Endpoint<Caller> =>
  endpoint(operations.updateAccount, async ({ params, body }) => {
    const { tier, subscription_ends_at: ends } = body()
    const account = await store.accounts.update(params.account_id, {
      ...(tier === undefined ? {} : { tier: knownTier(tiers, tier) }),
      ...(ends === undefined ? {} : { subscriptionEndsAt: ends === null ? null : Date.parse(ends) }),
    })
    if (!account) throw notFound('account')
    return { status: 200, body: view(account, clock.now()) }
  })

export const getUsage = (deps: GatewayPorts): Endpoint<Caller> =>
  endpoint(operations.getUsage, async ({ params, query }) => {
    const { store, clock, tiers } = deps
    const account = await store.accounts.get(params.account_id)
    if (!account) throw notFound('account')
    const at = clock.now()
    const period = periodOf(at)
    const history = await readUsageHistory(deps, account.id, query())
    const [usage, storedBytes, reserved] = await Promise.all([
      store.usage.get(account.id, period),
      store.storedBytes(account.id, at),
      store.grants.reserved(account.id, at),
    ])
    const tier = tierOf(tiers, account.tier)
    const counts = shownCounts(account)
    return {
      status: 200,
      body: {
        account_id: account.id,
        tier: account.tier,
        period,
        requests: { used: usage?.requests ?? 0, limit: tier.requests },
        credits: { used: usage?.credits ?? 0 },
        namespaces: { used: counts.namespaces, limit: tier.namespaces },
        documents: { used: counts.documents, limit: tier.documents },
        vectors: { used: counts.vectors, limit: tier.vectors },
        bytes: { used: storedBytes, reserved: reserved.bytes, limit: tier.bytes },
        open_uploads: { used: reserved.openUploads, limit: tier.openUploads },
        ...history,
      },
    }
  })
