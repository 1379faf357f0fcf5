import type { FileStore } from '@cairn/ports/file-store/port'
import type { Metadata } from '@cairn/ports/metadata/port'
import type { Grant, Namespace } from '@cairn/ports/metadata/records'

type Store = Pick<FileStore, 'prefix'>

/** What the keys of a namespace's files begin with: by its id, which is never given again, so that a late object says whose it was. */
export const objectPrefix = (files: Store, namespaceId: string): string => `${files.prefix}/${namespaceId}/`

/** `<prefix>/<namespace id>/<account id>/<namespace name>/<file name>`: it ends in the form that the API promises. */
export const objectKey = (files: Store, namespace: Pick<Namespace, 'id' | 'accountId' | 'name'>, fileName: string): string =>
  objectPrefix(files, namespace.id) + legacyObjectPrefix(namespace.accountId, namespace.name) + fileName

/** What keys of 0.1 begin with. Objects under them are served until they are replaced. */
export const legacyObjectPrefix = (accountId: string, namespaceName: string): string => `${accountId}/${namespaceName}/`

/** `namespaceId`: missing in keys of 0.1. */
export type KeyParts = {
  readonly namespaceId?: string
  readonly accountId: string
  readonly namespaceName: string
  readonly fileName: string
}

/** What a key was made of: the name of the file may have slashes. Parts that are missing are empty. */
export const partsOfKey = ({ prefix }: Store, key: string): KeyParts => {
  const legacy = (parts: readonly string[]) => {
    const [accountId = '', namespaceName = '', ...rest] = parts
    return { accountId, namespaceName, fileName: rest.join('/') }
  }
  const [first, namespaceId = '', ...rest] = key.split('/')
  return first === prefix ? { namespaceId, ...legacy(rest) } : legacy(key.split('/'))
}

/** The namespace whose file has this key, in whatever state it is. */
export const namespaceOfKey = async (metadata: Metadata, files: Store, key: string): Promise<Namespace | undefined> => {
  const { namespaceId, accountId, namespaceName } = partsOfKey(files, key)
  return namespaceId === undefined ? metadata.namespaces.byName(accountId, namespaceName) : metadata.namespaces.get(namespaceId)
}

/** The open grant of this namespace under which an object of this key may come. */
export const openGrantIn = async (metadata: Metadata, files: Store, namespaceId: string, key: string): Promise<Grant | undefined> => {
  const grant = await metadata.grants.get(namespaceId, partsOfKey(files, key).fileName)
  return grant?.state === 'open' && grant.key === key ? grant : undefined
}

/** The open grant of a living namespace under which an object of this key may come. */
export const openGrantOf = async (metadata: Metadata, files: Store, key: string): Promise<Grant | undefined> => {
  const namespace = await namespaceOfKey(metadata, files, key)
  return namespace?.state === 'active' ? openGrantIn(metadata, files, namespace.id, key) : undefined
}

/** Whether an object belongs to a living namespace: one that has a record of the file under this key, or an open grant for it. */
export const isOwned = async (metadata: Metadata, files: Store, key: string): Promise<boolean> => {
  const namespace = await namespaceOfKey(metadata, files, key)
  if (namespace?.state !== 'active') return false
  // The grant first: a record is written while the grant is open, so a file that arrives between the two reads is found by the second.
  if (await openGrantIn(metadata, files, namespace.id, key)) return true
  return (await metadata.files.byName(namespace.id, partsOfKey(files, key).fileName))?.key === key
}
