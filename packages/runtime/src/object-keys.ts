import type { Metadata } from '@cairn/ports/metadata/port'

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

/**
 * Whether an object belongs to a living namespace: one of this account and name that has a record of the file, or a grant that is open.
 * A key has no room for a namespace's id, so that a name made anew has the keys of the one before.
 */
export const isOwned = async (metadata: Metadata, { accountId, namespaceName, fileName }: KeyParts): Promise<boolean> => {
  const namespace = await metadata.namespaces.byName(accountId, namespaceName)
  if (namespace?.state !== 'active') return false
  const grant = await metadata.grants.get(namespace.id, fileName)
  if (grant?.state === 'open') return true
  return (await metadata.files.byName(namespace.id, fileName)) !== undefined
}
