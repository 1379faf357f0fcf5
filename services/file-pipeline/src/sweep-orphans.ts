import { claimObjects, isOwnerMarker } from '@cairn/domain/files/claim-objects'
import { isOwned, namespaceOfKey, openGrantOf, partsOfKey } from '@cairn/domain/files/object-keys'
import { objectsUnder } from '@cairn/domain/files/objects-under'
import type { MultipartPlace, OpenMultipart, StoredFile } from '@cairn/domain/ports/file-store'
import type { PipelineDeps } from './deps.ts'

const entriesAtOnce = 500
/** A younger object may not be registered yet. */
const youngestMs = 3_600_000
/** Above it, only the number of orphans is reported until some are resolved. */
const maxNoted = 10_000
/**
 * Removals per pass without an operator's approval: the lesser of both, but at least one. A wrong or restored database
 * then causes little loss before an operator notices.
 */
const maxRemoved = 1_000
const maxRemovedShare = 0.01

export type SweepDeps = Pick<PipelineDeps, 'store' | 'files' | 'clock' | 'log' | 'ids'> & {
  /** From the first sighting of an orphan to its removal, unless an operator approves it earlier. */
  readonly orphanMs: number
  readonly observe?: (found: { readonly objects: number; readonly bytes: number }) => void
}

/** `removed`: objects of deleted namespaces, expired or approved orphans, and aborted multipart uploads. */
export type SweepResult = { readonly objects: number; readonly removed: number; readonly orphans: number }

/**
 * `owned`: a file record or an open grant names the object, or the namespace is being deleted. `retired`: its namespace
 * was deleted here. `unknown`: the database has no record of it.
 */
type Owner = 'owned' | 'retired' | 'unknown'

/** Caches the last namespace, because consecutive objects mostly share one. */
const createOwners = ({ store, files }: SweepDeps) => {
  let last: { readonly id: string; readonly retired: boolean } | undefined
  const isRetired = async (id: string): Promise<boolean> => {
    if (last?.id !== id) last = { id, retired: await store.namespaces.isRetired(id) }
    return last.retired
  }
  return async (key: string): Promise<Owner> => {
    if (await isOwned(store, files, key)) return 'owned'
    const namespace = await namespaceOfKey(store, files, key)
    // The deletion job of the namespace removes its objects.
    if (namespace?.state === 'deleting') return 'owned'
    const { namespaceId } = partsOfKey(files, key)
    return !namespace && (await isRetired(namespaceId)) ? 'retired' : 'unknown'
  }
}

async function* objectsOf({ files }: SweepDeps): AsyncGenerator<StoredFile> {
  for await (const object of objectsUnder(files, `${files.prefix}/`))
    if (!isOwnerMarker(files, object.key)) yield object
}

/** The upload belongs to no permission and is old enough to be aborted. */
const isAbandoned = async (
  { store, files, clock, orphanMs }: SweepDeps,
  { key, uploadId, startedAt }: OpenMultipart,
) => {
  if (clock.now() - startedAt < youngestMs) return false
  if ((await openGrantOf(store, files, key))?.uploadId === uploadId) return false
  const { namespaceId } = partsOfKey(files, key)
  const isKnown = (await namespaceOfKey(store, files, key)) !== undefined
  return isKnown || (await store.namespaces.isRetired(namespaceId)) || clock.now() - startedAt >= orphanMs
}

async function* openUploads({ files }: SweepDeps): AsyncGenerator<OpenMultipart> {
  for (let after: MultipartPlace | undefined; ; ) {
    const { uploads, next } = await files.openMultiparts({
      prefix: `${files.prefix}/`,
      limit: entriesAtOnce,
      ...(after ? { after } : {}),
    })
    yield* uploads
    if (!next) return
    after = next
  }
}

const abortAbandoned = async (deps: SweepDeps, signal: AbortSignal): Promise<number> => {
  const { files, log } = deps
  let aborted = 0
  for await (const upload of openUploads(deps)) {
    if (signal.aborted) break
    if (!(await isAbandoned(deps, upload))) continue
    await files.abortMultipart(upload.key, upload.uploadId)
    const { accountId, namespaceName } = partsOfKey(files, upload.key)
    log.warn({ accountId, namespaceName }, 'abandoned multipart upload aborted')
    aborted += 1
  }
  return aborted
}

/**
 * Removes at once objects of namespaces that were deleted here. Records unknown objects, and removes them within the
 * limits above if they are still found after `orphanMs`, or once an operator has approved it. Throws AppError
 * `conflict` if the objects belong to another installation.
 */
export const sweepOrphans =
  (deps: SweepDeps) =>
  async (signal: AbortSignal): Promise<SweepResult> => {
    const { store, files, clock, log, orphanMs } = deps
    await claimObjects(deps)
    const ownerOf = createOwners(deps)
    const startedAt = clock.now()
    let [objects, removed, orphans, bytes] = [0, 0, 0, 0]
    const due: string[] = []
    const remove = async (key: string, why: string) => {
      await files.remove([key])
      const { accountId, namespaceName } = partsOfKey(files, key)
      log.warn({ accountId, namespaceName, why }, 'orphaned object removed')
      removed += 1
    }
    for await (const { key, sizeBytes, modifiedAt } of objectsOf(deps)) {
      if (signal.aborted) return { objects, removed, orphans }
      objects += 1
      if (startedAt - modifiedAt < youngestMs) continue
      const owner = await ownerOf(key)
      if (owner === 'owned') continue
      if (owner === 'retired') {
        await remove(key, 'namespace deleted')
        continue
      }
      orphans += 1
      bytes += sizeBytes
      if (orphans > maxNoted) continue
      const { approved, firstSeenAt } = await store.orphans.recordOrphan({ key, sizeBytes }, startedAt)
      if (approved) await remove(key, 'approved')
      else if (startedAt - firstSeenAt >= orphanMs) due.push(key)
    }
    const max = Math.min(maxRemoved, Math.max(1, Math.floor(objects * maxRemovedShare)))
    for (const key of due.slice(0, max)) {
      // The object may have been uploaded again, or a restored database may know it.
      if (!signal.aborted && (await ownerOf(key)) === 'unknown') await remove(key, 'not known for a long time')
    }
    removed += await abortAbandoned(deps, signal)
    while (!signal.aborted && (await store.orphans.forget(startedAt, entriesAtOnce)) > 0);
    deps.observe?.({ objects: orphans, bytes })
    if (orphans > 0) log.warn({ orphans, bytes, removed }, 'orphaned objects found')
    return { objects, removed, orphans }
  }
