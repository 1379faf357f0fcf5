import { pagesOf } from '@cairn/contracts/flow/pages-of'
import { isOwned, legacyObjectPrefix, objectPrefix } from '@cairn/domain/files/object-keys'
import type { Deletion } from '@cairn/domain/items/record'
import type { JobRun } from '@cairn/domain/jobs/job-run'
import type { Page } from '@cairn/domain/protocol/page'
import type { DeletionDeps } from './remove-items.ts'

const objectsAtOnce = 500
const grantsAtOnce = 500

/** Removes the objects under a prefix that belong to no other namespace. */
const removeUnder = async (
  { files }: DeletionDeps,
  run: JobRun<Deletion>,
  prefix: string,
  isOurs: (key: string) => Promise<boolean>,
): Promise<number> => {
  let removed = 0
  const list = (page: Page) => run.step('list', () => files.list({ prefix, ...page }))
  for await (const page of pagesOf(objectsAtOnce, list, ({ key }) => key)) {
    const ours: string[] = []
    for (const { key } of page) if (await run.step('read', () => isOurs(key))) ours.push(key)
    if (ours.length > 0) await run.step('remove', () => files.remove(ours))
    removed += ours.length
    if (ours.length > 0) run.progress()
  }
  return removed
}

/**
 * Removes the objects of a namespace. Keys with the namespace's name, as in 0.1, may belong to another namespace that
 * now has the name.
 */
export const removeObjects = async (deps: DeletionDeps, run: JobRun<Deletion>): Promise<number> => {
  const { store, files } = deps
  const { accountId, namespaceId, namespaceName } = run.job
  const own = await removeUnder(deps, run, objectPrefix(files, namespaceId), async () => true)
  const isNobodys = async (key: string) => !(await isOwned(store, files, key))
  return own + (await removeUnder(deps, run, legacyObjectPrefix(accountId, namespaceName), isNobodys))
}

/**
 * Aborts multipart uploads that clients may still continue: the uploads in the namespace's grants. The sweep for
 * orphans aborts the others.
 */
export const abortUploads = async ({ store, files }: DeletionDeps, run: JobRun<Deletion>): Promise<void> => {
  const { namespaceId } = run.job
  const read = (page: Page) => run.step('read', () => store.grants.page(namespaceId, page))
  for await (const page of pagesOf(grantsAtOnce, read, ({ name }) => name))
    for (const { key, uploadId } of page)
      if (uploadId !== null) await run.step('remove', () => files.abortMultipart(key, uploadId))
}
