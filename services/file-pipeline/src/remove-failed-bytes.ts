import { atOnce } from '@cairn/contracts/flow/at-once'
import type { FileRecord, Grant } from '@cairn/domain/files/record'
import type { PipelineDeps } from './deps.ts'

const filesAtOnce = 500
const checksAtOnce = 8
/** Pause after a failed removal, or while an upload under the same key may be in progress. */
const checkAgainMs = 600_000
/** Pause while a published version still needs the bytes. */
const keepPublishedMs = 365 * 86_400_000

/** The grant of a browser form expires at once, so its creation time counts, too. */
const mayArrive = (grant: Grant | undefined, now: number): boolean =>
  grant?.state === 'open' && Math.max(grant.expiresAt, grant.createdAt + checkAgainMs) > now

export type FailedBytesDeps = Pick<PipelineDeps, 'store' | 'files' | 'clock' | 'log'> & {
  /** Bytes of a failed file are kept this long for a retry. */
  readonly failedFileMs: number
}

/** A file that exceeded the account's limit, was missing or too large can't be retried. */
const isKept = ({ object, bytes, outcome }: FileRecord): boolean =>
  !(object.sizeBytes > 0 && bytes === 0) &&
  !(outcome?.state === 'failed' && (outcome.reason === 'object_missing' || outcome.reason === 'object_too_large'))

const removeBytes = async (deps: FailedBytesDeps, file: FileRecord): Promise<void> => {
  const { store, files, clock, failedFileMs } = deps
  const now = clock.now()
  const leftMs = isKept(file) ? (file.finishedAt ?? file.updatedAt) + failedFileMs - now : 0
  if (leftMs > 0) return store.files.keepBytes(file, leftMs)
  // Kept for a later re-extraction of the published version.
  if (isKept(file) && file.live?.etag === file.object.etag) return store.files.keepBytes(file, keepPublishedMs)
  const grant = await store.grants.get(file.namespaceId, file.name)
  const object = await files.head(file.key)
  // Different bytes under the key become a separate version.
  if (mayArrive(grant, now) || (object && object.etag !== file.object.etag))
    return store.files.keepBytes(file, checkAgainMs)
  // The file may have been uploaded again, with identical bytes, since it was listed.
  if ((await store.files.get(file.id))?.version !== file.version) return
  if (object) await files.remove([file.key])
  await store.files.recordBytesRemoved(file, now)
}

/** The files' records stay, with the reason. */
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
          // Postponed, so that the others come first.
          await deps.store.files.keepBytes(file, checkAgainMs)
        })
      })
      if (signal.aborted) return
    }
  }
