import type { Grant } from '../files/record.ts'
import {
  type ChangeOf,
  count,
  find,
  getOne,
  type Protocol,
  pause,
  read,
  sum,
  updateIf,
  type WhereOf,
} from '../protocol/steps.ts'
import type { Limit } from './record.ts'

/** `openUploads`: permitted uploads of unannounced size that have not arrived. */
export type StorageQuota = { readonly bytes: Limit; readonly openUploads: Limit }

export type ReserveInput = {
  readonly accountId: string
  readonly namespaceId: string
  readonly name: string
  /** A single PUT, or the parts of a multipart upload. */
  readonly of: 'put' | 'parts'
  /** Nothing is reserved if the grant has another multipart upload. Default: any. */
  readonly uploadId?: string
  /** null: not announced; rejected only when the quota is already reached. */
  readonly bytes: number | null
  /** Wall time at which it expires; null: only check the quota. */
  readonly until: number | null
  /** Wall time. */
  readonly at: number
  /** Bytes being received that are in no record yet. Default: 0. */
  readonly inFlight?: number
  readonly quota: StorageQuota
}

/**
 * `gone`: the grant is not open, or has another upload. `overLimit`, `overOpenUploads`: usage without this reservation;
 * an earlier one stays.
 */
export type ReserveResult = 'reserved' | 'gone' | { readonly overLimit: number } | { readonly overOpenUploads: number }

const puts = (accountId: string, at: number): WhereOf<'grants'> => ({ accountId, reservedUntil: { gt: at } })
const parts = (accountId: string, at: number): WhereOf<'grants'> => ({ accountId, partsUntil: { gt: at } })

function* reservedBytes(accountId: string, at: number) {
  const ofPuts = yield* sum('storage: reserved for PUTs', 'grants', 'reservedBytes', puts(accountId, at))
  return ofPuts + (yield* sum('storage: reserved for parts', 'grants', 'partsBytes', parts(accountId, at)))
}

function* openUploads(accountId: string, at: number) {
  const ofPuts = yield* count('storage: open PUTs', 'grants', { ...puts(accountId, at), reservedBytes: null })
  return (
    ofPuts + (yield* count('storage: open multipart uploads', 'grants', { ...parts(accountId, at), partsBytes: null }))
  )
}

/** `openUploads`: number of reservations without an announced size. */
export const reserved = read(function* (accountId: string, at: number) {
  return { bytes: yield* reservedBytes(accountId, at), openUploads: yield* openUploads(accountId, at) }
})

/**
 * Bytes of the account's files and reservations at this wall time. Reads one index entry per file, because a separate
 * counter could drift from the records (ADR 16).
 */
export const storedBytes = read(function* (accountId: string, at: number) {
  return (yield* sum('storage: files', 'files', 'bytes', { accountId })) + (yield* reservedBytes(accountId, at))
})

/** Returns the reserved bytes of a PUT; null: size not announced; undefined: no reservation in force. */
export const putReservation = (grant: Grant | undefined, at: number): number | null | undefined =>
  grant && (grant.reservedUntil ?? 0) > at ? (grant.reservedBytes ?? null) : undefined

const partsReservation = (grant: Grant | undefined, at: number): number =>
  grant && (grant.partsUntil ?? 0) > at ? (grant.partsBytes ?? 0) : 0

/** An earlier upload URL may still be used, so a renewal never lowers the reservation. */
const renewed = (before: number | null | undefined, bytes: number | null): number | null => {
  if (before === undefined) return bytes
  return before === null || bytes === null ? before : Math.max(before, bytes)
}

/** Checks before a rejection: the sum may include concurrent requests that will be rejected themselves. */
export const quotaChecks = 3

/**
 * Replaces the grant's reservation of this kind, never with a lower one while it is in force. Does not count the file
 * that a PUT replaces. Rejects only after `quotaChecks` checks.
 */
export function* reserve(input: ReserveInput): Protocol<ReserveResult> {
  for (let attempt = 1; ; attempt += 1) {
    const result = yield* tryToReserve(input)
    if (typeof result === 'string' || attempt === quotaChecks || !(yield* pause('reserve: pause'))) return result
  }
}

/** Writes the reservation before reading the sum, so that concurrent requests are in each other's sums. */
function* tryToReserve(input: ReserveInput): Protocol<ReserveResult> {
  const { accountId, namespaceId, name, of, uploadId, until, at, inFlight = 0, quota } = input
  const key = [namespaceId, name]
  const before = yield* getOne('reserve: read', 'grants', namespaceId, name)
  const own = of === 'parts' ? partsReservation(before, at) : (putReservation(before, at) ?? 0)
  const bytes = of === 'parts' || until === null ? input.bytes : renewed(putReservation(before, at), input.bytes)
  const reservation: WhereOf<'grants'> =
    of === 'parts' ? { partsBytes: bytes, partsUntil: until } : { reservedBytes: bytes, reservedUntil: until }
  const where: WhereOf<'grants'> = { state: 'open', ...(uploadId === undefined ? {} : { uploadId }) }
  const isRecorded = until !== null && (yield* updateIf('reserve: record', 'grants', key, where, { set: reservation }))
  const isCounted = isRecorded && until > at
  const excess = yield* findExcess(isCounted ? (bytes ?? 0) : isRecorded ? 0 : own)
  if (isRecorded && excess) {
    const { reservedBytes = null, reservedUntil = null, partsBytes = null, partsUntil = null } = before ?? {}
    const change: ChangeOf<'grants'> =
      of === 'parts' ? { set: { partsBytes, partsUntil } } : { set: { reservedBytes, reservedUntil } }
    yield* updateIf('reserve: restore', 'grants', key, reservation, change)
  }
  if (excess) return excess
  return isRecorded || (until === null && before?.state === 'open') ? 'reserved' : 'gone'

  /** `counted`: the part of the sum that this grant has reserved. */
  function* findExcess(counted: number): Protocol<Exclude<ReserveResult, string> | undefined> {
    if (quota.bytes !== null) {
      const stored = (yield* storedBytes(accountId, at)) - counted + inFlight
      const [replaced] =
        of === 'parts' ? [] : yield* find('reserve: file', 'files', { namespaceId, name }, ['id'], 1, ['bytes'])
      const left = quota.bytes - stored + (replaced?.bytes ?? 0)
      if (bytes === null ? left <= 0 : left < bytes) return { overLimit: stored }
    }
    if (quota.openUploads === null || bytes !== null || until === null) return undefined
    const open = yield* openUploads(accountId, at)
    return open > quota.openUploads ? { overOpenUploads: open - 1 } : undefined
  }
}
