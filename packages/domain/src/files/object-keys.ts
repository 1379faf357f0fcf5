import type { Namespace } from '../namespaces/record.ts'
import type { FileStore } from '../ports/file-store.ts'
import type { Store } from '../store.ts'
import type { Grant } from './record.ts'

type KeyPrefix = Pick<FileStore, 'prefix'>

/** Has the namespace's id, which is never reused: a late object still identifies its owner. */
export const objectPrefix = (files: KeyPrefix, namespaceId: string): string => `${files.prefix}/${namespaceId}/`

/** Returns `<prefix>/<namespace id>/<account id>/<namespace name>/<file name>`, which ends as the API promises. */
export const objectKey = (
  files: KeyPrefix,
  { id, accountId, name }: Pick<Namespace, 'id' | 'accountId' | 'name'>,
  fileName: string,
): string => `${objectPrefix(files, id)}${accountId}/${name}/${fileName}`

export type KeyParts = {
  readonly namespaceId: string
  readonly accountId: string
  readonly namespaceName: string
  readonly fileName: string
}

/** Returns empty parts where the key has none, or lacks the prefix. The file name may contain slashes. */
export const partsOfKey = ({ prefix }: KeyPrefix, key: string): KeyParts => {
  const [first, ...parts] = key.split('/')
  const [namespaceId = '', accountId = '', namespaceName = '', ...rest] = first === prefix ? parts : []
  return { namespaceId, accountId, namespaceName, fileName: rest.join('/') }
}

/** Returns the namespace, in any state, whose file has this key. */
export const namespaceOfKey = (store: Store, files: KeyPrefix, key: string): Promise<Namespace | undefined> =>
  store.namespaces.get(partsOfKey(files, key).namespaceId)

export const openGrantIn = async (
  store: Pick<Store, 'grants'>,
  files: KeyPrefix,
  namespaceId: string,
  key: string,
): Promise<Grant | undefined> => {
  const grant = await store.grants.get(namespaceId, partsOfKey(files, key).fileName)
  return grant?.state === 'open' && grant.key === key ? grant : undefined
}

export const openGrantOf = async (store: Store, files: KeyPrefix, key: string): Promise<Grant | undefined> => {
  const namespace = await namespaceOfKey(store, files, key)
  return namespace?.state === 'active' ? openGrantIn(store, files, namespace.id, key) : undefined
}

/** Whether an active namespace has a record of the file under this key, or an open grant for it. */
export const isOwned = async (store: Store, files: KeyPrefix, key: string): Promise<boolean> => {
  const namespace = await namespaceOfKey(store, files, key)
  if (namespace?.state !== 'active') return false
  // The grant first: a record is written while its grant is open, so the second read finds it.
  if (await openGrantIn(store, files, namespace.id, key)) return true
  return (await store.files.byName(namespace.id, partsOfKey(files, key).fileName))?.key === key
}
