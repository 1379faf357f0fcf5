import { contentTypeOf } from '@cairn/contracts/files/file-rules'
import { objectKey } from '@cairn/domain/files/object-keys'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { Stores } from '../open-stores.ts'

/**
 * Creates an upload URL as the gateway does, but with a shorter expiry. A namespace is deleted only after its last
 * upload URL has expired, which would otherwise take a quarter of an hour.
 */
export const shortAddress = async (
  { store, files }: Pick<Stores, 'store' | 'files'>,
  namespace: Namespace,
  name: string,
  seconds: number,
): Promise<{ readonly url: string; readonly key: string; readonly contentType: string }> => {
  const contentType = contentTypeOf(name) ?? ''
  const { id: namespaceId, accountId } = namespace
  const key = objectKey(files, namespace, name)
  const now = Date.now()
  const times = { expiresAt: now + seconds * 1_000, createdAt: now }
  const cause = { correlationId: 'short-address', traceparent: null }
  const grant = await store.grants.open({
    namespaceId,
    accountId,
    name,
    key,
    contentType,
    uploadId: null,
    ...cause,
    ...times,
  })
  if (!grant) throw new Error(`no address for ${name} was to be had`)
  const url = await files.signPut(key, { contentType, expiresInSeconds: seconds })
  return { url, key, contentType }
}
