import { text } from 'node:stream/consumers'
import { AppError, isAppError } from '@cairn/contracts/errors'
import type { FileStore } from '@cairn/ports/file-store/port'
import type { Metadata } from '@cairn/ports/metadata/port'
import type { Installation } from '@cairn/ports/metadata/records'
import type { Ids } from './ids.ts'

type Deps = { readonly metadata: Metadata; readonly files: FileStore; readonly ids: Ids }

const markerName = 'installation'
const markerOf = ({ prefix }: Pick<FileStore, 'prefix'>): string => `${prefix}/${markerName}`
/** Beside the accounts of 0.1, whose ids begin otherwise. */
const legacyMarker = 'cairn-installation'

export const isOwnerMarker = (files: Pick<FileStore, 'prefix'>, key: string): boolean => key === markerOf(files)

const read = async (files: FileStore, key: string): Promise<string | undefined> => {
  const found = await files.get(key)
  return found && (await text(found.body)).trim()
}

/** Whose the marker is, after it was written where there was none. */
const claim = async (files: FileStore, key: string, installationId: string): Promise<string> => {
  const owner = await read(files, key)
  if (owner !== undefined) return owner
  await files.put(key, Buffer.from(`${installationId}\n`), { contentType: 'text/plain' })
  // Another may have written it at the same moment: the one who is read back has it.
  return (await read(files, key)) ?? installationId
}

const foreign = (key: string) =>
  new AppError(
    'conflict',
    `The object store has ${key} of another installation. Set CAIRN_S3_PREFIX (or CAIRN_DATA_DIR) to one of your own. If this database ` +
      'replaces the lost one of these objects, remove that object and start again: then what the database does not know is reported as orphaned.',
  )

/**
 * Makes the objects under the prefix this installation's own, by a marker whose id the database has, too. AppError `conflict` when they are
 * another's: a second installation, or a wrong or empty database. May be repeated.
 */
export const claimObjects = async ({ metadata, files, ids }: Deps): Promise<Installation> => {
  const installation = await metadata.installation.get(ids.next('installation'))
  const key = markerOf(files)
  if ((await claim(files, key, installation.installationId)) !== installation.installationId) throw foreign(key)
  return installation
}

/** The check of a process at its start. A store that does not answer is no reason not to start: whoever removes orphans checks again. */
export const refuseForeignObjects = async (deps: Deps): Promise<void> => {
  await claimObjects(deps).catch((error: unknown) => {
    if (!isAppError(error, 'unavailable')) throw error
  })
}

/** Whether the objects without a prefix, as 0.1 stored them, are this installation's. */
export const ownsLegacyKeys = async ({ files }: Pick<Deps, 'files'>, { installationId, hasLegacyKeys }: Installation): Promise<boolean> =>
  hasLegacyKeys && (await claim(files, legacyMarker, installationId)) === installationId
