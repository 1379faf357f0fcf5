import type { ReserveInput, ReserveResult } from '../port.ts'
import type { FileRecord } from '../records.ts'
import { type ChangeOf, count, find, getOne, read, type Steps, sum, updateOne, type WhereOf } from './steps.ts'

/** The open uploads of an account at this wall time. */
const open = (accountId: string, at: number): WhereOf<'grants'> => ({ accountId, reservedUntil: { gt: at } })

/** See `GrantStore.reserved`. */
export const reserved = read(function* (accountId: string, at: number) {
  const bytes = yield* sum('storage: reservations', 'grants', 'reservedBytes', open(accountId, at))
  return { bytes, openUploads: yield* count('storage: open uploads', 'grants', { ...open(accountId, at), reservedBytes: null }) }
})

/** See `Metadata.storedBytes`. The records are the ledger: a counter beside them could drift from them (ADR 16). */
export const storedBytes = read(function* (accountId: string, at: number) {
  const files = yield* sum('storage: files', 'files', 'bytes', { accountId })
  return files + (yield* sum('storage: reservations', 'grants', 'reservedBytes', open(accountId, at)))
})

/** Records of 0.1 say it of the object alone. */
const bytesOf = (file: Pick<FileRecord, 'bytes' | 'object'> | undefined): number => file?.bytes ?? file?.object.sizeBytes ?? 0

/** See `GrantStore.reserve`. It is written before the sum is taken, so that of those who come together each counts the others. */
export function* reserve(input: ReserveInput): Steps<ReserveResult> {
  const { accountId, namespaceId, name, bytes, until, at, quota } = input
  const key = [namespaceId, name]
  const before = yield* getOne('reserve: read', 'grants', namespaceId, name)
  const reservation: WhereOf<'grants'> = { reservedBytes: bytes, reservedUntil: until }
  const isNoted = (yield* updateOne('reserve: note', 'grants', key, { state: 'open' }, { set: reservation }, ['name'])) !== undefined
  const refused = yield* overQuota()
  if (isNoted && refused) {
    const { reservedBytes = null, reservedUntil = null } = before ?? {}
    const change: ChangeOf<'grants'> = { set: { reservedBytes, reservedUntil } }
    yield* updateOne('reserve: give back', 'grants', key, reservation, change, ['name'])
  }
  return refused ?? (isNoted ? 'reserved' : 'gone')

  function* overQuota(): Steps<Exclude<ReserveResult, string> | undefined> {
    if (quota.bytes !== null) {
      const stored = (yield* storedBytes(accountId, at)) - (isNoted ? (bytes ?? 0) : 0)
      const [replaced] = yield* find('reserve: file', 'files', { namespaceId, name }, ['id'], 1, ['bytes', 'object'])
      const left = quota.bytes - stored + bytesOf(replaced)
      if (bytes === null ? left <= 0 : left < bytes) return { overLimit: stored }
    }
    if (quota.openUploads === null || bytes !== null) return undefined
    const uploads = yield* count('reserve: open uploads', 'grants', { ...open(accountId, at), reservedBytes: null })
    return uploads > quota.openUploads ? { overOpenUploads: uploads - 1 } : undefined
  }
}

/** See `GrantStore.release`. */
export function* release(namespaceId: string, name: string): Steps<void> {
  yield* updateOne('release', 'grants', [namespaceId, name], {}, { set: { reservedUntil: null } }, ['name'])
}
