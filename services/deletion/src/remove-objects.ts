import { pagesOf } from '@cairn/contracts/flow/pages-of'
import { objectPrefix } from '@cairn/domain/files/object-keys'
import type { Deletion } from '@cairn/domain/items/record'
import type { JobRun } from '@cairn/domain/jobs/job-run'
import type { Page } from '@cairn/domain/protocol/page'
import type { DeletionDeps } from './remove-items.ts'

const objectsAtOnce = 500
const grantsAtOnce = 500

export const removeObjects = async ({ files }: DeletionDeps, run: JobRun<Deletion>): Promise<number> => {
  const prefix = objectPrefix(files, run.job.namespaceId)
  let removed = 0
  const list = (page: Page) => run.step('list', () => files.list({ prefix, ...page }))
  for await (const page of pagesOf(objectsAtOnce, list, ({ key }) => key)) {
    if (page.length === 0) continue
    await run.step('remove', () => files.remove(page.map(({ key }) => key)))
    removed += page.length
    run.progress()
  }
  return removed
}

/** Clients may still continue the uploads in the namespace's grants. The sweep for orphans aborts the others. */
export const abortUploads = async ({ store, files }: DeletionDeps, run: JobRun<Deletion>): Promise<void> => {
  const { namespaceId } = run.job
  const read = (page: Page) => run.step('read', () => store.grants.page(namespaceId, page))
  for await (const page of pagesOf(grantsAtOnce, read, ({ name }) => name))
    for (const { key, uploadId } of page)
      if (uploadId !== null) await run.step('remove', () => files.abortMultipart(key, uploadId))
}
