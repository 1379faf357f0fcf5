import { openUploadLimitReached, storageLimitReached } from '@cairn/contracts/api/failures'
import type { Account } from '@cairn/domain/accounts/record'
import type { ReserveInput } from '@cairn/domain/accounts/storage'
import { tierOf } from '@cairn/domain/accounts/tiers'
import type { Grant } from '@cairn/domain/files/record'
import type { FilePorts } from '../deps.ts'
import type { InFlight } from './bytes-in-flight.ts'

export type Reservation = Pick<ReserveInput, 'of' | 'uploadId' | 'bytes' | 'until' | 'inFlight'> & {
  /** Bytes already stored as parts. Default: 0. */
  readonly stored?: number
}

/** Reserves, or only checks. AppError `forbidden` when the tier's limit is reached. */
export const reserveStorage = async (
  { store, tiers, clock }: Pick<FilePorts, 'store' | 'tiers' | 'clock'>,
  { tier }: Pick<Account, 'tier'>,
  { accountId, namespaceId, name }: Pick<Grant, 'accountId' | 'namespaceId' | 'name'>,
  { stored = 0, ...reservation }: Reservation,
): Promise<void> => {
  const quota = tierOf(tiers, tier)
  if (quota.bytes === null && quota.openUploads === null) return
  const result = await store.grants.reserve({ accountId, namespaceId, name, ...reservation, at: clock.now(), quota })
  if (typeof result === 'string') return
  if ('overLimit' in result) {
    const attempted = reservation.bytes === null ? undefined : reservation.bytes - stored
    throw storageLimitReached({ tier, currentCount: result.overLimit + stored, tierLimit: quota.bytes ?? 0, attempted })
  }
  throw openUploadLimitReached({ tier, currentCount: result.overOpenUploads, tierLimit: quota.openUploads ?? 0 })
}

const unlimited: InFlight = { leave: () => {}, register: (record) => record() }

/** Throws AppError `forbidden` when the account's limit is reached. */
export const enterInFlight = async (
  deps: Pick<FilePorts, 'store' | 'tiers' | 'clock' | 'inFlight'>,
  account: Pick<Account, 'tier'>,
  grant: Pick<Grant, 'accountId' | 'namespaceId' | 'name'>,
  /** Without those that the grant has reserved, which are counted with the records. */
  bytes: number,
  reservationOf: () => Promise<Pick<Reservation, 'of' | 'bytes' | 'stored'>>,
): Promise<InFlight> => {
  if (tierOf(deps.tiers, account.tier).bytes === null) return unlimited
  return deps.inFlight.enter(grant.accountId, bytes, async (inFlight) =>
    reserveStorage(deps, account, grant, { ...(await reservationOf()), until: null, inFlight }),
  )
}
