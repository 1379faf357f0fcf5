import { limits } from '@cairn/contracts/limits'
import type { Limit } from '../accounts/record.ts'
import type { ReserveResult } from '../accounts/storage.ts'
import type { Clock } from '../ports/clock.ts'
import type { FileStore } from '../ports/file-store.ts'
import type { Store } from '../store.ts'
import type { Grant } from './record.ts'

export type ReservePartsDeps = {
  readonly store: Store
  readonly files: Pick<FileStore, 'multipartBytes'>
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Returns the wall time until which parts count as stored: the store keeps them for a day after the last of their
 * upload URLs expired, and the sweep that removes them may take an hour.
 */
export const partsUntil = (expiresAt: number): number => expiresAt + (limits.partsKeptSeconds + 3_600) * 1_000

/**
 * Reserves the bytes that the parts of the grant's multipart upload occupy in the store now. `limit`: the bytes that
 * the account may store. `gone`: the grant is not open, or the upload was completed, aborted or not begun, or has no
 * stored parts.
 */
export const reserveParts = async (
  { store, files, clock }: ReservePartsDeps,
  { accountId, namespaceId, name, key, uploadId, expiresAt }: Grant,
  limit: Limit,
): Promise<ReserveResult> => {
  const bytes = uploadId === null ? undefined : await files.multipartBytes(key, uploadId)
  if (uploadId === null || !bytes) return 'gone'
  return store.grants.reserve({
    accountId,
    namespaceId,
    name,
    of: 'parts',
    uploadId,
    bytes,
    until: partsUntil(expiresAt),
    at: clock.now(),
    quota: { bytes: limit, openUploads: null },
  })
}
