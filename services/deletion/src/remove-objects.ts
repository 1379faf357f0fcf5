import type { StoredFile } from '@cairn/ports/file-store/port'
import type { Deletion } from '@cairn/ports/metadata/records'
import type { JobRun } from '@cairn/runtime/jobs'
import { isOwned, objectPrefix, partsOfKey } from '@cairn/runtime/object-keys'
import type { DeletionDeps } from './remove-items.ts'

const objectsAtOnce = 500

/**
 * Removes the objects of a namespace, and uploads in parts that were left open. Once its name is free another may have it, and with it
 * the keys: what that one owns stays.
 */
export const removeObjects = async ({ metadata, files }: DeletionDeps, run: JobRun<Deletion>): Promise<number> => {
  const { accountId, namespaceId, namespaceName } = run.job
  const prefix = objectPrefix(accountId, namespaceName)
  const heir = await run.step('read', () => metadata.namespaces.byName(accountId, namespaceName))
  const isOurs = async ({ key }: Pick<StoredFile, 'key'>) =>
    heir === undefined || heir.id === namespaceId || !(await isOwned(metadata, partsOfKey(key)))
  let removed = 0
  for (let after: string | undefined; ; ) {
    const page = await run.step('list', () => files.list({ prefix, limit: objectsAtOnce, ...(after === undefined ? {} : { after }) }))
    const ours: string[] = []
    for (const object of page) if (await run.step('read', () => isOurs(object))) ours.push(object.key)
    if (ours.length > 0) await run.step('remove', () => files.remove(ours))
    removed += ours.length
    if (ours.length > 0) run.progress()
    after = page.at(-1)?.key
    if (page.length < objectsAtOnce) break
  }
  for (const { key, uploadId } of await run.step('list', () => files.openMultiparts(prefix))) {
    if (await run.step('read', () => isOurs({ key }))) await run.step('remove', () => files.abortMultipart(key, uploadId))
  }
  return removed
}
