import { limits } from '@cairn/contracts/limits'
import type { Limit } from '../accounts/record.ts'
import type { ReserveResult } from '../accounts/storage.ts'
import type { Clock } from '../ports/clock.ts'
import type { FileStore } from '../ports/file-store.ts'
import type { Store } from '../store.ts'
import type { Grant } from './record.ts'

export type ReservePartsDeps = {
  readonly store: Pick<Store, 'grants'>
  readonly files: Pick<FileStore, 'multipartBytes'>
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Returns the wall time until which parts count: the store keeps them for a day after their last upload URL expired,
 * and the sweep may take an hour.
 */
export const partsUntil = (expiresAt: number): number => expiresAt + (limits.partsKeptSeconds + 3_600) * 1_000

/**
 * Reserves what the stored parts of the grant's multipart upload occupy now. `limit`: bytes of the account. `gone`: the
 * grant is not open, or has no multipart upload, or no stored parts.
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
