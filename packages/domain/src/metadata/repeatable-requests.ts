import type { ProtocolOf } from './jobs.ts'
import type { RepeatableRequestStore } from './port.ts'
import { find, getOne, insertOne, now, remove, updateOne } from './steps.ts'
import { leaseMs } from './times.ts'

export const repeatableRequests: ProtocolOf<RepeatableRequestStore> = {
  *begin({ owner, key, token, fingerprint }, keepMs) {
    const at = yield* now()
    const begun = { owner, key, token, fingerprint, until: at + leaseMs, response: null, expiresAt: at + keepMs }
    if (yield* insertOne('repeatable requests: insert', 'repeatableRequests', begun)) return 'begun'
    const found = yield* getOne('repeatable requests: read', 'repeatableRequests', owner, key)
    // Released or removed since the insert: the client's next attempt begins.
    if (!found) return 'running'
    const isExpired = found.expiresAt <= at
    if (!isExpired && found.fingerprint !== fingerprint) return 'reused'
    if (!isExpired && found.response !== null) return { response: found.response }
    if (!isExpired && (found.until ?? 0) > at) return 'running'
    const taken = yield* updateOne(
      'repeatable requests: take over',
      'repeatableRequests',
      [owner, key],
      { token: found.token, until: found.until },
      { set: begun },
    )
    return taken ? 'begun' : 'running'
  },
  *renew({ owner, key, token }) {
    const at = yield* now()
    const set = { until: at + leaseMs }
    const renewed = yield* updateOne(
      'repeatable requests: renew',
      'repeatableRequests',
      [owner, key],
      { token },
      { set },
    )
    return renewed !== undefined
  },
  *finish({ owner, key, token }, response) {
    const set = { response, until: null }
    const done = yield* updateOne('repeatable requests: finish', 'repeatableRequests', [owner, key], { token }, { set })
    return done !== undefined
  },
  *release({ owner, key, token }) {
    yield* remove('repeatable requests: release', 'repeatableRequests', [{ key: [owner, key], where: { token } }])
  },
  *take({ owner, key }) {
    const at = yield* now()
    const found = yield* getOne('repeatable requests: read to take', 'repeatableRequests', owner, key)
    if (!found || found.expiresAt <= at || found.response === null) return undefined
    const { token } = found
    const removals = [{ key: [owner, key], where: { token } }]
    const [removed] = yield* remove('repeatable requests: take', 'repeatableRequests', removals)
    return removed ? found.response : undefined
  },
  *prune(limit) {
    const at = yield* now()
    const where = { expiresAt: { lte: at } }
    const expired = yield* find(
      'repeatable requests: find expired',
      'repeatableRequests',
      where,
      ['expiresAt'],
      limit,
      ['owner', 'key'],
    )
    const removed = yield* remove(
      'repeatable requests: remove expired',
      'repeatableRequests',
      expired.map(({ owner, key }) => ({ key: [owner, key], where })),
    )
    return removed.filter(Boolean).length
  },
}
