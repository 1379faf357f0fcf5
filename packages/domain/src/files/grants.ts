import { reserve, reserved } from '../accounts/storage.ts'
import type { Page } from '../protocol/page.ts'
import {
  type ChangeOf,
  count,
  find,
  getOne,
  insertOne,
  now,
  type Protocol,
  type ReadProtocol,
  read,
  readLatest,
  remove,
  removeFound,
  updateIf,
  updateOne,
  type WhereOf,
} from '../protocol/steps.ts'
import { firstSweepMs } from '../protocol/times.ts'
import type { Grant, RegisteredObject } from './record.ts'

type Draft = Pick<
  Grant,
  | 'namespaceId'
  | 'name'
  | 'accountId'
  | 'key'
  | 'contentType'
  | 'expiresAt'
  | 'correlationId'
  | 'traceparent'
  | 'createdAt'
> & {
  /** Multipart upload that begins; absent or null: one in progress continues. */
  readonly uploadId?: string | null
  /** Absent: a renewed grant keeps what it has. */
  readonly metadata?: string | null
}
type OpenedGrant = Grant & {
  /** Multipart upload that the new one has replaced. */
  readonly replacedUploadId?: string
}

const maxAttempts = 16

export const grants = {
  /**
   * Creates or renews the grant of this name, which keeps its key while it is valid or has an open multipart upload.
   * Undefined: other requests keep changing it.
   */
  *open(draft: Draft): Protocol<OpenedGrant | undefined> {
    const nextLookAt = (yield* now()) + firstSweepMs
    const { namespaceId, name } = draft
    for (let round = 0; round < maxAttempts; round += 1) {
      const stored = yield* getOne('grants: read', 'grants', namespaceId, name)
      const { uploadId, ...rest } = draft
      if (!stored) {
        const grant = { ...rest, uploadId: uploadId ?? null, state: 'open' as const, nextLookAt, looks: 0, seen: null }
        if (yield* insertOne('grants: insert', 'grants', grant)) return grant
        continue
      }
      const { expiresAt, createdAt, ...others } = rest
      // A single PUT does not end a multipart upload in progress: whichever completes last provides the file.
      const underWay = stored.state === 'open' ? stored.uploadId : null
      const set = { ...others, uploadId: uploadId ?? underWay, createdAt, state: 'open' as const, nextLookAt }
      const renewed = yield* updateOne(
        'grants: renew',
        'grants',
        [namespaceId, name],
        { looks: stored.looks },
        // An earlier upload URL stays valid until its own expiry.
        { set: { ...set, expiresAt: Math.max(expiresAt, stored.expiresAt) }, inc: { looks: 1 } },
      )
      const isReplaced = underWay !== null && uploadId != null && uploadId !== underWay
      if (renewed && isReplaced) return { ...renewed, replacedUploadId: underWay }
      if (renewed) return renewed
    }
    return undefined
  },
  /** Extends an open grant to at least this wall time. Undefined: not open, or other requests keep changing it. */
  *extend(namespaceId: string, name: string, expiresAt: number, metadata?: string): Protocol<Grant | undefined> {
    for (let round = 0; round < maxAttempts; round += 1) {
      const stored = yield* getOne('grants: read', 'grants', namespaceId, name)
      if (stored?.state !== 'open') return undefined
      if (stored.expiresAt >= expiresAt && metadata === undefined) return stored
      const where: WhereOf<'grants'> = { state: 'open', looks: stored.looks }
      const later = yield* updateOne('grants: extend', 'grants', [namespaceId, name], where, {
        set: { expiresAt: Math.max(expiresAt, stored.expiresAt), ...(metadata === undefined ? {} : { metadata }) },
        inc: { looks: 1 },
      })
      if (later) return later
    }
    return undefined
  },
  reserve,
  reserved,
  /**
   * Turns the reservation of the parts into one of a PUT, which ends when the object is registered; `to: 'parts'`
   * reverses this. Returns false if the grant is not open or has another upload.
   */
  *moveReservation(
    { namespaceId, name, uploadId }: Pick<Grant, 'namespaceId' | 'name'> & { readonly uploadId: string },
    to: 'put' | 'parts',
    reservation: {
      readonly bytes: number
      /** Wall time. */
      readonly until: number
    },
  ): Protocol<boolean> {
    const { bytes, until } = reservation
    const set: ChangeOf<'grants'>['set'] =
      to === 'put'
        ? { reservedBytes: bytes, reservedUntil: until, partsUntil: null }
        : { partsBytes: bytes, partsUntil: until, reservedUntil: null }
    const where: WhereOf<'grants'> = { state: 'open', uploadId }
    return yield* updateIf('grants: move reservation', 'grants', [namespaceId, name], where, { set })
  },
  /** Ends the multipart upload and the reservation of its parts, if the grant has this one. */
  *endMultipart(namespaceId: string, name: string, uploadId: string): Protocol<void> {
    const change: ChangeOf<'grants'> = { set: { uploadId: null, partsUntil: null }, inc: { looks: 1 } }
    yield* updateIf('grants: end multipart', 'grants', [namespaceId, name], { uploadId }, change)
  },
  get: read((namespaceId: string, name: string) => getOne('grants: get', 'grants', namespaceId, name)),
  page: read((namespaceId: string, { after = '', limit }: Page) =>
    find('grants: page', 'grants', { namespaceId, name: { gt: after } }, ['name'], limit),
  ),
  /** Grants whose objects must be checked now. */
  due: read(function* (limit: number): ReadProtocol<Grant[]> {
    const at = yield* now()
    return yield* find('grants: due', 'grants', { nextLookAt: { lte: at } }, ['nextLookAt'], limit)
  }),
  /**
   * Records a check. `registered`, the object found, ends the reservation of a PUT, unless it was sent in a form.
   * `isNew`: the file has taken the grant's metadata, so another upload under the grant brings none. Does nothing if
   * the grant has changed since (`looks`).
   */
  *recordCheck(
    { namespaceId, name, looks }: Grant,
    {
      afterMs,
      registered: seen,
      inForm = false,
      isNew = false,
    }: {
      readonly afterMs: number
      readonly registered?: RegisteredObject
      readonly inForm?: boolean
      readonly isNew?: boolean
    },
  ): Protocol<void> {
    const at = yield* now()
    const ended: ChangeOf<'grants'>['set'] = {
      ...(seen === undefined || inForm ? {} : { reservedUntil: null }),
      ...(isNew ? { metadata: null } : {}),
    }
    yield* updateIf(
      'grants: record check',
      'grants',
      [namespaceId, name],
      { looks },
      { set: { nextLookAt: at + afterMs, ...(seen === undefined ? {} : { seen }), ...ended }, inc: { looks: 1 } },
    )
  },
  revoke: (namespaceId: string, name: string) =>
    updateOne(
      'grants: revoke',
      'grants',
      [namespaceId, name],
      {},
      { set: { state: 'revoked', seen: null, reservedUntil: null, partsUntil: null } },
    ),
  /** Removes the grant unless it has changed since it was read (`looks`). */
  *remove({ namespaceId, name, looks }: Grant): Protocol<void> {
    yield* remove('grants: remove', 'grants', [{ key: [namespaceId, name], where: { looks } }])
  },
  removeOfNamespace: (namespaceId: string, limit: number) =>
    removeFound(
      'grants: remove of namespace',
      'grants',
      find('grants: find of namespace', 'grants', { namespaceId }, ['name'], limit, ['namespaceId', 'name']),
    ),
  countOfNamespace: readLatest((namespaceId: string) => count('grants: count of namespace', 'grants', { namespaceId })),
}
