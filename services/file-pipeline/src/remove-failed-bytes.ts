import { atOnce } from '@cairn/contracts/flow/at-once'
import type { FileRecord, Grant } from '@cairn/domain/files/record'
import type { PipelineDeps } from './deps.ts'

const filesAtOnce = 500
const checksAtOnce = 8
/**
 * Pause before the next check of a file if an upload under the same key may be in progress, or if its bytes could not
 * be removed.
 */
const checkAgainMs = 600_000
/** Pause before the next check of bytes that a published version still needs. */
const keepPublishedMs = 365 * 86_400_000

/**
 * Whether an upload may be in progress under the key. The grant of a browser form expires at once, so its creation time
 * counts, too.
 */
const mayArrive = (grant: Grant | undefined, now: number): boolean =>
  grant?.state === 'open' && Math.max(grant.expiresAt, grant.createdAt + checkAgainMs) > now

export type FailedBytesDeps = Pick<PipelineDeps, 'store' | 'files' | 'clock' | 'log'> & {
  /** Time in milliseconds for which the bytes of a failed file are kept, so that the file can be retried. */
  readonly failedFileMs: number
}

/**
 * Whether the bytes are kept for a retry: false if the file exceeded the account's limit, was missing, or was too
 * large.
 */
const isKept = ({ object, bytes, outcome }: FileRecord): boolean =>
  !(object.sizeBytes > 0 && bytes === 0) &&
  !(outcome?.state === 'failed' && (outcome.reason === 'object_missing' || outcome.reason === 'object_too_large'))

const removeBytes = async (deps: FailedBytesDeps, file: FileRecord): Promise<void> => {
  const { store, files, clock, failedFileMs } = deps
  const now = clock.now()
  const leftMs = isKept(file) ? (file.finishedAt ?? file.updatedAt) + failedFileMs - now : 0
  if (leftMs > 0) return store.files.keepBytes(file, leftMs)
  // The published version was read from these bytes, so they are kept for a later re-extraction.
  if (isKept(file) && file.live?.etag === file.object.etag) return store.files.keepBytes(file, keepPublishedMs)
  const grant = await store.grants.get(file.namespaceId, file.name)
  const object = await files.head(file.key)
  // Different bytes stored under the key become a separate version.
  if (mayArrive(grant, now) || (object && object.etag !== file.object.etag))
    return store.files.keepBytes(file, checkAgainMs)
  // The file may have been uploaded again, with identical bytes, since it was listed.
  if ((await store.files.get(file.id))?.version !== file.version) return
  if (object) await files.remove([file.key])
  await store.files.recordBytesRemoved(file, now)
}

/**
 * Removes the objects of failed files that are no longer kept for a retry. The files' records stay, with the reason.
 */
export const removeFailedBytes =
  (deps: FailedBytesDeps) =>
  async (signal: AbortSignal): Promise<void> => {
    for (let some = filesAtOnce; some === filesAtOnce; ) {
      const found = await deps.store.files.withFailedBytes(filesAtOnce)
      some = found.length
      await atOnce(checksAtOnce, found, async (file) => {
        if (signal.aborted) return
        await removeBytes(deps, file).catch(async (error: unknown) => {
          deps.log.warn({ err: error, file: file.id }, 'bytes of a failed file not removed')
          // The file is postponed, so that the others come first.
          await deps.store.files.keepBytes(file, checkAgainMs)
        })
      })
      if (signal.aborted) return
    }
  }
