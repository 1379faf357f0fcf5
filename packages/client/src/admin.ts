import { type CallOptions, keyed, type Transport } from './transport.ts'
import type {
  Account,
  ApiKey,
  ApiKeyCreated,
  CreateKey,
  OrphanList,
  Tier,
  UpdateAccount,
  UpdateKey,
  Usage,
  UsageRange,
} from './types.ts'

/** Options of one page: the first page, or the page that begins at the previous page's `next`. */
export type AdminPage = CallOptions & {
  /** Maximum items of the page, 1 to 100. Default: 100. */
  readonly limit?: number | undefined
  /** Start of the page: `next` of the page before. */
  readonly after?: string | undefined
}

/** Operations for the operator of a server. They need the option `adminKey`. */
export type Admin = {
  /** Accounts with their tiers, subscriptions and usage. */
  readonly accounts: {
    /** Creates an account without a key; `keys.create` creates one. */
    create(name: string, tier: string, options?: CallOptions): Promise<Account>
    /** Returns every account. */
    list(options?: CallOptions): Promise<Account[]>
    /** Changes the tier, the end of the subscription, or both. */
    update(accountId: string, changes: UpdateAccount, options?: CallOptions): Promise<Account>
    /** Returns usage, plan limits, and requests: by default of the last 30 days, by day. */
    usage(accountId: string, range?: UsageRange, options?: CallOptions): Promise<Usage>
  }
  /** Tiers of accounts. */
  readonly tiers: {
    /** Lists the tiers that accounts can have, with their limits. */
    list(options?: CallOptions): Promise<Tier[]>
  }
  /** API keys of accounts. */
  readonly keys: {
    /** Creates a key. `api_key` is returned only here. */
    create(accountId: string, key: CreateKey, options?: CallOptions): Promise<ApiKeyCreated>
    /** Returns the keys of an account, without their secrets. */
    list(accountId: string, options?: CallOptions): Promise<ApiKey[]>
    /** Changes the state of a key. A revoked key stays revoked. */
    setState(keyId: string, state: UpdateKey['state'], options?: CallOptions): Promise<ApiKey>
  }
  /** Stored objects that no record refers to. */
  readonly orphans: {
    /** Lists objects in the store to which no record in the database refers. */
    list(page?: AdminPage): Promise<OrphanList>
    /** Approves up to 1,000 orphaned objects, by key, for removal by the next sweep. */
    approve(keys: readonly string[], options?: CallOptions): Promise<{ readonly approved: number }>
  }
}

const pageOf = ({ limit, after, ...call }: AdminPage) => {
  const query = { ...(limit === undefined ? {} : { limit }), ...(after === undefined ? {} : { after }) }
  return [{ params: { query } }, call] as const
}

export const createAdmin = ({ call }: Transport): Admin => {
  const ofAccount = (account_id: string) => ({ path: { account_id } })
  return {
    accounts: {
      create: (name, tier, options) => call('post', '/admin/v1/accounts', { body: { name, tier } }, keyed(options)),
      list: async (options) => (await call('get', '/admin/v1/accounts', {}, options)).accounts,
      update: (accountId, changes, options) =>
        call('patch', '/admin/v1/accounts/{account_id}', { params: ofAccount(accountId), body: changes }, options),
      usage: (accountId, range = {}, options) => {
        const params = { ...ofAccount(accountId), query: range }
        return call('get', '/admin/v1/accounts/{account_id}/usage', { params }, options)
      },
    },
    tiers: { list: async (options) => (await call('get', '/admin/v1/tiers', {}, options)).tiers },
    keys: {
      create: (accountId, key, options) => {
        const init = { params: ofAccount(accountId), body: key }
        return call('post', '/admin/v1/accounts/{account_id}/keys', init, keyed(options))
      },
      list: async (accountId, options) => {
        const init = { params: ofAccount(accountId) }
        return (await call('get', '/admin/v1/accounts/{account_id}/keys', init, options)).keys
      },
      setState: (keyId, state, options) =>
        call('patch', '/admin/v1/keys/{key_id}', { params: { path: { key_id: keyId } }, body: { state } }, options),
    },
    orphans: {
      list: (page = {}) => call('get', '/admin/v1/orphans', ...pageOf(page)),
      approve: (keys, options) =>
        call('post', '/admin/v1/orphans/approve', { body: { keys: [...keys] } }, keyed(options)),
    },
  }
}
