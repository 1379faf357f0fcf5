import { openUploadLimitReached, storageLimitReached } from '@cairn/contracts/failures'
import type { Account, Grant } from '@cairn/ports/metadata/records'
import { tierOf } from '@cairn/runtime/tiers'
import type { FilePorts } from '../deps.ts'

export type Reservation = {
  /** null: not announced; counts among the open uploads of the account. */
  readonly bytes: number | null
  /** The part of them that is stored already: parts. Default: none. */
  readonly stored?: number
  /** Wall time at which it ends by itself. */
  readonly until: number
}

/** Reserves what is uploaded under a grant, in place of its earlier reservation. AppError `forbidden` where the tier has no room for it. */
export const reserveStorage = async (
  { metadata, tiers, clock }: Pick<FilePorts, 'metadata' | 'tiers' | 'clock'>,
  { tier }: Pick<Account, 'tier'>,
  { accountId, namespaceId, name }: Pick<Grant, 'accountId' | 'namespaceId' | 'name'>,
  { bytes, stored = 0, until }: Reservation,
): Promise<void> => {
  const quota = tierOf(tiers, tier)
  if (quota.bytes === null && quota.openUploads === null) return
  const result = await metadata.grants.reserve({ accountId, namespaceId, name, bytes, until, at: clock.now(), quota })
  if (typeof result === 'string') return
  if ('overLimit' in result) {
    const attempted = bytes === null ? undefined : bytes - stored
    throw storageLimitReached({ tier, currentCount: result.overLimit + stored, tierLimit: quota.bytes ?? 0, attempted })
  }
  throw openUploadLimitReached({ tier, currentCount: result.overOpenUploads, tierLimit: quota.openUploads ?? 0 })
}
