import { text } from 'node:stream/consumers'
import { AppError, isAppError } from '@cairn/contracts/errors'
import type { Ids } from '../ids.ts'
import type { FileStore } from '../ports/file-store.ts'
import type { Store } from '../store.ts'

type Deps = { readonly store: Store; readonly files: FileStore; readonly ids: Ids }

const markerName = 'installation'
const markerOf = ({ prefix }: Pick<FileStore, 'prefix'>): string => `${prefix}/${markerName}`

export const isOwnerMarker = (files: Pick<FileStore, 'prefix'>, key: string): boolean => key === markerOf(files)

const read = async (files: FileStore, key: string): Promise<string | undefined> => {
  const found = await files.get(key)
  return found && (await text(found.body)).trim()
}

const claim = async (files: FileStore, key: string, installationId: string): Promise<string> => {
  const owner = await read(files, key)
  if (owner !== undefined) return owner
  await files.put(key, Buffer.from(`${installationId}\n`), { contentType: 'text/plain' })
  // Another process may have written the marker meanwhile: the id that is read back counts.
  return (await read(files, key)) ?? installationId
}

const foreignObjects = (key: string) =>
  new AppError(
    'conflict',
    `The object store has ${key} of another installation. Set CAIRN_S3_PREFIX (or CAIRN_DATA_DIR) to one of your own. If this database ` +
      'replaces the lost one of these objects, remove that object and start again: then what the database does not know is reported as orphaned.',
  )

/**
 * Claims the prefix for this installation by a marker with an id that the database has too. AppError `conflict` when
 * the objects belong to another installation, or the database is the wrong one or empty. Repeatable.
 */
export const claimObjects = async ({ store, files, ids }: Deps): Promise<void> => {
  const { installationId } = await store.installation.get(ids.next('installation'))
  const key = markerOf(files)
  if ((await claim(files, key, installationId)) !== installationId) throw foreignObjects(key)
}

/** Ignores a store that does not respond: the sweep for orphans checks again. */
export const refuseForeignObjects = async (deps: Deps): Promise<void> => {
  await claimObjects(deps).catch((error: unknown) => {
    if (!isAppError(error, 'unavailable')) throw error
  })
}
