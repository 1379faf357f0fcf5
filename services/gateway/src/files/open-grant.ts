import { fileNameInTheWay } from '@cairn/contracts/api/failures'
import { AppError } from '@cairn/contracts/errors'
import { contentTypeOf } from '@cairn/contracts/files/file-rules'
import { objectKey } from '@cairn/domain/files/object-keys'
import type { Grant } from '@cairn/domain/files/record'
import { type Call, causeOf } from '../call.ts'
import type { FilePorts } from '../deps.ts'
import type { ReadableNamespace } from '../gate.ts'
import type { FileName } from './file-name.ts'
import { type Reservation, reserveStorage } from './reserve-storage.ts'

type Deps = Pick<FilePorts, 'store' | 'files' | 'clock' | 'tiers'>

/** Returns folders that could be names of files (they have an accepted extension), the outermost first. */
const foldersOf = (name: string): string[] =>
  [...name.matchAll(/\//g)]
    .map(({ index }) => name.slice(0, index))
    .filter((folder) => contentTypeOf(folder) !== undefined)

/** Stores in files can't have a file and a folder of one name. Of two concurrent requests the store rejects one. */
const refuseInTheWay = async ({ store, files }: Deps, namespace: ReadableNamespace, name: string): Promise<void> => {
  for (const folder of foldersOf(name)) {
    const grant = await store.grants.get(namespace.id, folder)
    if (grant?.state === 'open' || (await store.files.byName(namespace.id, folder)))
      throw fileNameInTheWay(name, folder)
  }
  const inside = `${name}/`
  const [record] = await store.files.page(namespace.id, { after: inside, limit: 1 })
  if (record?.name.startsWith(inside)) throw fileNameInTheWay(name, record.name)
  const prefix = objectKey(files, namespace, inside)
  const [object] = await files.list({ prefix, limit: 1 })
  if (object) throw fileNameInTheWay(name, inside + object.key.slice(prefix.length))
}

/**
 * Opens a grant before any bytes are stored: an object without one is removed. AppError `conflict` when another file
 * has a conflicting name, `forbidden` at the storage limit, `unavailable` while other requests keep changing the name.
 */
export const openGrant = async (
  deps: Deps,
  call: Pick<Call, 'account' | 'requestId' | 'traceparent'>,
  namespace: ReadableNamespace,
  requested: FileName & {
    /** Wall time. */
    readonly expiresAt: number
    /** Set for a new multipart upload. */
    readonly uploadId?: string
    /** See `Grant`. Absent: a multipart upload in progress keeps what it was sent. */
    readonly metadata?: string | null
    readonly reserve: Reservation
  },
): Promise<Grant> => {
  const { name, contentType, expiresAt } = requested
  await refuseInTheWay(deps, namespace, name)
  const existing = await deps.store.grants.get(namespace.id, name)
  const grant = await deps.store.grants.open({
    namespaceId: namespace.id,
    name,
    accountId: namespace.accountId,
    key: objectKey(deps.files, namespace, name),
    contentType,
    expiresAt,
    ...(requested.uploadId === undefined ? {} : { uploadId: requested.uploadId }),
    ...(requested.metadata === undefined ? {} : { metadata: requested.metadata }),
    ...causeOf(call),
    createdAt: deps.clock.now(),
  })
  if (!grant)
    throw new AppError('unavailable', 'Other requests keep changing the upload of this file; retry.', {
      retryAfterSeconds: 1,
    })
  // No other record refers to the replaced upload any more.
  if (grant.replacedUploadId !== undefined) await deps.files.abortMultipart(grant.key, grant.replacedUploadId)
  await reserveStorage(deps, call.account, grant, requested.reserve).catch(async (error: unknown) => {
    // An account that may store nothing must not accumulate grants either.
    if (existing === undefined) await deps.store.grants.remove(grant)
    throw error
  })
  return grant
}
