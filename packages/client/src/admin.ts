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

const pageOf = ({ limit, after, ...call }: AdminPage) => ({
  query: { ...(limit === undefined ? {} : { limit }), ...(after === undefined ? {} : { after }) },
  call: { ...call, repeat: 'idempotent' } as const,
})

export const createAdmin = ({ api, send }: Transport): Admin => {
  const ofAccount = (accountId: string) => ({ path: { account_id: accountId } })
  return {
    accounts: {
      create: (name, tier, options = {}) =>
        send((signal, headers) => api.POST('/admin/v1/accounts', { body: { name, tier }, signal, headers }), {
          ...options,
          repeat: 'keyed',
        }),
      list: async (options = {}) => {
        const { accounts } = await send((signal) => api.GET('/admin/v1/accounts', { signal }), {
          ...options,
          repeat: 'idempotent',
        })
        return accounts
      },
      update: (accountId, changes, options = {}) =>
        send(
          (signal) =>
            api.PATCH('/admin/v1/accounts/{account_id}', { params: ofAccount(accountId), body: changes, signal }),
          { ...options, repeat: 'idempotent' },
        ),
      usage: (accountId, range = {}, options = {}) =>
        send(
          (signal) =>
            api.GET('/admin/v1/accounts/{account_id}/usage', {
              params: { ...ofAccount(accountId), query: range },
              signal,
            }),
          { ...options, repeat: 'idempotent' },
        ),
    },
    keys: {
      create: (accountId, key, options = {}) =>
        send(
          (signal, headers) =>
            api.POST('/admin/v1/accounts/{account_id}/keys', {
              params: ofAccount(accountId),
              body: key,
              signal,
              headers,
            }),
          { ...options, repeat: 'keyed' },
        ),
      list: async (accountId, options = {}) => {
        const { keys } = await send(
          (signal) => api.GET('/admin/v1/accounts/{account_id}/keys', { params: ofAccount(accountId), signal }),
          { ...options, repeat: 'idempotent' },
        )
        return keys
      },
      setState: (keyId, state, options = {}) =>
        send(
          (signal) =>
            api.PATCH('/admin/v1/keys/{key_id}', { params: { path: { key_id: keyId } }, body: { state }, signal }),
          { ...options, repeat: 'idempotent' },
        ),
    },
    deadLetters: {
      list: (page = {}) => {
        const { query, call } = pageOf(page)
        return send((signal) => api.GET('/admin/v1/dead-letters', { params: { query }, signal }), call)
      },
      replay: (deadLetterId, options = {}) =>
        send(
          (signal, headers) =>
            api.POST('/admin/v1/dead-letters/{dead_letter_id}/replay', {
              params: { path: { dead_letter_id: deadLetterId } },
              signal,
              headers,
            }),
          { ...options, repeat: 'keyed' },
        ),
    },
    orphans: {
      list: (page = {}) => {
        const { query, call } = pageOf(page)
        return send((signal) => api.GET('/admin/v1/orphans', { params: { query }, signal }), call)
      },
      approve: (keys, options = {}) =>
        send(
          (signal, headers) => api.POST('/admin/v1/orphans/approve', { body: { keys: [...keys] }, signal, headers }),
          { ...options, repeat: 'keyed' },
        ),
    },
  }
}
