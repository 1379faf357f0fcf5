import type { CallOptions, Transport } from './transport.ts'
import type {
  Account,
  ApiKey,
  ApiKeyCreated,
  CreateKey,
  DeadLetter,
  DeadLetterList,
  OrphanList,
  UpdateAccount,
  UpdateKey,
  Usage,
  UsageRange,
} from './types.ts'

/** One page: the first, or the one after `next` of the page before. */
export type AdminPage = CallOptions & {
  /** Items, 1 to 100. Default: 100. */
  readonly limit?: number | undefined
  readonly after?: string | undefined
}

/** Operations for the operator of a server. They need the option `adminKey`. */
export type Admin = {
  readonly accounts: {
    create(name: string, tier: string, options?: CallOptions): Promise<Account>
    list(options?: CallOptions): Promise<Account[]>
    /** Changes the tier, the end of the subscription, or both. */
    update(accountId: string, changes: UpdateAccount, options?: CallOptions): Promise<Account>
    /** Returns what an account uses of its plan, and its requests: by default of the last 30 days, by day. */
    usage(accountId: string, range?: UsageRange, options?: CallOptions): Promise<Usage>
  }
  readonly keys: {
    /** Creates a key. `api_key` is returned only here. */
    create(accountId: string, key: CreateKey, options?: CallOptions): Promise<ApiKeyCreated>
    list(accountId: string, options?: CallOptions): Promise<ApiKey[]>
    /** A revoked key stays revoked. */
    setState(keyId: string, state: UpdateKey['state'], options?: CallOptions): Promise<ApiKey>
  }
  readonly deadLetters: {
    /** Messages that could not be parsed or that no handler accepts. Oldest first. */
    list(page?: AdminPage): Promise<DeadLetterList>
    /** Publishes the message to its topic again. */
    replay(deadLetterId: string, options?: CallOptions): Promise<DeadLetter>
  }
  readonly orphans: {
    /** Objects in the store that no record in the database refers to. */
    list(page?: AdminPage): Promise<OrphanList>
    /** Lets the next sweep remove them. Up to 1,000 keys. */
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
      create: (name, tier, options) =>
        call('post', '/admin/v1/accounts', { body: { name, tier } }, { ...options, repeat: 'keyed' }),
      list: async (options) => (await call('get', '/admin/v1/accounts', {}, options)).accounts,
      update: (accountId, changes, options) =>
        call('patch', '/admin/v1/accounts/{account_id}', { params: ofAccount(accountId), body: changes }, options),
      usage: (accountId, range = {}, options) => {
        const params = { ...ofAccount(accountId), query: range }
        return call('get', '/admin/v1/accounts/{account_id}/usage', { params }, options)
      },
    },
    keys: {
      create: (accountId, key, options) => {
        const init = { params: ofAccount(accountId), body: key }
        return call('post', '/admin/v1/accounts/{account_id}/keys', init, { ...options, repeat: 'keyed' })
      },
      list: async (accountId, options) => {
        const init = { params: ofAccount(accountId) }
        return (await call('get', '/admin/v1/accounts/{account_id}/keys', init, options)).keys
      },
      setState: (keyId, state, options) =>
        call('patch', '/admin/v1/keys/{key_id}', { params: { path: { key_id: keyId } }, body: { state } }, options),
    },
    deadLetters: {
      list: (page = {}) => call('get', '/admin/v1/dead-letters', ...pageOf(page)),
      replay: (deadLetterId, options) => {
        const params = { path: { dead_letter_id: deadLetterId } }
        return call(
          'post',
          '/admin/v1/dead-letters/{dead_letter_id}/replay',
          { params },
          { ...options, repeat: 'keyed' },
        )
      },
    },
    orphans: {
      list: (page = {}) => call('get', '/admin/v1/orphans', ...pageOf(page)),
      approve: (keys, options) =>
        call('post', '/admin/v1/orphans/approve', { body: { keys: [...keys] } }, { ...options, repeat: 'keyed' }),
    },
  }
}
