import type { Metadata } from '@cairn/ports/metadata/port'
import type { Grant, Namespace } from '@cairn/ports/metadata/records'

/** Where the files of a namespace are: names have no `/`, and an account's id never changes. */
export const objectPrefix = (accountId: string, namespaceName: string): string => `${accountId}/${namespaceName}/`

export const objectKey = (accountId: string, namespaceName: string, fileName: string): string =>
  objectPrefix(accountId, namespaceName) + fileName

export type KeyParts = { readonly accountId: string; readonly namespaceName: string; readonly fileName: string }

/** What a key was made of: the name of the file may have slashes. Empty where the store has an object that is nobody's. */
export const partsOfKey = (key: string): KeyParts => {
  const [accountId = '', namespaceName = '', ...rest] = key.split('/')
  return { accountId, namespaceName, fileName: rest.join('/') }
}

/** Of this account and name, unless it is being deleted. */
const livingNamespace = async (
  metadata: Metadata,
  { accountId, namespaceName }: Pick<KeyParts, 'accountId' | 'namespaceName'>,
): Promise<Namespace | undefined> => {
  const namespace = await metadata.namespaces.byName(accountId, namespaceName)
  return namespace?.state === 'active' ? namespace : undefined
}

const openGrantIn = async (metadata: Metadata, { id }: Namespace, fileName: string): Promise<Grant | undefined> => {
  const grant = await metadata.grants.get(id, fileName)
  return grant?.state === 'open' ? grant : undefined
}

/** The grant of a living namespace under which an object of this key may come. */
export const openGrantOf = async (metadata: Metadata, parts: KeyParts): Promise<Grant | undefined> => {
  const namespace = await livingNamespace(metadata, parts)
  return namespace && openGrantIn(metadata, namespace, parts.fileName)
}

/**
 * Whether an object belongs to a living namespace: one of this account and name that has a record of the file, or a grant that is open.
 * A key has no room for a namespace's id, so that a name made anew has the keys of the one before.
 */
export const isOwned = async (metadata: Metadata, parts: KeyParts): Promise<boolean> => {
  const namespace = await livingNamespace(metadata, parts)
  if (!namespace) return false
  if (await openGrantIn(metadata, namespace, parts.fileName)) return true
  return (await metadata.files.byName(namespace.id, parts.fileName)) !== undefined
}
