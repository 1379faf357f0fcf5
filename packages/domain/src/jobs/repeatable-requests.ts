import { find, getOne, insertOne, now, type Protocol, remove, removeFound, updateIf } from '../protocol/steps.ts'
import { leaseMs } from '../protocol/times.ts'
import type { RepeatableRequest } from './record.ts'

/** `running`: another request with this key is. `reused`: the key is another request's. `response`: as stored. */
export type BeginResult = 'begun' | 'running' | 'reused' | { readonly response: string }

type Place = Pick<RepeatableRequest, 'owner' | 'key'>

type HeldKey = Place & Pick<RepeatableRequest, 'token'>

/** A running request holds its key for 30 s from `begin` or the last `renew`. */
export const repeatableRequests = {
  /** Keeps the record for `keepMs`. */
  *begin(
    { owner, key, token, fingerprint }: HeldKey & Pick<RepeatableRequest, 'fingerprint'>,
    keepMs: number,
  ): Protocol<BeginResult> {
    const at = yield* now()
    const begun = { owner, key, token, fingerprint, until: at + leaseMs, response: null, expiresAt: at + keepMs }
    if (yield* insertOne('repeatable requests: insert', 'repeatableRequests', begun)) return 'begun'
    const found = yield* getOne('repeatable requests: read', 'repeatableRequests', owner, key)
    // Released or removed since the insert: the client's next attempt begins the request.
    if (!found) return 'running'
    const isExpired = found.expiresAt <= at
    if (!isExpired && found.fingerprint !== fingerprint) return 'reused'
    if (!isExpired && found.response !== null) return { response: found.response }
    if (!isExpired && (found.until ?? 0) > at) return 'running'
    const taken = yield* updateIf(
      'repeatable requests: take over',
      'repeatableRequests',
      [owner, key],
      { token: found.token, until: found.until },
      { set: begun },
    )
    return taken ? 'begun' : 'running'
  },
  /** Returns false if another request has taken the key over. */
  *renew({ owner, key, token }: HeldKey): Protocol<boolean> {
    const at = yield* now()
    const set = { until: at + leaseMs }
    return yield* updateIf('repeatable requests: renew', 'repeatableRequests', [owner, key], { token }, { set })
  },
  /** Returns false, without a write, if another request has taken the key over. */
  *finish({ owner, key, token }: HeldKey, response: string): Protocol<boolean> {
    const set = { response, until: null }
    return yield* updateIf('repeatable requests: finish', 'repeatableRequests', [owner, key], { token }, { set })
  },
  /** Keeps no response. */
  *release({ owner, key, token }: HeldKey): Protocol<void> {
    yield* remove('repeatable requests: release', 'repeatableRequests', [{ key: [owner, key], where: { token } }])
  },
  /** Removes a record with a response, which only one of concurrent callers gets. */
  *take({ owner, key }: Place): Protocol<string | undefined> {
    const at = yield* now()
    const found = yield* getOne('repeatable requests: read to take', 'repeatableRequests', owner, key)
    if (!found || found.expiresAt <= at || found.response === null) return undefined
    const { token } = found
    const removals = [{ key: [owner, key], where: { token } }]
    const [removed] = yield* remove('repeatable requests: take', 'repeatableRequests', removals)
    return removed ? found.response : undefined
  },
  *prune(limit: number): Protocol<number> {
    const where = { expiresAt: { lte: yield* now() } }
    const fields = ['owner', 'key'] as const
    const expired = find('repeatable requests: find expired', 'repeatableRequests', where, ['expiresAt'], limit, fields)
    return yield* removeFound('repeatable requests: remove expired', 'repeatableRequests', expired, where)
  },
}
