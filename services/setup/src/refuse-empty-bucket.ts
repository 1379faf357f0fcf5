import { AppError } from '@cairn/contracts/errors'
import { pagesOf } from '@cairn/contracts/flow/pages-of'
import type { FileStore } from '@cairn/domain/ports/file-store'
import type { Store } from '@cairn/domain/store'

const namespacesAtOnce = 500

/** Names any recorded file and its namespace, if there is one. */
const anyFile = async ({ namespaces, files }: Store): Promise<string | undefined> => {
  const pages = pagesOf(
    namespacesAtOnce,
    (page: Parameters<typeof namespaces.page>[0]) => namespaces.page(page),
    ({ id }) => id,
  )
  for await (const page of pages)
    for (const { id, name } of page) {
      const [file] = await files.page(id, { limit: 1 })
      if (file) return `${file.name} in the namespace ${name}`
    }
  return undefined
}

/**
 * Throws AppError `conflict` for an empty bucket although the record store has files: another server or bucket is
 * configured, or a volume is not mounted. Call it before anything is written.
 */
export const refuseEmptyBucket = async (store: Store, files: FileStore): Promise<void> => {
  const [object] = await files.list({ prefix: '', limit: 1 })
  const file = object ? undefined : await anyFile(store)
  if (file === undefined) return
  throw new AppError(
    'conflict',
    `The bucket is empty, but the record store has files, such as ${file}. If MinIO of an earlier docker-compose.yml ` +
      'has them, start with infra/docker/minio.yml, or copy them first (docs/deployment.md, "From MinIO"). If they are lost, run setup with the ' +
      'argument without-files: their text stays searchable, and downloads fail.',
  )
}
