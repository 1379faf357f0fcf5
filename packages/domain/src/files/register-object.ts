import { isTier, type Tiers, tierOf } from '../accounts/tiers.ts'
import type { Ids } from '../ids.ts'
import type { Clock } from '../ports/clock.ts'
import type { FileStore } from '../ports/file-store.ts'
import type { Store } from '../store.ts'
import { chunkIdBase } from './chunk-id-base.ts'
import { isOwned } from './object-keys.ts'
import { fileVersionPrefix, type Grant, type RegisteredObject } from './record.ts'
import type { RegisterResult } from './register.ts'

type Cause = { readonly correlationId: string; readonly traceparent: string | null }

export type RegisterDeps = {
  readonly store: Store
  readonly files: Pick<FileStore, 'prefix' | 'head' | 'remove'>
  readonly ids: Ids
  readonly clock: Pick<Clock, 'now'>
  readonly tiers: Tiers
  /** Wakes the file pipeline. Not awaited, as the record is already written; must not reject. */
  readonly send: (stored: { readonly namespaceId: string; readonly fileId: string }, cause: Cause) => Promise<void>
}

export type RegisterOptions = {
  /** Default: the object was found, and the request that opened the grant caused it. */
  readonly cause?: Cause
  /** The object was sent in a form; a PUT reservation for an upload URL stays. */
  readonly inForm?: boolean
  /** Time until the store is checked for another object. Default 30,000. */
  readonly recheckAfterMs?: number
}

type Permission = Pick<Grant, 'namespaceId' | 'name' | 'key'>

/** Bytes; null: unlimited. */
export const storageLimit = async (
  { store, tiers }: Pick<RegisterDeps, 'store' | 'tiers'>,
  accountId: string,
): Promise<number | null> => {
  const account = await store.accounts.get(accountId)
  // A tier missing in the tiers file is no reason to remove objects.
  return account && isTier(tiers, account.tier) ? tierOf(tiers, account.tier).bytes : null
}

const removeUnowned = async ({ store, files }: RegisterDeps, { key }: Permission): Promise<void> => {
  // The file may have been uploaded again under the same key.
  if (!(await isOwned(store, files, key))) await files.remove([key])
}

/**
 * Registers an object found under a grant's key, or removes it if it may not stay (`revoked`: its file or namespace was
 * deleted). Repeatable, by any process that finds the object: the request that stored it, an event of the store, or a
 * sweep.
 */
export const registerObject = async (
  deps: RegisterDeps,
  permission: Permission,
  { etag, sizeBytes, modifiedAt }: RegisteredObject,
  options: RegisterOptions = {},
): Promise<RegisterResult> => {
  const { store, ids, clock } = deps
  const { namespaceId, name } = permission
  // Now, because the file or its namespace may have been deleted during the upload.
  const grant = await store.grants.get(namespaceId, name)
  if (grant?.state !== 'open') {
    await removeUnowned(deps, permission)
    return { outcome: 'revoked' }
  }
  const { accountId, key, correlationId, traceparent } = grant
  const cause = options.cause ?? { correlationId, traceparent }
  const object = { etag, sizeBytes, modifiedAt }
  const result = await store.files.register({
    fileId: ids.next('file'),
    version: ids.next(fileVersionPrefix),
    accountId,
    namespaceId,
    name,
    idBase: chunkIdBase(name),
    key,
    object,
    isUpload: options.cause !== undefined,
    limit: await storageLimit(deps, accountId),
    ...cause,
    at: clock.now(),
  })
  if (result.outcome === 'namespaceGone' || result.outcome === 'revoked') {
    await removeUnowned(deps, grant)
    return result
  }
  if (result.outcome === 'overLimit') {
    // Sooner than the sweep of failed files. Newer bytes under this key are checked when they are registered.
    const found = await deps.files.head(key)
    if (found?.etag === etag && found.modifiedAt === modifiedAt) await deps.files.remove([key])
  }
  await store.grants.recordCheck(grant, {
    afterMs: options.recheckAfterMs ?? 30_000,
    registered: object,
    inForm: options.inForm ?? false,
    isNew: result.outcome !== 'known',
  })
  // Not awaited, because uploads of one account are registered one after the other.
  if (result.outcome === 'queued' || result.outcome === 'overLimit')
    void deps.send({ namespaceId, fileId: result.file.id }, cause)
  return result
}
