import { isTier, type Tiers, tierOf } from '../accounts/tiers.ts'
import type { Ids } from '../ids.ts'
import type { Clock } from '../ports/clock.ts'
import type { FileStore } from '../ports/file-store.ts'
import type { Store } from '../store.ts'
import { chunkIdBase } from './chunk-id-base.ts'
import type { RegisterResult } from './files.ts'
import { isOwned } from './object-keys.ts'
import { fileVersionPrefix, type Grant, type RegisteredObject } from './record.ts'

type Cause = { readonly correlationId: string; readonly traceparent: string | null }

export type RegisterDeps = {
  readonly store: Store
  readonly files: Pick<FileStore, 'prefix' | 'head' | 'remove'>
  readonly ids: Ids
  readonly clock: Pick<Clock, 'now'>
  readonly tiers: Tiers
  /** Wakes the file pipeline. It is not awaited, because the record is already written; it must not reject. */
  readonly announce: (stored: { readonly namespaceId: string; readonly fileId: string }, cause: Cause) => Promise<void>
}

export type RegisterOptions = {
  /** Request that has stored the object. Default: the object was found, and the request that opened the grant caused it. */
  readonly cause?: Cause
  /** Whether the object was sent in a form. If so, a PUT reservation for an upload URL stays. */
  readonly inForm?: boolean
  /** Milliseconds until the store is checked again for another object. Default 30,000. */
  readonly recheckAfterMs?: number
}

type Permission = Pick<Grant, 'namespaceId' | 'name' | 'key'>

/** Returns the bytes the account may store; null: unlimited. */
export const storageLimit = async (
  { store, tiers }: Pick<RegisterDeps, 'store' | 'tiers'>,
  accountId: string,
): Promise<number | null> => {
  const account = await store.accounts.get(accountId)
  // If the tiers file lacks the account's tier, that is no reason to remove objects.
  return account && isTier(tiers, account.tier) ? tierOf(tiers, account.tier).bytes : null
}

const removeUnowned = async ({ store, files }: RegisterDeps, { key }: Permission): Promise<void> => {
  // The file may have been uploaded again under the same key.
  if (!(await isOwned(store, files, key))) await files.remove([key])
}

/**
 * Registers an object that was found under the key of a grant, or removes the object if it may not stay. May be
 * repeated, and called by any process that finds the object: by the request that stored it, for an event of the store,
 * or by a sweep. `revoked`: the file or its namespace was deleted, and the object is removed.
 */
export const registerObject = async (
  deps: RegisterDeps,
  permission: Permission,
  { etag, sizeBytes, modifiedAt }: RegisteredObject,
  options: RegisterOptions = {},
): Promise<RegisterResult> => {
  const { store, ids, clock } = deps
  const { namespaceId, name } = permission
  // Read now, because the file or its namespace may have been deleted during the upload.
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
    // Only a request that has stored the object names itself as the cause.
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
    // Removed sooner than by the sweep of failed files. Newer bytes under this key are checked when they are
    // registered.
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
    void deps.announce({ namespaceId, fileId: result.file.id }, cause)
  return result
}
