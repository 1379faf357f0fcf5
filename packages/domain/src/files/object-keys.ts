import type { Namespace } from '../namespaces/record.ts'
import type { FileStore } from '../ports/file-store.ts'
import type { Store } from '../store.ts'
import type { Grant } from './record.ts'

type Prefixed = Pick<FileStore, 'prefix'>

/**
 * Returns the key prefix of a namespace's files. The namespace's id is never reused, so a late object still identifies
 * its owner.
 */
export const objectPrefix = (files: Prefixed, namespaceId: string): string => `${files.prefix}/${namespaceId}/`

/**
 * Returns `<prefix>/<namespace id>/<account id>/<namespace name>/<file name>`. The key ends in the form that the API
 * promises.
 */
export const objectKey = (
  files: Prefixed,
  namespace: Pick<Namespace, 'id' | 'accountId' | 'name'>,
  fileName: string,
): string => objectPrefix(files, namespace.id) + legacyObjectPrefix(namespace.accountId, namespace.name) + fileName

/** Returns the prefix of keys of 0.1. Objects under such keys are served until they are replaced. */
export const legacyObjectPrefix = (accountId: string, namespaceName: string): string => `${accountId}/${namespaceName}/`

/** Parts of a key. `namespaceId` is missing in keys of 0.1. */
export type KeyParts = {
  readonly namespaceId?: string
  readonly accountId: string
  readonly namespaceName: string
  readonly fileName: string
}

/** Splits a key. The file name may contain slashes. Missing parts are empty. */
export const partsOfKey = ({ prefix }: Prefixed, key: string): KeyParts => {
  const legacy = (parts: readonly string[]) => {
    const [accountId = '', namespaceName = '', ...rest] = parts
    return { accountId, namespaceName, fileName: rest.join('/') }
  }
  const [first, namespaceId = '', ...rest] = key.split('/')
  return first === prefix ? { namespaceId, ...legacy(rest) } : legacy(key.split('/'))
}

/** Returns the namespace, in any state, whose file has this key. */
export const namespaceOfKey = async (store: Store, files: Prefixed, key: string): Promise<Namespace | undefined> => {
  const { namespaceId, accountId, namespaceName } = partsOfKey(files, key)
  return namespaceId === undefined
    ? store.namespaces.byName(accountId, namespaceName)
    : store.namespaces.get(namespaceId)
}

/** Returns the open grant of this namespace for this key. */
export const openGrantIn = async (
  store: Store,
  files: Prefixed,
  namespaceId: string,
  key: string,
): Promise<Grant | undefined> => {
  const grant = await store.grants.get(namespaceId, partsOfKey(files, key).fileName)
  return grant?.state === 'open' && grant.key === key ? grant : undefined
}

/** Returns the open grant of an active namespace for this key. */
export const openGrantOf = async (store: Store, files: Prefixed, key: string): Promise<Grant | undefined> => {
  const namespace = await namespaceOfKey(store, files, key)
  return namespace?.state === 'active' ? openGrantIn(store, files, namespace.id, key) : undefined
}

/**
 * Whether an object belongs to an active namespace that has a record of the file under this key, or an open grant for
 * this key.
 */
export const isOwned = async (store: Store, files: Prefixed, key: string): Promise<boolean> => {
  const namespace = await namespaceOfKey(store, files, key)
  if (namespace?.state !== 'active') return false
  // The grant is read first: a record is written while its grant is open, so the second read finds a file that is
  // registered between the two reads.
  if (await openGrantIn(store, files, namespace.id, key)) return true
  return (await store.files.byName(namespace.id, partsOfKey(files, key).fileName))?.key === key
}
