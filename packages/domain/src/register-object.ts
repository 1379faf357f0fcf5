import type { Clock } from '@cairn/ports/clock/port'
import type { FileStore } from '@cairn/ports/file-store/port'
import type { Metadata, RegisterResult } from '@cairn/ports/metadata/port'
import { fileVersionPrefix, type Grant, type RegisteredObject } from '@cairn/ports/metadata/records'
import { chunkIdBase } from './chunk-id-base.ts'
import type { Ids } from './ids.ts'
import { isOwned } from './object-keys.ts'
import { isTier, type Tiers, tierOf } from './tiers.ts'

type Cause = { readonly correlationId: string; readonly traceparent: string | null }

export type RegisterDeps = {
  readonly metadata: Metadata
  readonly files: Pick<FileStore, 'prefix' | 'head' | 'remove'>
  readonly ids: Ids
  readonly clock: Pick<Clock, 'now'>
  readonly tiers: Tiers
  /** Tells the file pipeline. The record is there already: it is not waited for, and must not reject. */
  readonly announce: (stored: { readonly namespaceId: string; readonly fileId: string }, cause: Cause) => Promise<void>
}

export type RegisterOptions = {
  /** The request that caused it. Default: the one that opened the grant. */
  readonly cause?: Cause
  /** It came in a form: what an address reserves for a PUT stays reserved. */
  readonly inForm?: boolean
  /** When the store is asked again whether another object came, milliseconds. Default 30,000. */
  readonly lookAgainMs?: number
}

type Permission = Pick<Grant, 'namespaceId' | 'name' | 'key'>

/** Bytes that the account may store; null: unlimited. */
export const storageLimit = async (
  { metadata, tiers }: Pick<RegisterDeps, 'metadata' | 'tiers'>,
  accountId: string,
): Promise<number | null> => {
  const account = await metadata.accounts.get(accountId)
  // A tier that the operator has left out is no reason to remove what arrives.
  return account && isTier(tiers, account.tier) ? tierOf(tiers, account.tier).bytes : null
}

const removeUnowned = async ({ metadata, files }: RegisterDeps, { key }: Permission): Promise<void> => {
  // The file may have been brought again under the same key.
  if (!(await isOwned(metadata, files, key))) await files.remove([key])
}

/**
 * An object was seen under the key of a grant: it is taken in, or removed where it may not stay. May be repeated, and be called by
 * whoever sees it: the request that stored it, a hint of the store, or a sweep. `revoked`: the file was deleted, or its namespace was; the
 * object is gone.
 */
export const registerObject = async (
  deps: RegisterDeps,
  permission: Permission,
  { etag, sizeBytes, modifiedAt }: RegisteredObject,
  options: RegisterOptions = {},
): Promise<RegisterResult> => {
  const { metadata, ids, clock } = deps
  const { namespaceId, name } = permission
  // As it is now: a file, or its namespace, may have been deleted while its bytes were on their way.
  const grant = await metadata.grants.get(namespaceId, name)
  if (grant?.state !== 'open') {
    await removeUnowned(deps, permission)
    return { outcome: 'revoked' }
  }
  const { accountId, key, correlationId, traceparent } = grant
  const cause = options.cause ?? { correlationId, traceparent }
  const object = { etag, sizeBytes, modifiedAt }
  const result = await metadata.files.register({
    fileId: ids.next('file'),
    version: ids.next(fileVersionPrefix),
    accountId,
    namespaceId,
    name,
    idBase: chunkIdBase(name),
    key,
    object,
    limit: await storageLimit(deps, accountId),
    ...cause,
    at: clock.now(),
  })
  if (result.outcome === 'namespaceGone' || result.outcome === 'revoked') {
    await removeUnowned(deps, grant)
    return result
  }
  if (result.outcome === 'overLimit') {
    // Sooner than the sweep of failed files would; other bytes that have come since are looked at for themselves.
    const found = await deps.files.head(key)
    if (found?.etag === etag && found.modifiedAt === modifiedAt) await deps.files.remove([key])
  }
  // Under a key of 0.1, where the file was until now.
  if ('formerKey' in result && result.formerKey !== undefined) await deps.files.remove([result.formerKey])
  await metadata.grants.looked(grant, { afterMs: options.lookAgainMs ?? 30_000, seen: object, inForm: options.inForm ?? false })
  // Not waited for: uploads of one account are registered one after the other.
  if (result.outcome === 'queued' || result.outcome === 'overLimit') void deps.announce({ namespaceId, fileId: result.file.id }, cause)
  return result
}
