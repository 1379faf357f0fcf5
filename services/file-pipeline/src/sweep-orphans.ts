import { claimObjects, isOwnerMarker, ownsLegacyKeys } from '@cairn/domain/claim-objects'
import { isOwned, namespaceOfKey, openGrantOf, partsOfKey } from '@cairn/domain/object-keys'
import { objectsUnder } from '@cairn/domain/objects-under'
import type { MultipartPlace, OpenMultipart, StoredFile } from '@cairn/ports/file-store/port'
import type { Installation } from '@cairn/ports/metadata/records'
import type { PipelineDeps } from './deps.ts'

const entriesAtOnce = 500
/** A direct upload has its grant before its object; what is younger may still be on its way to being known. */
const youngestMs = 3_600_000
/** Orphans that are noted; of more than these only the number is reported until some of them are dealt with. */
const mostNoted = 10_000
/** Removed in one pass without an operator's word: the lesser of the two, so that a wrong or restored database does little before somebody looks. */
const mostRemoved = 1_000
const mostRemovedShare = 0.01

export type SweepDeps = Pick<PipelineDeps, 'metadata' | 'files' | 'clock' | 'log' | 'ids'> & {
  /** How long an orphan stays after it was first seen, unless an operator has agreed to its removal. */
  readonly orphanMs: number
  /** Hears of the result of each pass. */
  readonly observe?: (found: { readonly objects: number; readonly bytes: number }) => void
}

/** `objects`: walked. `removed`: of deleted namespaces, and orphans whose time was over. `orphans`: left. */
export type SweepResult = { readonly objects: number; readonly removed: number; readonly orphans: number }

/** Whose an object is: of an existing namespace, of one that was deleted here, or of none that this database knows. */
type Owner = 'owned' | 'retired' | 'unknown'

/** Answers are kept for one pass: an object of a namespace mostly comes behind another of it. */
const createOwners = ({ metadata, files }: SweepDeps) => {
  let last: { readonly id: string; readonly retired: boolean } | undefined
  const isRetired = async (id: string): Promise<boolean> => {
    if (last?.id !== id) last = { id, retired: await metadata.namespaces.isRetired(id) }
    return last.retired
  }
  return async (key: string): Promise<Owner> => {
    if (await isOwned(metadata, files, key)) return 'owned'
    const namespace = await namespaceOfKey(metadata, files, key)
    // Its deletion removes what it has.
    if (namespace?.state === 'deleting') return 'owned'
    const { namespaceId } = partsOfKey(files, key)
    return !namespace && namespaceId !== undefined && (await isRetired(namespaceId)) ? 'retired' : 'unknown'
  }
}

/** Objects under the prefix of this installation; then those of 0.1, where they are its own, of accounts that it has. */
async function* objectsOf(deps: SweepDeps, installation: Installation): AsyncGenerator<StoredFile> {
  const { metadata, files } = deps
  for await (const object of objectsUnder(files, `${files.prefix}/`)) if (!isOwnerMarker(files, object.key)) yield object
  if (!(await ownsLegacyKeys(deps, installation))) return
  for (let after = ''; ; ) {
    const accounts = await metadata.accounts.page({ after, limit: 100 })
    for (const { id } of accounts) yield* objectsUnder(files, `${id}/`)
    const last = accounts.at(-1)
    if (accounts.length < 100 || !last) return
    after = last.id
  }
}

/** An upload in parts that no grant has. One that is orphaned holds no file: nobody can complete it after so long. */
const isAbandoned = async ({ metadata, files, clock, orphanMs }: SweepDeps, { key, uploadId, startedAt }: OpenMultipart) => {
  if (clock.now() - startedAt < youngestMs) return false
  if ((await openGrantOf(metadata, files, key))?.uploadId === uploadId) return false
  const { namespaceId } = partsOfKey(files, key)
  const isKnown = (await namespaceOfKey(metadata, files, key)) !== undefined
  return isKnown || (namespaceId !== undefined && (await metadata.namespaces.isRetired(namespaceId))) || clock.now() - startedAt >= orphanMs
}

async function* openUploads({ files }: SweepDeps): AsyncGenerator<OpenMultipart> {
  for (let after: MultipartPlace | undefined; ; ) {
    const { uploads, next } = await files.openMultiparts({ prefix: `${files.prefix}/`, limit: entriesAtOnce, ...(after ? { after } : {}) })
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
 * Walks the objects of this installation. What belongs to a namespace that was deleted here is removed at once; what this database knows
 * nothing of is noted, and removed when it is seen again after `orphanMs`, within the limits above, or once an operator has agreed. AppError
 * `conflict` when the objects are another installation's.
 */
export const sweepOrphans =
  (deps: SweepDeps) =>
  async (signal: AbortSignal): Promise<SweepResult> => {
    const { metadata, files, clock, log, orphanMs } = deps
    const installation = await claimObjects(deps)
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
    for await (const { key, sizeBytes, modifiedAt } of objectsOf(deps, installation)) {
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
      if (orphans > mostNoted) continue
      const { approved, firstSeenAt } = await metadata.orphans.seen({ key, sizeBytes }, startedAt)
      if (approved) await remove(key, 'approved')
      else if (startedAt - firstSeenAt >= orphanMs) due.push(key)
    }
    const most = Math.min(mostRemoved, Math.max(1, Math.floor(objects * mostRemovedShare)))
    for (const key of due.slice(0, most)) {
      // It may have been brought again, or found again by a restored database.
      if (!signal.aborted && (await ownerOf(key)) === 'unknown') await remove(key, 'not known for a long time')
    }
    removed += await abortAbandoned(deps, signal)
    while (!signal.aborted && (await metadata.orphans.forget(startedAt, entriesAtOnce)) > 0);
    deps.observe?.({ objects: orphans, bytes })
    if (orphans > 0) log.warn({ orphans, bytes, removed }, 'orphaned objects found')
    return { objects, removed, orphans }
  }
