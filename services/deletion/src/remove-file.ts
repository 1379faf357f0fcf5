import type { Deletion } from '@cairn/ports/metadata/records'
import type { JobRun, WorkResult } from '@cairn/runtime/jobs'
import { isOwned } from '@cairn/runtime/object-keys'
import { removeFileVersion } from '@cairn/runtime/remove-file-version'
import type { DeletionDeps } from './remove-items.ts'

/** A file's record is gone; now go its object, unless it was brought again meanwhile, its chunks and their points. */
export const removeFile =
  (deps: DeletionDeps) =>
  async (run: JobRun<Deletion>): Promise<WorkResult> => {
    const { metadata, files, clock } = deps
    const { accountId, namespaceId, namespaceName, space, file } = run.job
    if (!file) throw new Error(`the deletion ${run.job.id} is of a file and names none`)
    const { id: fileId, name: fileName, key, versions } = file
    const removed = { points: 0, chunks: 0, objects: 0 }
    if (!(await run.step('read', () => isOwned(metadata, { accountId, namespaceName, fileName })))) {
      if (await run.step('remove', () => files.head(key))) removed.objects += 1
      await run.step('remove', () => files.remove([key]))
    }
    for (const version of versions) {
      if (fileId === null) break
      const gone = await removeFileVersion(deps, run, { namespaceId, space, fileId, version })
      removed.points += gone.points
      removed.chunks += gone.chunks
    }
    await run.step('complete', () => metadata.deletions.complete(run.lease, { removed, at: clock.now() }))
    return undefined
  }
