import type { ProtocolOf } from './jobs.ts'
import type { GrantStore } from './port.ts'
import {
  type ChangeOf,
  count,
  find,
  getOne,
  insertOne,
  now,
  read,
  readLatest,
  remove,
  removeAll,
  updateOne,
  type WhereOf,
} from './steps.ts'
import { reserve, reserved } from './storage.ts'
import { firstSweepMs } from './times.ts'

const rounds = 16

export const grants: ProtocolOf<GrantStore> = {
  *open(draft) {
    const nextLookAt = (yield* now()) + firstSweepMs
    const { namespaceId, name } = draft
    for (let round = 0; round < rounds; round += 1) {
      const stored = yield* getOne('grants: read', 'grants', namespaceId, name)
      const { uploadId, ...rest } = draft
      if (!stored) {
        const grant = { ...rest, uploadId: uploadId ?? null, state: 'open' as const, nextLookAt, looks: 0, seen: null }
        if (yield* insertOne('grants: insert', 'grants', grant)) return grant
        continue
      }
      const { expiresAt, createdAt, ...others } = rest
      // A multipart upload in progress continues beside a single PUT: the one that ends last is the file.
      const underWay = stored.state === 'open' ? stored.uploadId : null
      // A valid address and a multipart upload keep the key they began with.
      const key = stored.expiresAt > createdAt || underWay !== null ? stored.key : draft.key
      const set = { ...others, uploadId: uploadId ?? underWay, key, createdAt, state: 'open' as const, nextLookAt }
      const renewed = yield* updateOne(
        'grants: renew',
        'grants',
        [namespaceId, name],
        { looks: stored.looks },
        // An earlier address stays valid until its own end.
        { set: { ...set, expiresAt: Math.max(expiresAt, stored.expiresAt) }, inc: { looks: 1 } },
      )
      const isReplaced = underWay !== null && uploadId != null && uploadId !== underWay
      if (renewed && isReplaced) return { ...renewed, replacedUploadId: underWay }
      if (renewed) return renewed
    }
    return undefined
  },
  *extend(namespaceId, name, expiresAt) {
    for (let round = 0; round < rounds; round += 1) {
      const stored = yield* getOne('grants: read', 'grants', namespaceId, name)
      if (stored?.state !== 'open') return undefined
      if (stored.expiresAt >= expiresAt) return stored
      const where: WhereOf<'grants'> = { state: 'open', looks: stored.looks }
      const later = yield* updateOne('grants: extend', 'grants', [namespaceId, name], where, {
        set: { expiresAt },
        inc: { looks: 1 },
      })
      if (later) return later
    }
    return undefined
  },
  reserve,
  reserved,
  *moveReservation({ namespaceId, name, uploadId }, to, { bytes, until }) {
    const set: ChangeOf<'grants'>['set'] =
      to === 'put'
        ? { reservedBytes: bytes, reservedUntil: until, partsUntil: null }
        : { partsBytes: bytes, partsUntil: until, reservedUntil: null }
    const where: WhereOf<'grants'> = { state: 'open', uploadId }
    return (
      (yield* updateOne('grants: move reservation', 'grants', [namespaceId, name], where, { set }, ['name'])) !==
      undefined
    )
  },
  *endMultipart(namespaceId, name, uploadId) {
    const change: ChangeOf<'grants'> = { set: { uploadId: null, partsUntil: null }, inc: { looks: 1 } }
    yield* updateOne('grants: end multipart', 'grants', [namespaceId, name], { uploadId }, change, ['name'])
  },
  get: read(function* (namespaceId, name) {
    return yield* getOne('grants: get', 'grants', namespaceId, name)
  }),
  page: read(function* (namespaceId, { after = '', limit }) {
    return yield* find('grants: page', 'grants', { namespaceId, name: { gt: after } }, ['name'], limit)
  }),
  due: read(function* (limit) {
    const at = yield* now()
    return yield* find('grants: due', 'grants', { nextLookAt: { lte: at } }, ['nextLookAt'], limit)
  }),
  *recordCheck({ namespaceId, name, looks }, { afterMs, registered: seen, inForm = false }) {
    const at = yield* now()
    const ended: ChangeOf<'grants'>['set'] = seen === undefined || inForm ? {} : { reservedUntil: null }
    yield* updateOne(
      'grants: record check',
      'grants',
      [namespaceId, name],
      { looks },
      { set: { nextLookAt: at + afterMs, ...(seen === undefined ? {} : { seen }), ...ended }, inc: { looks: 1 } },
      ['name'],
    )
  },
  *revoke(namespaceId, name) {
    return yield* updateOne(
      'grants: revoke',
      'grants',
      [namespaceId, name],
      {},
      { set: { state: 'revoked', seen: null, reservedUntil: null, partsUntil: null } },
    )
  },
  *remove({ namespaceId, name, looks }) {
    yield* remove('grants: remove', 'grants', [{ key: [namespaceId, name], where: { looks } }])
  },
  *removeOfNamespace(namespaceId, limit) {
    const some = yield* find('grants: find of namespace', 'grants', { namespaceId }, ['name'], limit, ['name'])
    const keys = some.map(({ name }) => [namespaceId, name])
    return yield* removeAll('grants: remove of namespace', 'grants', keys)
  },
  countOfNamespace: readLatest(function* (namespaceId) {
    return yield* count('grants: count of namespace', 'grants', { namespaceId })
  }),
}
