import { atOnce } from '@cairn/contracts/flow/at-once'
import { limits } from '@cairn/contracts/limits'
import type { Grant } from '@cairn/domain/files/record'
import { type RegisterDeps, registerObject, storageLimit } from '@cairn/domain/files/register-object'
import { reserveParts } from '@cairn/domain/files/reserve-parts'
import type { PipelineDeps } from './deps.ts'

/**
 * Grants per sweep. One sweep every 5 s makes at most 100 checks a second, each a request to the store and an update:
 * enough for 3,000 valid upload URLs, or 4,500 expired ones without a file (720 more per hour), or 60,000 expired ones
 * with a file. With more grants, checks are delayed.
 */
const grantsAtOnce = 500
const checksAtOnce = 8
/** Grants are kept this long: an upload that began before the URL expired may end long after. */
const lateMs = limits.partsKeptSeconds * 1_000
/** Most late uploads end in this time: 5 GB are then 250 kB a second. */
const slowMs = 6 * 3_600_000
const graceMs = 60_000
const firstPauseMs = 5_000
/** Two pauses and a sweep take less than a minute: every object is registered within one, even without event. */
const maxPauseMs = 30_000
const awaitedPauseMs = 45_000
const latePauseMs = 600_000
/** Some stores report whole seconds, and their clocks may be behind. */
const clockDifferenceMs = 2_000

export type ReconcileDeps = Pick<PipelineDeps, 'store' | 'files' | 'clock' | 'ids' | 'log' | 'tiers'> &
  Pick<RegisterDeps, 'send'>

/** `seen` may describe an object older than the last upload URL. */
const isAwaited = ({ state, seen, createdAt }: Grant): boolean =>
  state === 'open' && (seen === null || seen.modifiedAt < createdAt - clockDifferenceMs)

/** Short at first, when most objects arrive; longer after the URL has expired. */
const pauseOf = (grant: Grant, wallAt: number): number => {
  const { expiresAt, createdAt } = grant
  if (wallAt <= expiresAt + graceMs) return Math.min(maxPauseMs, Math.max(firstPauseMs, (wallAt - createdAt) / 4))
  return wallAt <= expiresAt + slowMs && isAwaited(grant) ? awaitedPauseMs : latePauseMs
}

/** Aborts the incomplete multipart upload first: nothing else refers to it. */
const removeGrant = async ({ store, files }: ReconcileDeps, grant: Grant): Promise<void> => {
  const { namespaceId, name, key, uploadId, looks } = grant
  if (uploadId !== null) {
    // The grant was renewed since it was read, so the upload continues.
    if ((await store.grants.get(namespaceId, name))?.looks !== looks) return
    try {
      await files.abortMultipart(key, uploadId)
    } catch (error) {
      await store.grants.recordCheck(grant, { afterMs: latePauseMs })
      throw error
    }
  }
  await store.grants.remove(grant)
}

/** An object store accepts parts without asking. An upload beyond the account's limit is aborted. */
const countParts = async (deps: ReconcileDeps, grant: Grant): Promise<void> => {
  const { accountId, namespaceId, name, key, uploadId, partsUntil } = grant
  // `partsUntil` is null while the upload is being completed; it is then counted as a PUT.
  const limit = uploadId === null || partsUntil === null ? null : await storageLimit(deps, accountId)
  if (limit === null || uploadId === null) return
  if (typeof (await reserveParts(deps, grant, limit)) === 'string') return
  await deps.files.abortMultipart(key, uploadId)
  await deps.store.grants.endMultipart(namespaceId, name, uploadId)
  deps.log.warn({ accountId, namespaceId, limit }, 'multipart upload aborted: storage limit reached')
}

/** Registers the object of a grant if it is new or changed. */
export const reconcileUpload =
  (deps: ReconcileDeps) =>
  async (grant: Grant): Promise<void> => {
    const { store, files, clock } = deps
    const object = await files.head(grant.key)
    const { seen } = grant
    if (object && (object.etag !== seen?.etag || object.modifiedAt !== seen.modifiedAt)) {
      const { outcome } = await registerObject(deps, grant, object)
      // A rejected object is removed, so the grant is checked again like any other.
      if (outcome !== 'revoked' && outcome !== 'namespaceGone') return
    }
    // Also if an object with the same name has arrived: the store keeps parts separately.
    if (grant.state === 'open') await countParts(deps, grant)
    const at = clock.now()
    if (at > grant.expiresAt + lateMs) return removeGrant(deps, grant)
    return store.grants.recordCheck(grant, { afterMs: pauseOf(grant, at) })
  }

/** Decides which objects have arrived; events only make checks sooner, so lost or duplicate ones change nothing. */
export const reconcileUploads =
  (deps: ReconcileDeps) =>
  async (signal: AbortSignal): Promise<void> => {
    const reconcile = reconcileUpload(deps)
    await atOnce(checksAtOnce, await deps.store.grants.due(grantsAtOnce), async (grant) => {
      if (signal.aborted) return
      await reconcile(grant).catch((error: unknown) =>
        deps.log.warn({ err: error, namespaceId: grant.namespaceId }, 'upload not reconciled'),
      )
    })
  }
