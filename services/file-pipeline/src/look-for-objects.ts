import type { Grant } from '@cairn/ports/metadata/records'
import { type NoticeDeps, noticeObject } from '@cairn/runtime/notice-object'
import type { PipelineDeps } from './deps.ts'

const grantsAtOnce = 500
/** An upload that began before its address expired may end long after. */
const lateMs = 24 * 3_600_000
const graceMs = 60_000
const firstPauseMs = 5_000
/** Every stored object is noticed within a minute, told of or not. */
const longestPauseMs = 30_000
const latePauseMs = 600_000

export type LookDeps = Pick<PipelineDeps, 'metadata' | 'files' | 'clock' | 'ids' | 'log'> & Pick<NoticeDeps, 'announce'>

/** Often at first, when most arrive; after a day of silence not at all. */
const pauseOf = ({ expiresAt, createdAt }: Grant, wallAt: number): number =>
  wallAt > expiresAt + graceMs ? latePauseMs : Math.min(longestPauseMs, Math.max(firstPauseMs, (wallAt - createdAt) / 4))

/** A grant goes, and before it the upload in parts that nobody completed: without the grant nobody would know of that. */
const forget = async ({ metadata, files }: LookDeps, grant: Grant): Promise<void> => {
  const { namespaceId, name, key, uploadId, looks } = grant
  if (uploadId !== null) {
    // Renewed since it was read, it stays, and the upload goes on.
    if ((await metadata.grants.get(namespaceId, name))?.looks !== looks) return
    try {
      await files.abortMultipart(key, uploadId)
    } catch (error) {
      await metadata.grants.looked(grant, { afterMs: latePauseMs })
      throw error
    }
  }
  await metadata.grants.remove(grant)
}

/** Looks whether the object that was announced is there, and whether it is another than before. */
export const lookForObject =
  (deps: LookDeps) =>
  async (grant: Grant): Promise<void> => {
    const { metadata, files, clock } = deps
    const object = await files.head(grant.key)
    const { seen } = grant
    if (object && (object.etag !== seen?.etag || object.modifiedAt !== seen.modifiedAt)) {
      const { outcome } = await noticeObject(deps, grant, object)
      // One that may not stay is gone now: the grant is looked at again like any other.
      if (outcome !== 'revoked' && outcome !== 'namespaceGone') return
    }
    const at = clock.now()
    if (at > grant.expiresAt + lateMs) return forget(deps, grant)
    return metadata.grants.looked(grant, { afterMs: pauseOf(grant, at) })
  }

/**
 * The truth about what arrived: every grant that is due is looked at. Notifications of the store only make it sooner; lost, doubled or
 * switched off, they change nothing.
 */
export const lookForObjects =
  (deps: LookDeps) =>
  async (signal: AbortSignal): Promise<void> => {
    const look = lookForObject(deps)
    for (const grant of await deps.metadata.grants.due(grantsAtOnce)) {
      if (signal.aborted) return
      await look(grant).catch((error: unknown) => deps.log.warn({ err: error, namespaceId: grant.namespaceId }, 'object not looked for'))
    }
  }
