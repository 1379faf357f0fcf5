import { isOwned } from '@cairn/domain/files/object-keys'
import { removeFileVersion } from '@cairn/domain/files/remove-file-version'
import type { Deletion } from '@cairn/domain/items/record'
import type { JobRun, WorkResult } from '@cairn/domain/jobs/job-run'
import type { DeletionDeps } from './remove-items.ts'
import { spacesOfJob } from './spaces-of-job.ts'

/** Removes chunks, points, and the object unless the file was uploaded again meanwhile. The record is gone already. */
export const removeFile =
  (deps: DeletionDeps) =>
  async (run: JobRun<Deletion>): Promise<WorkResult> => {
    const { store, files, clock } = deps
    const { namespaceId, file } = run.job
    if (!file) throw new Error(`the deletion ${run.job.id} is of a file and names none`)
    const { id: fileId, key, versions } = file
    const removed = { points: 0, chunks: 0, objects: 0 }
    await run.step('remove', () => store.deletions.removeMarked(run.job.id))
    // The request has usually removed the object. An absent one must not be removed, as it may be uploaded at this
    // moment. The owner is checked last, since a store removes any object under the key.
    const found = await run.step('remove', () => files.head(key))
    if (found && !(await run.step('read', () => isOwned(store, files, key)))) {
      await run.step('remove', () => files.remove([key]))
      removed.objects += 1
    }
    const spaces = await run.step('read', () => spacesOfJob(deps, run.job))
    for (const version of versions) {
      if (fileId === null) break
      const { points, chunks } = await removeFileVersion(deps, run, { namespaceId, spaces, fileId, version })
      removed.points += points
      removed.chunks += chunks
    }
    await run.step('complete', () => store.deletions.complete(run.lease, { removed, at: clock.now() }))
    return undefined
  }
